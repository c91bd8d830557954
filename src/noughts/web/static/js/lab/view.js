// The Lab: a form on the left, results growing on the right as they come, and the list of runs.

import { h, notice, put, within } from "../dom.js";
import { api } from "../api.js";
import { labForm } from "./form.js";
import { RunView } from "./run.js";
import { readable } from "../forms.js";

const STATES = { waiting: "waiting", running: "running", done: "done", stopped: "stopped", failed: "failed" };

export class LabView {
  /** @param {HTMLElement} root @param {any[]} agents */
  constructor(root, agents) {
    this.agents = agents;
    this.form = h("div", { id: "lab-form" });
    this.list = h("ul", { class: "runs", id: "lab-runs" });
    this.run = new RunView(() => this.refresh());
    put(root,
      h("aside", { class: "left", "aria-label": "New run" }, h("h2", {}, "New run"), this.form, h("h2", {}, "Runs"), this.list),
      h("section", { class: "middle", "aria-label": "Result" }, this.run.element));
    addEventListener("hashchange", () => this.#follow());
  }

  async shown() {
    try {
      if (!this.kinds) {
        this.kinds = await api.kinds();
        this.#showForm(this.kinds[0].kind);
      }
      await this.refresh();
    } catch (error) {
      notice(error.message, "error");
    }
    this.#follow();
  }

  #showForm(name) {
    const kind = this.kinds.find((found) => found.kind === name);
    const tabs = h("fieldset", { class: "segments wide" }, h("legend", { class: "visually-hidden" }, "Kind of run"),
      this.kinds.map((found) => h("label", {}, h("input", { type: "radio", name: "lab-kind", value: found.kind, checked: found.kind === name, onchange: () => this.#showForm(found.kind) }), h("span", {}, readable(found.kind)))));
    const form = labForm(kind, this.agents, async (options) => {
      try {
        const run = await api.startRun(name, options);
        location.hash = `#/lab/${encodeURIComponent(run.id)}`;
        await this.refresh();
      } catch (error) {
        notice(error.message, "error");
      }
    });
    const had = this.form.contains(document.activeElement);
    put(this.form, tabs, h("p", { class: "help" }, kind.summary), form);
    if (had) within(tabs, "input:checked").focus();
  }

  /** The list anew; a running one is drawn as it goes by the view on the right. */
  async refresh() {
    const runs = await api.runs();
    put(this.list, runs.length ? runs.map((run) => this.#row(run)) : h("li", { class: "help" }, "No runs yet."));
    this.#mark();
  }

  #row(run) {
    const amount = run.total ? `${run.done} of ${run.total}` : run.done ? String(run.done) : "";
    return h("li", {}, h("a", { href: `#/lab/${encodeURIComponent(run.id)}`, "data-run": run.id, class: "run-row" },
      h("span", { class: "run-title" }, run.title || run.id),
      h("span", { class: `state ${run.state}` }, STATES[run.state] ?? run.state),
      h("span", { class: "run-sub" }, [run.id, amount, run.from_page ? null : "from the command line"].filter(Boolean).join(" · "))));
  }

  #mark() {
    const id = this.#idInHash();
    for (const link of this.list.querySelectorAll("a")) {
      if (link.dataset.run === id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  #idInHash() {
    const found = location.hash.match(/^#\/lab\/(.+)$/);
    return found ? decodeURIComponent(found[1]) : null;
  }

  #follow() {
    if (!location.hash.startsWith("#/lab")) {
      this.run.leave();
      return;
    }
    this.#mark();
    this.run.open(this.#idInHash());
  }
}
