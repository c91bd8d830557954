// The board: a drawing that is also a grid one can walk through with the keys.

import { around, put, s, within } from "../dom.js";
import { gridPath } from "./ink.js";
import { layOut, posts, viewBox } from "./sheets.js";
import { cellContents, cellLabel } from "./cell.js";
import { chooser } from "./chooser.js";
import { riskWords } from "./odds.js";
import { bigMark, edgeLabels, hoverLines, sendPreview, winStroke } from "./overlay.js";
import { playLanding } from "./landing.js";
import { scaleOf } from "./colour.js";
import { arrangement, coordinates, neighbour } from "./places.js";

/**
 * @typedef {{value: number, exact: boolean, best: boolean}} CellValue
 * @typedef {{values?: Map<number, CellValue>, moveValues?: Map<number, CellValue>, hint?: number[], scale?: import("./colour.js").Scale,
 *   event?: any, landing?: import("./odds.js").Landing, canPlay?: boolean, animate?: boolean}} Showing
 *   `values` of cells, `moveValues` of moves; `hint`: the cells that are suggested
 */
export class Board {
  /** @param {{onPlay?: (move: number) => void, onLook?: (cell: number | null) => void, label?: string}} options */
  constructor({ onPlay = () => {}, onLook = () => {}, label = "Board" } = {}) {
    this.onPlay = onPlay;
    this.onLook = onLook;
    this.focusCell = 0;
    this.element = s("svg", { class: "board", role: "group", "aria-label": label });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerover", (event) => this.#look(event.target));
    this.element.addEventListener("pointerleave", () => this.#look(null));
    this.element.addEventListener("focusin", (event) => this.#look(event.target));
    this.element.addEventListener("focusout", () => this.#look(null));
    this.element.addEventListener("click", (event) => this.#click(event.target));
  }

  /** Another game: everything is laid out anew. @param {import("./places.js").View} view */
  setGame(view) {
    this.view = view;
    this.sheets = layOut(view);
    this.kind = arrangement(view);
    this.cells = [];
    this.sheetGroups = [];
    this.looked = null;
    const all = view.sheets.flatMap((sheet) => sheet.cells);
    this.focusCell = all[Math.floor(all.length / 2)];
    const [left, top, width, height] = viewBox(this.sheets, this.kind === "minis" ? 16 : 12);
    const room = view.is_labelled ? 20 : 0;
    this.bounds = [left - room, top - room, width + room, height + room];
    this.element.setAttribute("viewBox", this.bounds.map((n) => n.toFixed(1)).join(" "));
    this.element.dataset.kind = this.kind;
    this.through = s("g", { "aria-hidden": "true", class: "above" });
    this.above = s("g", { "aria-hidden": "true", class: "above" });
    this.sending = s("g", { "aria-hidden": "true", class: "above" });
    this.asking = s("g", {});
    put(this.element,
      posts(this.sheets).map(([[x1, y1], [x2, y2]]) => s("line", { class: "post", x1, y1, x2, y2 })),
      view.is_labelled ? edgeLabels(view, this.sheets) : null,
      this.sheets.map((sheet, i) => this.#makeSheet(sheet, view.sheets[i].name)),
      this.through,
      this.sending,
      this.above,
      this.asking);
  }

  #makeSheet(sheet, name) {
    const rows = Array.from({ length: sheet.rows }, (_, row) => s("g", { role: "row" },
      sheet.cells.slice(row * sheet.columns, (row + 1) * sheet.columns).map((cell) => this.#makeCell(sheet, cell))));
    const cover = s("g", { class: "cover", "aria-hidden": "true" });
    const outline = sheet.box(0, 0, sheet.columns, sheet.rows);
    const group = s("g", { class: "sheet" },
      s("path", { class: "shadow", d: outline }),
      s("path", { class: "paper", d: outline }),
      s("path", { class: "lines", d: gridPath(sheet), "stroke-width": 1 + sheet.size / 70 }),
      s("g", { role: "grid", "aria-label": name || "Cells" }, rows),
      cover);
    this.sheetGroups.push({ group, cover });
    return group;
  }

  #makeCell(sheet, cell) {
    const [u, v] = sheet.place(cell);
    const inside = s("g", { class: "inside" });
    const hit = s("path", { class: "hit", d: sheet.box(u, v, 1, 1, 0.02) });
    const group = s("g", { role: "gridcell", class: "cell", "data-cell": cell, tabindex: cell === this.focusCell ? 0 : -1 },
      hit, inside, s("path", { class: "focus-ring", d: sheet.box(u, v, 1, 1, 0.035) }));
    this.cells[cell] = { group, inside, sheet };
    return group;
  }

  /**
   * Draw a position. Resolves when the landing has been seen.
   * @param {Position} position @param {Showing} showing
   */
  show(position, { values = new Map(), moveValues = new Map(), scale = scaleOf([]), hint = [], event = null, landing = null, canPlay = false, animate = false } = {}) {
    const before = this.position;
    if (before !== position || !canPlay) put(this.asking);
    this.position = position;
    this.canPlay = canPlay && !position.result;
    /** @type {Map<number, Answer<"Choice">[]>} */
    this.open = new Map();
    for (const choice of position.view.choices) this.open.set(choice.cell, [...(this.open.get(choice.cell) ?? []), choice]);
    this.showing = { values, moveValues, scale, hint, event, landing };
    const winning = new Set(position.view.winning_cells);
    this.cells.forEach((_, cell) => this.#showCell(cell, winning));
    this.#showSheets(position);
    put(this.above, winStroke(this.sheets, position));
    this.#look(this.looked === null ? null : this.cells[this.looked].group);
    if (animate && event) return playLanding(this, before, event);
    return Promise.resolve();
  }

  #showCell(cell, winning) {
    const { group, inside, sheet } = this.cells[cell];
    const { values, scale, hint, event, landing } = this.showing;
    const isOpen = this.open.has(cell);
    const scene = {
      view: this.view, landing, position: this.position, sheet, cell, value: values.get(cell), scale, isHint: hint.includes(cell),
      isWinning: winning.has(cell), event, isOpen,
    };
    const mark = this.position.board[cell];
    if (this.cells[cell].drawn === this.#lookOf(scene, mark)) return;
    this.cells[cell].drawn = this.#lookOf(scene, mark);
    put(inside, cellContents(scene));
    group.setAttribute("class", `cell ${mark === "." ? "empty" : "filled"}${isOpen && this.canPlay ? " open" : ""}${values.has(cell) ? " valued" : ""}`);
    group.setAttribute("aria-label", cellLabel(scene));
    group.setAttribute("aria-disabled", String(!(isOpen && this.canPlay)));
  }

  /** All that the drawing of a cell depends on: a cell that looks the same is left alone. */
  #lookOf({ value, scale, landing, isHint, isWinning, event, isOpen, cell }, mark) {
    const landed = event?.cell === cell ? [event.mover, event.mark] : null;
    const isLast = this.position.last === cell;
    return JSON.stringify([mark, value, value && scale, isHint, isWinning, landed, isOpen && this.canPlay, isOpen, isLast, riskWords(landing, cell), document.documentElement.dataset.theme]);
  }

  #showSheets(position) {
    this.element.dataset.turn = position.turn;
    if (this.kind !== "minis") return;
    const { open_sheets: open, forced, owners } = position.view;
    this.sheetGroups.forEach(({ group, cover }, index) => {
      const isOpen = open.includes(index);
      const owner = owners[index] ?? ".";
      group.setAttribute("class", `sheet${isOpen && forced === index ? " forced" : ""}${!position.result && !isOpen ? " dimmed" : ""}${owner !== "." ? " won" : ""}`);
      put(cover, owner === "." ? null : bigMark(this.sheets[index], owner, index));
    });
  }

  /** Light what belongs to the cell under the pointer or the focus. */
  #look(target) {
    const group = around(target, ".cell");
    const cell = group ? Number(group.dataset.cell) : null;
    const isNew = cell !== this.looked;
    this.looked = cell;
    if (!this.position) return;
    const choice = cell === null ? null : this.open.get(cell)?.[0];
    put(this.sending, choice ? sendPreview(this.view, this.sheets, choice) : null);
    put(this.through, cell !== null && this.kind === "space" ? hoverLines(this.view, this.sheets, this.position, cell) : null);
    if (this.kind === "space" && isNew) this.#lightColumn(cell);
    if (isNew) this.onLook(cell);
  }

  #lightColumn(cell) {
    const [row, column] = cell === null ? [-1, -1] : coordinates(this.view, cell);
    this.cells.forEach(({ group }, other) => {
      const [r, c] = coordinates(this.view, other);
      group.toggleAttribute("data-column", r === row && c === column);
    });
  }

  #click(target) {
    const group = around(target, ".cell");
    if (!group) return;
    this.#moveFocus(Number(group.dataset.cell), false);
    this.#choose(Number(group.dataset.cell));
  }

  /** Play the only move of a cell, or ask which one is meant. */
  #choose(cell) {
    const choices = this.canPlay ? this.open.get(cell) ?? [] : [];
    put(this.asking);
    if (choices.length === 1) this.onPlay(choices[0].move);
    if (choices.length < 2) return;
    const { moveValues: values, scale } = this.showing;
    const close = () => { put(this.asking); this.focus(); };
    put(this.asking, chooser(this.cells[cell].sheet, cell, choices, {
      bounds: this.bounds, values, scale, name: this.view.names[cell], onLeave: close,
      onPick: (move) => { close(); this.onPlay(move); },
    }));
    within(this.asking, ".choice").focus();
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") put(this.asking);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(this.focusCell);
      return;
    }
    const next = neighbour(this.view, this.focusCell, event.key);
    if (next === null) return;
    event.preventDefault();
    this.#moveFocus(next, true);
  }

  #moveFocus(cell, focus) {
    this.cells[this.focusCell].group.setAttribute("tabindex", "-1");
    this.focusCell = cell;
    this.cells[cell].group.setAttribute("tabindex", "0");
    if (focus) this.cells[cell].group.focus();
  }

  /** Put the keyboard on the board. */
  focus() {
    this.cells[this.focusCell].group.focus();
  }
}
