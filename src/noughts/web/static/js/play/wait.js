// Games with a clock: how long to wait before the mark is placed.

import { h } from "../dom.js";

export class WaitSlider {
  value = 0;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.input = h("input", { type: "range", id: "wait", min: 0, max: 0, step: 1, value: 0, oninput: () => { this.set(Number(this.input.value)); onChange(); } });
    this.text = h("output", { for: "wait" }, "");
    this.clock = h("p", { class: "clock" });
    this.element = h("div", { class: "wait-box", hidden: true }, this.clock, h("div", { class: "field" }, h("label", { for: "wait" }, "Wait before playing ", this.text), this.input));
  }

  set(ticks) {
    this.value = Math.max(0, Math.min(Number(this.input.max), ticks));
    this.input.value = String(this.value);
    const time = this.info ? this.value * this.info.risk.tick_length : 0;
    this.text.textContent = `${this.value} ${this.value === 1 ? "tick" : "ticks"} (${time.toFixed(2)} of time)`;
  }

  setPosition(info, position) {
    this.info = info;
    this.element.hidden = !info.risk.has_clock;
    this.input.max = position.longest_wait ?? 0;
    const { ticks, limit } = info.risk;
    this.clock.textContent = `The clock stands at ${position.tick ?? 0}${limit ? ` of ${ticks}` : ""} ticks.`;
    this.set(0);
  }
}
