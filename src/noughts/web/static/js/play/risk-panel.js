// Risk as something one paints: a value on a slider, dragged over the cells.

import { around, h, put, within } from "../dom.js";
import { Board } from "../board/board.js";
import { api } from "../api.js";
import { RISK_KEYS, formatVector, parseSpec, shortNumber, withRisk } from "../spec.js";
import { percent } from "../board/odds.js";

const KINDS = [
  ["flip", "flip: the opponent's mark lands"],
  ["fizzle", "fizzle: nothing lands, the turn is lost"],
  ["fade", "fade: a mark vanishes before a turn"],
];

/** A board on which every cell can be painted: its moves are its cells. */
function emptyBoard(info) {
  const cells = [...Array(info.cells).keys()];
  const choices = cells.map((cell) => ({ move: cell, cell, label: "", mark: "", targets: null }));
  const view = { choices, open_sheets: [...info.view.sheets.keys()], forced: null, owners: [], winning_cells: [], winning_sheets: [] };
  return { ...info.position, board: ".".repeat(info.cells), result: null, last: null, view };
}

export class RiskPanel {
  /** @param {(spec: string) => void} onApply */
  constructor(onApply) {
    this.onApply = onApply;
    this.kind = "flip";
    this.board = new Board({ onPlay: (move) => this.#paint([move]), label: "Risk of each cell; Enter paints it with the slider's value" });
    this.board.element.classList.add("paint");
    this.board.element.addEventListener("pointerdown", (event) => this.#drag(event));
    this.board.element.addEventListener("pointermove", (event) => event.buttons && this.#drag(event));
    this.brush = h("input", { type: "range", id: "risk-brush", min: 0, max: 1, step: 0.05, value: 0.3, oninput: () => this.#showBrush() });
    this.brushText = h("output", { for: "risk-brush" }, "0.30");
    this.play = h("button", { type: "button", class: "button strong", onclick: () => this.onApply(this.#spec()) }, "Play with these risks");
    this.sum = h("p", { class: "help" });
    this.worlds = h("select", { id: "risk-world", onchange: () => this.#world() });
    this.seed = h("input", { id: "risk-seed", type: "number", min: 0, max: 4294967295, value: 7, onchange: () => this.#world() });
    this.element = h("details", { class: "panel", id: "risk-panel", ontoggle: () => this.info && this.#draw() }, h("summary", {}, "Risk"), this.#contents());
    this.#fillWorlds();
  }

  #contents() {
    const kinds = h("fieldset", { class: "segments" }, h("legend", {}, "Paint"), KINDS.map(([kind, help]) => h("label", { title: help },
      h("input", { type: "radio", name: "risk-kind", value: kind, checked: kind === this.kind, onchange: () => { this.kind = kind; this.#draw(); } }), h("span", {}, kind))));
    const clock = (id, label, value, attributes) => h("div", { class: "field small" }, h("label", { for: id }, label), h("input", { id, type: "number", min: 0, step: "any", value, onchange: () => this.#readClock(), ...attributes }));
    this.clock = h("div", { class: "row" }, clock("risk-hazard", "hazard rate", 0, { step: 0.05 }), clock("risk-limit", "time limit", 10), clock("risk-ticks", "ticks", 10, { min: 1, max: 1000, step: 1 }));
    return [
      h("div", { class: "row" },
        h("div", { class: "field grow" }, h("label", { for: "risk-world" }, "World"), this.worlds),
        h("div", { class: "field small" }, h("label", { for: "risk-seed" }, "seed"), this.seed)),
      kinds,
      h("div", { class: "field" }, h("label", { for: "risk-brush" }, "Probability ", this.brushText), this.brush),
      h("div", { class: "row tools" },
        h("button", { type: "button", class: "button", onclick: () => this.#paint(this.vectors[this.kind].keys()) }, "Fill all"),
        h("button", { type: "button", class: "button", onclick: () => this.#clear() }, "No risk")),
      h("div", { class: "paint-frame" }, this.board.element),
      this.sum,
      this.clock,
      h("p", { class: "help" }, "With a hazard a clock runs: the longer one waits, the likelier a mark flips."),
      this.play,
    ];
  }

  async #fillWorlds() {
    const { worlds } = await api.games();
    this.known = worlds;
    put(this.worlds, h("option", { value: "" }, "as painted"), worlds.map((world) => h("option", { value: world.name, title: world.summary }, world.name)));
    this.#markWorlds();
  }

  #markWorlds() {
    for (const option of this.worlds.options) {
      const world = this.known?.find((found) => found.name === option.value);
      option.disabled = Boolean(world?.cells && this.info && world.cells !== this.info.cells);
    }
  }

  /** The game on the table: the panel begins from its risks. */
  setGame(info) {
    this.info = info;
    this.element.hidden = !info.takes_risk;
    this.vectors = Object.fromEntries(KINDS.map(([kind]) => [kind, [...info.risk[kind]]]));
    const { options } = parseSpec(info.spec);
    this.named = Object.fromEntries(RISK_KEYS.filter((key) => key in options).map((key) => [key, options[key]]));
    this.#markWorlds();
    const isNamed = [...this.worlds.options].some((option) => option.value && option.value === this.named.flip);
    this.worlds.value = isNamed ? this.named.flip : "";
    if (this.named.seed) this.seed.value = this.named.seed;
    const field = (id) => within(this.clock, `#${id}`);
    field("risk-hazard").value = info.risk.hazard[0] ?? 0;
    if (info.risk.limit) field("risk-limit").value = info.risk.limit;
    if (info.risk.has_clock) field("risk-ticks").value = info.risk.ticks;
    this.changed = false;
    this.isLaidOut = false;
    put(this.board.element); // that of another game is not painted on
    this.#draw();
  }

  /** A closed panel is not drawn. */
  #draw() {
    if (!this.element.open) return;
    if (!this.isLaidOut) this.board.setGame(this.info.view);
    this.isLaidOut = true;
    const vector = this.vectors[this.kind];
    const zero = vector.map(() => 0);
    this.board.show(emptyBoard(this.info), { canPlay: true, landing: { tick: 0, flip: zero, fizzle: zero, fade: zero, [this.kind]: vector, risk: vector } });
    const mean = vector.reduce((total, value) => total + value, 0) / vector.length;
    this.sum.textContent = `${this.kind}: ${percent(Math.min(...vector))} to ${percent(Math.max(...vector))}, mean ${percent(mean)}`;
    this.play.disabled = !this.changed;
  }

  #showBrush() {
    this.brushText.textContent = Number(this.brush.value).toFixed(2);
  }

  #drag(event) {
    const target = around(document.elementFromPoint(event.clientX, event.clientY), ".cell");
    if (target && this.board.element.contains(target)) this.#paint([Number(target.dataset.cell)]);
  }

  /** A cell's flip and fizzle together are at most 1: the one not painted gives way. */
  #paint(cells) {
    const value = Number(this.brush.value);
    for (const cell of cells) {
      if (cell >= this.info.cells) continue; // of a board that has just been put away
      this.vectors[this.kind][cell] = value;
      const other = { flip: "fizzle", fizzle: "flip" }[this.kind];
      if (other) this.vectors[other][cell] = Math.min(this.vectors[other][cell], Number(shortNumber(1 - value)));
    }
    delete this.named[this.kind];
    this.worlds.value = "";
    this.changed = true;
    this.#draw();
  }

  #clear() {
    for (const [kind] of KINDS) this.vectors[kind].fill(0);
    within(this.clock, "#risk-hazard").value = 0;
    this.named = {};
    this.worlds.value = "";
    this.changed = true;
    this.#draw();
  }

  #readClock() {
    this.changed = true;
    this.play.disabled = false;
  }

  #world() {
    const name = this.worlds.value;
    if (!name) return;
    const isSeeded = this.known.find((world) => world.name === name)?.seeded;
    this.onApply(withRisk(this.info.spec, { ...this.#clockOptions(), flip: name, seed: isSeeded ? String(this.seed.value || 0) : "" }));
  }

  #clockOptions() {
    const read = (id) => Number(within(this.clock, `#${id}`).value);
    const hazards = this.info.risk.hazard;
    const rate = read("risk-hazard");
    if (!(rate > 0)) return {};
    const isSame = rate === hazards[0];
    return { hazard: isSame ? formatVector(hazards) : shortNumber(rate), limit: shortNumber(read("risk-limit")), ticks: String(read("risk-ticks")) };
  }

  #spec() {
    /** @type {Record<string, string>} */
    const risks = { ...this.#clockOptions() };
    const seeded = [];
    for (const [kind] of KINDS) {
      const isDrawn = this.known?.some((world) => world.seeded && world.name === this.named[kind]);
      if (isDrawn) seeded.push(kind);
      risks[kind] = isDrawn ? this.named[kind] : formatVector(this.vectors[kind]);
    }
    if (seeded.length) risks.seed = this.named.seed ?? "0";
    return withRisk(this.info.spec, risks);
  }
}
