// The board: a drawing that is also a grid one can walk through with the keys.

import { put, s } from "../dom.js";
import { gridPath } from "./ink.js";
import { layOut, posts, viewBox } from "./sheets.js";
import { cellContents, cellLabel } from "./cell.js";
import { riskWords } from "./odds.js";
import { bigMark, edgeLabels, hoverLines, sendPreview, winStroke } from "./overlay.js";
import { playLanding } from "./landing.js";
import { coordinates, miniName, neighbour } from "./places.js";

/**
 * @typedef {{value: number, exact: boolean, best: boolean}} CellValue
 * @typedef {{values?: Map<number, CellValue>, hint?: number | null, event?: any, tick?: number,
 *   canPlay?: boolean, animate?: boolean}} Showing
 */
export class Board {
  /** @param {{onPlay?: (cell: number) => void, onLook?: (cell: number | null) => void, label?: string}} options */
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

  /** Another game: everything is laid out anew. @param {import("./places.js").GameInfo} info */
  setGame(info) {
    this.info = info;
    this.sheets = layOut(info.kind, info.shape);
    this.cells = [];
    this.sheetGroups = [];
    this.focusCell = Math.floor(info.cells / 2);
    const isTall = !this.sheets[0].isFlat;
    const labelled = info.kind === "line" && (isTall || info.shape[0] !== 3 || info.shape[1] !== 3);
    const [left, top, width, height] = viewBox(this.sheets, info.kind === "ultimate" ? 16 : 12);
    const room = labelled ? 20 : 0;
    this.element.setAttribute("viewBox", [left - room, top - room, width + room, height + room].map((n) => n.toFixed(1)).join(" "));
    this.element.dataset.kind = info.kind === "ultimate" ? "ultimate" : isTall ? "space" : "flat";
    this.through = s("g", { "aria-hidden": "true", class: "above" });
    this.above = s("g", { "aria-hidden": "true", class: "above" });
    this.sending = s("g", { "aria-hidden": "true", class: "above" });
    put(this.element,
      posts(this.sheets).map(([[x1, y1], [x2, y2]]) => s("line", { class: "post", x1, y1, x2, y2 })),
      labelled ? edgeLabels(info, this.sheets) : null,
      this.sheets.map((sheet, i) => this.#makeSheet(sheet, i)),
      this.through,
      this.sending,
      this.above);
  }

  #makeSheet(sheet, index) {
    const label = this.info.kind === "ultimate" ? `Mini board ${miniName(index)}` : this.sheets.length > 1 ? `Layer ${index + 1}` : "Cells";
    const rows = Array.from({ length: sheet.rows }, (_, row) => s("g", { role: "row" },
      Array.from({ length: sheet.columns }, (_, column) => this.#makeCell(sheet, sheet.first + row * sheet.columns + column))));
    const cover = s("g", { class: "cover", "aria-hidden": "true" });
    const outline = sheet.box(0, 0, sheet.columns, sheet.rows);
    const group = s("g", { class: "sheet" },
      s("path", { class: "shadow", d: outline }),
      s("path", { class: "paper", d: outline }),
      s("path", { class: "lines", d: gridPath(sheet), "stroke-width": 1 + sheet.size / 70 }),
      s("g", { role: "grid", "aria-label": label }, rows),
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
   * @param {any} position @param {Showing} showing
   */
  show(position, { values = new Map(), hint = null, event = null, tick, canPlay = false, animate = false } = {}) {
    const before = this.position;
    this.position = position;
    this.tick = tick ?? position.tick ?? 0;
    this.canPlay = canPlay && !position.result;
    this.open = new Set(position.open_cells);
    this.showing = { values, hint, event };
    const winning = new Set(this.info.kind === "line" ? position.winning_line ?? [] : []);
    for (let cell = 0; cell < this.info.cells; cell += 1) this.#showCell(cell, winning);
    this.#showSheets(position);
    put(this.above, winStroke(this.info, this.sheets, position));
    this.#look(this.looked === undefined || this.looked === null ? null : this.cells[this.looked].group);
    if (animate && event) return playLanding(this, before, event);
    return Promise.resolve();
  }

  #showCell(cell, winning) {
    const { group, inside, sheet } = this.cells[cell];
    const { values, hint, event } = this.showing;
    const isOpen = this.open.has(cell);
    const scene = {
      info: this.info, position: this.position, sheet, cell, value: values.get(cell), isHint: hint === cell,
      isWinning: winning.has(cell), event, isOpen, tick: this.tick,
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
  #lookOf({ value, isHint, isWinning, event, isOpen, cell }, mark) {
    const landed = event?.cell === cell ? [event.mover, event.mark] : null;
    const isLast = this.position.last === cell;
    return JSON.stringify([mark, value, isHint, isWinning, landed, isOpen && this.canPlay, isOpen, isLast, riskWords(this.info.risk, cell, this.tick), document.documentElement.dataset.theme]);
  }

  #showSheets(position) {
    this.element.dataset.turn = position.turn;
    this.sheetGroups.forEach(({ group, cover }, index) => {
      if (this.info.kind !== "ultimate") return;
      const isOpen = !position.result && position.open_cells.some((cell) => Math.floor(cell / 9) === index);
      const isForced = isOpen && position.forced === index;
      group.setAttribute("class", `sheet${isForced ? " forced" : ""}${!position.result && !isOpen ? " dimmed" : ""}${position.owners[index] !== "." ? " won" : ""}`);
      put(cover, position.owners[index] === "." ? null : bigMark(this.sheets[index], position.owners[index], index));
    });
  }

  /** Light what belongs to the cell under the pointer or the focus. */
  #look(target) {
    const group = target instanceof Element ? target.closest(".cell") : null;
    const cell = group ? Number(group.dataset.cell) : null;
    const isNew = cell !== this.looked;
    this.looked = cell;
    if (!this.position) return;
    const isOpen = cell !== null && this.open.has(cell) && !this.position.result;
    put(this.sending, isOpen && this.info.kind === "ultimate" ? sendPreview(this.info, this.sheets, this.position, cell) : null);
    put(this.through, cell !== null && this.element.dataset.kind === "space" ? hoverLines(this.info, this.sheets, this.position, cell) : null);
    if (this.element.dataset.kind === "space" && isNew) this.#lightColumn(cell);
    if (isNew) this.onLook(cell);
  }

  #lightColumn(cell) {
    const [row, column] = cell === null ? [-1, -1] : coordinates(this.info, cell);
    this.cells.forEach(({ group }, other) => {
      const [r, c] = coordinates(this.info, other);
      group.toggleAttribute("data-column", r === row && c === column);
    });
  }

  #click(target) {
    const group = target instanceof Element ? target.closest(".cell") : null;
    if (!group) return;
    this.#moveFocus(Number(group.dataset.cell), false);
    this.#choose(Number(group.dataset.cell));
  }

  #choose(cell) {
    if (this.canPlay && this.open.has(cell)) this.onPlay(cell);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(this.focusCell);
      return;
    }
    const next = neighbour(this.info, this.focusCell, event.key);
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
