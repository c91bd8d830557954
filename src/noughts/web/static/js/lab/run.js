// One run: how far it is, what is known so far, its figures, tables and files.

import { h, notice, put, within } from "../dom.js";
import { api, fileAddress, follow } from "../api.js";
import { figure, lineChart, pairBars, toCsv } from "../charts.js";
import { crossTable } from "./cross-table.js";
import { answerLine, dataTable, factList } from "./tables.js";

const WANTED = { html: "Report", xlsx: "Excel", csv: "csv" }; // what most people come for

export class RunView {
  /** @param {() => void} onChange  the list of runs may differ now */
  constructor(onChange) {
    this.onChange = onChange;
    this.element = h("div", { class: "run", id: "lab-run" });
    this.leave();
  }

  leave() {
    this.stop?.();
    clearInterval(this.ticking);
    this.stop = null;
    this.id = null;
  }

  async open(id) {
    if (id === this.id && id !== null) return;
    this.leave();
    if (id === null) {
      put(this.element, h("div", { class: "empty-run" }, h("h2", {}, "Nothing on the bench"), h("p", {}, "Choose what to run and press Start, or open a run from the list. Runs of the command line appear there too.")));
      return;
    }
    this.id = id;
    this.#build();
    try {
      await this.#load();
    } catch (error) {
      if (this.id === id) put(this.element, h("p", { class: "notice error" }, error.message));
    }
  }

  async #load() {
    const { id } = this;
    const run = await api.run(id);
    if (this.id !== id) return;
    this.show(run);
    if (run.state !== "running" && run.state !== "waiting") return;
    this.stop = follow(id, async (told, isEnd) => {
      if (this.id !== id) return;
      this.show(told);
      if (!isEnd) return;
      this.show(await api.run(id));
      this.onChange();
    });
  }

  #build() {
    this.title = h("h2", { id: "run-title" });
    this.state = h("p", { class: "run-state", id: "run-state" });
    this.bar = h("progress", { "aria-label": "Progress", max: 1, value: 0 });
    this.actions = h("div", { class: "tools" });
    this.command = h("p", { class: "help" });
    this.result = h("div", { class: "run-result" });
    this.files = h("div", { class: "run-files" });
    this.figures = h("div", {});
    this.tables = h("div", {});
    put(this.element, this.title, this.state, this.bar, this.actions, this.command, this.result, this.figures, this.tables, this.files);
  }

  /** The clock goes on between two words of a run that is under way. */
  #runClock(clock, { seconds, state }) {
    clearInterval(this.ticking);
    if (seconds === null) return;
    const told = performance.now();
    const tick = () => { clock.textContent = `${(seconds + (state === "running" ? performance.now() - told : 0) / 1000).toFixed(1)} s`; };
    tick();
    if (state === "running") this.ticking = setInterval(tick, 100);
  }

  /** Draw a run as it is told. */
  show(run) {
    this.title.textContent = run.title || run.id;
    const amount = run.total ? `${run.done} of ${run.total}` : run.done ? `${run.done} done` : "";
    const clock = h("span", { class: "run-clock" });
    put(this.state, h("span", { class: `state ${run.state}` }, run.state), " ", [amount, run.text].filter(Boolean).map((words) => `${words} · `), clock);
    this.#runClock(clock, run);
    this.state.dataset.state = run.state;
    this.bar.hidden = run.state === "done";
    if (run.total) this.bar.value = run.done / run.total;
    else this.bar.removeAttribute("value");
    if (run.state !== "running" && run.state !== "waiting" && !run.total) this.bar.hidden = true;
    put(this.command, run.message ? h("strong", { class: "failure" }, run.message) : null, run.command ? h("code", {}, run.command) : null);
    this.#showActions(run);
    put(this.result, partialParts(run.partial ?? {}));
    put(this.tables, (run.partial?.tables ?? []).map(dataTable));
    if (!run.files) return;
    put(this.figures, pictureParts(run));
    put(this.files, fileParts(run));
  }

  #showActions(run) {
    const act = (word, work, attributes = {}) => h("button", { type: "button", class: "button", onclick: async () => {
      try {
        await work();
        this.onChange();
      } catch (error) {
        notice(error.message, "error");
      }
    }, ...attributes }, word);
    const reopen = () => {
      this.leave();
      this.id = run.id;
      return this.#load();
    };
    const isLive = run.state === "running" || run.state === "waiting";
    put(this.actions,
      isLive ? act("Cancel", async () => { await api.cancelRun(run.id); await reopen(); }, { id: "run-cancel" }) : null,
      run.can_resume ? act("Resume", async () => { await api.resumeRun(run.id); await reopen(); }, { id: "run-resume" }) : null,
      (run.files ?? []).filter((file) => !file.path.includes("/") && WANTED[file.kind]).map((file) => h("a", { class: "button", href: fileAddress(run.id, file.path, file.kind !== "html"), download: file.kind === "html" ? null : "", target: file.kind === "html" ? "_blank" : null, rel: "noopener" }, WANTED[file.kind])),
      isLive ? null : act("Delete", () => this.#delete(run.id), { id: "run-delete" }));
  }

  /** Asks once more in place: the button changes its word. */
  async #delete(id) {
    const button = within(this.actions, "#run-delete");
    if (button.dataset.sure !== "yes") {
      button.dataset.sure = "yes";
      button.textContent = "Delete the folder for good";
      return;
    }
    await api.deleteRun(id);
    location.hash = "#/lab";
  }
}

