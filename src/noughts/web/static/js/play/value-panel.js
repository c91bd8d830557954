// The two buttons [values] [hint], who is asked, and what they answer in words.

import { h, icon, put } from "../dom.js";
import { hintWords } from "./words.js";

const AUTO = "auto";

export class ValuePanel {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./values.js").Values} values
   * @param {any[]} agents
   * @param {(cells: number[]) => void} onHint
   * @param {import("./wait.js").WaitSlider} wait
   */
  constructor(session, values, agents, onHint, wait) {
    this.session = session;
    this.values = values;
    this.onHint = onHint;
    this.wait = wait;
    this.preparing = []; // what values wait for, with seconds
    this.judges = agents.filter((agent) => agent.values);
    this.toggle = h("button", { type: "button", class: "button toggle", id: "values", "aria-pressed": "false", onclick: () => values.toggle() },
      h("span", { class: "ramp", "aria-hidden": "true" }), h("span", {}, "Values"));
    this.hint = h("button", { type: "button", class: "button", id: "hint", onclick: () => this.#hint() }, icon("star"), h("span", {}, "Hint"));
    this.source = h("p", { class: "help", id: "values-source", "aria-live": "polite" });
    this.judge = h("select", { id: "values-agent", onchange: () => { values.agent = this.judge.value; values.toggle(true); } });
    this.element = h("section", { class: "value-panel", "aria-label": "Values" },
      h("div", { class: "row" }, this.toggle, this.hint),
      (this.judgeBox = h("div", { class: "field inline" }, h("label", { for: "values-agent" }, "asked of"), this.judge)),
      this.source,
      (this.proof = h("p", { class: "proof" })),
      (this.expected = h("details", { class: "expected", id: "values-expected", hidden: true }, h("summary", {}, "How it may go on"), h("p", { class: "help" }))));
  }

  /** Another game: only who can value its moves may be asked. */
  setGame(info) {
    const willing = this.judges.filter((agent) => !info.agents[agent.name] && !info.unasked.includes(agent.name));
    put(this.judge, h("option", { value: AUTO }, "the best at hand"),
      willing.map((agent) => h("option", { value: agent.suggested || agent.name, title: agent.summary }, agent.suggested || agent.name)));
    const isThere = [...this.judge.options].some((option) => option.value === this.values.agent);
    if (!isThere) this.values.agent = AUTO;
    this.judge.value = this.values.agent;
  }

  /** Draw the eye once, on the first visit. */
  pulse() {
    this.toggle.classList.add("pulse");
    this.toggle.addEventListener("animationend", () => this.toggle.classList.remove("pulse"), { once: true });
  }

  /** Name what values wait for, while it is compiled. */
  tellPreparing(preparing) {
    const { values } = this;
    this.preparing = preparing.filter((row) => row.what.startsWith("values "));
    if (values.isOn && values.isBusy) put(this.source, this.#sourceWords(values.at()));
  }

  #busyWords(answer) {
    const seconds = Math.max(0, ...this.preparing.map((row) => row.seconds));
    if (!answer && !seconds) return "Working it out …";
    const going = seconds ? `are being prepared: about ${Math.ceil(seconds)} s` : "are being worked out";
    if (!answer) return `Values ${going}.`;
    const first = answer.exact ? `Exact: from ${answer.source}. Moves with ≈ are estimated` : "≈ Estimated";
    return `${first} from ${answer.effort}; better values ${going}.`;
  }

  show() {
    const { values, session } = this;
    this.toggle.setAttribute("aria-pressed", String(values.isOn));
    this.judgeBox.hidden = !values.isOn;
    const answer = values.isOn ? values.at() : null;
    this.hint.disabled = session.position.result !== null;
    put(this.source, this.#sourceWords(answer));
    this.#showProof(answer);
  }

  #sourceWords(answer) {
    const { values, session } = this;
    if (!values.isOn) return [];
    if (session.position.result) return ["The game is over."];
    if (values.isBusy && !(answer?.exact && !answer.effort)) return [this.#busyWords(answer)];
    if (!answer) return [values.problem ?? ""];
    if (answer.exact) return [`Exact: from ${answer.source}.${answer.note ? ` ${answer.note}` : ""}`];
    return [`≈ Estimated: from ${answer.source}.`, ...this.#solvingWords()];
  }

  /** A table that takes minutes is not made unasked; the Lab makes it. */
  #solvingWords() {
    const { exact } = this.session.info;
    if (!exact.possible || exact.ready || this.values.agent !== AUTO) return [];
    return [` Solving it exactly takes about ${Math.ceil(exact.seconds)} s, once: `, h("a", { href: "#/lab" }, "in the Lab"), "."];
  }

  #showProof(answer) {
    put(this.proof);
    this.proof.hidden = !answer?.line_names?.length;
    this.expected.hidden = !answer?.expected?.length;
    this.expected.lastChild.textContent = this.expected.hidden ? "" : `${answer.expected.join(", ")}.`;
    if (!this.proof.hidden) put(this.proof, h("strong", {}, "Proven win: "), answer.line_names.join(", "), ".");
  }

  async #hint() {
    put(this.source, "Working it out …");
    const place = JSON.stringify(this.session.place());
    const answer = await this.values.fetch();
    if (place !== JSON.stringify(this.session.place())) return; // the game went on
    if (!answer || !answer.best.length) {
      put(this.source, this.values.problem ?? "There is nothing to suggest here.");
      return;
    }
    const { info } = this.session;
    const [first] = answer.best;
    const entryOf = new Map(answer.values.map((value) => [value.move, value]));
    const entry = entryOf.get(first);
    if (entry?.wait) this.wait.set(entry.wait);
    const isEvery = answer.exact && answer.best.length === answer.values.length && answer.best.length > 1;
    const shown = answer.exact || answer.clear ? answer.best : [first];
    this.onHint(isEvery ? [] : shown.map((move) => entryOf.get(move).cell));
    const waits = entry?.wait ? ` Wait ${entry.wait} ${entry.wait === 1 ? "tick" : "ticks"} first.` : "";
    put(this.source, hintWords(answer, (move) => entryOf.get(move).name, info.risk.is_risky) + waits);
  }
}
