// The line under the board: what the colours run over, and what is known of the cell one looks at.

import { h, put } from "../dom.js";
import { signed, valueColour } from "../board/colour.js";
import { riskWords } from "../board/odds.js";
import { oddsWords, worthWords } from "./words.js";

/** "b3: flips 0.30; exact: X wins 0.02 more often than O; X 17 %, draw 69 %, O 14 %". */
export function cellWords(session, cell, landing, value) {
  const { info, position } = session;
  if (position.result || position.board[cell] !== ".") return "";
  const parts = [riskWords(landing, cell)];
  if (value) parts.push(`${value.exact ? "exact" : "estimated"}: ${worthWords(value, info.risk.is_risky)}`, info.risk.is_risky ? oddsWords(value.odds) : "");
  const told = parts.filter(Boolean).join("; ");
  return told ? `${info.view.names[cell]}: ${told}.` : "";
}

export class Legend {
  constructor() {
    this.ramp = h("span", { class: "legend-ramp", "aria-hidden": "true" });
    this.ends = [h("span", {}), h("span", {})];
    this.scale = h("span", { class: "legend-scale" }, "colours: ", this.ends[0], this.ramp, this.ends[1]);
    this.looked = h("span", { class: "legend-looked" });
    this.element = h("p", { class: "legend", id: "legend" }, this.scale, this.looked);
  }

  /** @param {Map<number, any>} values @param {import("../board/colour.js").Scale} scale */
  show(values, scale) {
    this.scale.hidden = values.size === 0;
    if (this.scale.hidden) return;
    const digits = scale.high - scale.low < 0.1 ? 3 : 2;
    this.ends.forEach((end, i) => { end.textContent = signed(i ? scale.high : scale.low, digits); });
    this.scale.title = `The colours run over the values on show, and no less than chance, from ${signed(scale.low, digits)} to ${signed(scale.high, digits)} for X; 0 is neutral.`;
    const isExact = [...values.values()].some((entry) => entry.exact);
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => valueColour(scale.low + share * (scale.high - scale.low), isExact, scale));
    this.ramp.style.setProperty("background", `linear-gradient(90deg, ${stops.join(", ")})`);
  }

  /** @param {string} words  of the cell one looks at */
  tell(words) {
    put(this.looked, words);
  }
}