function partialParts(partial) {
  const parts = [];
  if (partial.answers?.length) parts.push(h("ul", { class: "answers" }, partial.answers.map((line) => h("li", {}, answerLine(line)))));
  if (partial.facts && Object.keys(partial.facts).length) parts.push(factList(partial.facts));
  if (partial.pairs?.length) {
    const columns = ["first", "second", "games", "wins", "draws", "losses", "score", "low", "high"];
    const csv = () => toCsv(columns, partial.pairs.map((pair) => columns.map((key) => pair[key])));
    if (partial.pairs.length > 1) parts.push(figure("Cross table", crossTable(partial.pairs), csv));
    parts.push(figure("Results", pairBars(partial.pairs), csv));
  }
  for (const group of groupCurves(partial.curves ?? [])) {
    const title = group.length === 1 ? group[0].name : "Learning curves";
    parts.push(figure(title, lineChart({ series: group, title }), () => toCsv(["name", "x", "y"], group.flatMap((line) => line.points.map(([x, y]) => [line.name, x, y])))));
  }
  if (partial.units?.length) parts.push(h("p", { class: "help" }, `Finished so far: ${partial.units.slice(-12).join(", ")}.`));
  return parts;
}

/** Curves that share a scale share a figure: at most three in each. */
function groupCurves(curves) {
  const groups = [];
  for (const curve of curves) {
    const top = Math.max(...curve.points.map(([, y]) => Math.abs(y ?? 0)), 1e-9);
    const fitting = groups.find((group) => group.length < 3 && Math.abs(Math.log10(group.top / top)) < 0.7);
    if (fitting) fitting.push(curve);
    else groups.push(Object.assign([curve], { top }));
  }
  return groups;
}

function pictureParts(run) {
  const pictures = run.files.filter((file) => file.kind === "svg");
  if (!pictures.length) return [];
  const name = (file) => file.path.split("/").pop().replace(/\.svg$/, "").replaceAll("-", " ");
  return [h("h3", {}, "Figures"), h("div", { class: "figures" }, pictures.map((file) => h("figure", { class: "chart" },
    h("a", { href: fileAddress(run.id, file.path), target: "_blank", rel: "noopener" }, h("img", { src: fileAddress(run.id, file.path), alt: name(file) })),
    h("figcaption", {}, name(file)))))];
}

function fileParts(run) {
  if (!run.files.length) return [];
  return [h("details", { class: "panel" }, h("summary", {}, `All ${run.files.length} files`), h("ul", { class: "file-list" }, run.files.map((file) => h("li", {},
    h("a", { href: fileAddress(run.id, file.path, true), download: "" }, file.path),
    h("span", { class: "help" }, ` ${size(file.size)}`)))))];
}

const size = (bytes) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
