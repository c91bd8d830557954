// The two buttons [values] [hint], who is asked, and what they answer in words.

import { h, icon, put } from "../dom.js";
import { cellName } from "../board/places.js";

export class ValuePanel {
  /**
   * @param {import("./session.js").Session} session
   * @param {import("./values.js").Values} values
   * @param {any[]} agents
   * @param {(cell: number | null) => void} onHint
   * @param {import("./wait.js").WaitSlider} wait
   */
  constructor(session, values, agents, onHint, wait) {
    Object.assign(this, { session, values, onHint, wait });
    this.toggle = h("button", { type: "button", class: "button toggle", id: "values", "aria-pressed": "false", onclick: () => values.toggle() },
      h("span", { class: "ramp", "aria-hidden": "true" }), h("span", {}, "Values"));
    this.hint = h("button", { type: "button", class: "button", id: "hint", onclick: () => this.#hint() }, icon("star"), h("span", {}, "Hint"));
    this.source = h("p", { class: "help", id: "values-source", "aria-live": "polite" });
    this.judge = h("select", { id: "values-agent", onchange: () => { values.agent = this.judge.value; values.toggle(true); } },
      h("option", { value: "auto" }, "the best at hand"),
      agents.filter((agent) => !["random", "fixed"].includes(agent.name)).map((agent) => h("option", { value: agent.suggested || agent.name }, agent.suggested || agent.name)));
    this.element = h("section", { class: "value-panel", "aria-label": "Values" },
      h("div", { class: "row" }, this.toggle, this.hint),
      (this.judgeBox = h("div", { class: "field inline" }, h("label", { for: "values-agent" }, "asked of"), this.judge)),
      this.source,
      (this.proof = h("p", { class: "proof" })));
  }

  /** Draw the eye once, on the first visit. */
  pulse() {
    this.toggle.classList.add("pulse");
    this.toggle.addEventListener("animationend", () => this.toggle.classList.remove("pulse"), { once: true });
  }

  /** Name what values wait for, while it is compiled. */
  tellPreparing(preparing) {
    const { values } = this;
    if (!values.isOn || !values.isBusy || !preparing.length) return;
    const seconds = Math.max(...preparing.map((row) => row.seconds));
    const first = values.at() ? "≈ A first estimate; exact or better values" : "Values";
    this.source.textContent = `${first} are being prepared: about ${Math.ceil(seconds)} s.`;
  }

  show() {
    const { values, session } = this;
    this.toggle.setAttribute("aria-pressed", String(values.isOn));
    this.judgeBox.hidden = !values.isOn;
    const answer = values.isOn ? values.at() : null;
    this.hint.disabled = session.position.result !== null;
    this.source.textContent = this.#sourceWords(answer);
    this.#showProof(answer);
  }

  #sourceWords(answer) {
    const { values, session } = this;
    if (values.problem && values.isOn) return values.problem;
    if (values.isOn && values.isBusy && answer) return "≈ A first estimate; better values are being worked out.";
    if (values.isOn && values.isBusy) {
      const { exact } = session.info;
      return exact.possible && !exact.ready && exact.seconds > 1 ? `Solving the whole game exactly: about ${Math.ceil(exact.seconds)} s, once.` : "Working it out …";
    }
    if (!answer) return values.isOn && session.position.result ? "The game is over." : "";
    return `${answer.exact ? "Exact" : "≈ Estimated"}: from ${answer.source}.${answer.note ? ` ${answer.note}` : ""}`;
  }

  #showProof(answer) {
    const { info } = this.session;
    put(this.proof);
    this.proof.hidden = !answer?.line?.length;
    if (this.proof.hidden) return;
    const names = answer.line.map((move) => cellName(info, move % info.cells));
    put(this.proof, h("strong", {}, "Proven win: "), names.join(", "), ".");
  }

  async #hint() {
    this.source.textContent = "Working it out …";
    const place = JSON.stringify(this.session.place());
    const answer = await this.values.fetch();
    if (place !== JSON.stringify(this.session.place())) return; // the game went on
    if (!answer || !answer.best.length) {
      this.source.textContent = this.values.problem ?? "There is nothing to suggest here.";
      return;
    }
    const [move] = answer.best;
    const { cells } = this.session.info;
    const entry = answer.values.find((value) => value.move === move || value.cell === move % cells);
    if (entry?.wait) this.wait.set(entry.wait);
    this.onHint(move % cells);
    const waits = entry?.wait ? `, after ${entry.wait} ${entry.wait === 1 ? "tick" : "ticks"}` : "";
    this.source.textContent = `Play ${cellName(this.session.info, move % cells)}${waits}: ${answer.exact ? "exact, from" : "estimated by"} ${answer.source}.`;
  }
}
