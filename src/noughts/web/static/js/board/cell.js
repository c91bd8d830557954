// What one cell shows: risk as a hatch, the last move, the mark, a value, a hint.

import { s } from "../dom.js";
import { hatchPath, markPaths } from "./ink.js";
import { FINE, inkOn, signed, valueColour } from "./colour.js";
import { cellRisk, dangers, percent, riskWords } from "./odds.js";

const REACH = 0.3; // half the size of a mark, in cells
const ROOMY = 60; // px, from which a cell has room for a second line
const FIGURES = 1.5; // letters of a cell's height that have room in it, side by side
const BAR = { left: 0.16, top: 0.79, width: 0.68, height: 0.06 }; // of a cell

/**
 * The strokes of a mark in a cell.
 * @param {string} extra  further classes, such as the animation that draws it
 */
export function markStrokes(sheet, mark, cell, extra = "") {
  const [u, v] = sheet.place(cell);
  return s("g", { class: `mark mark-${mark.toLowerCase()} ${extra}`, "data-mark": mark, "stroke-width": Math.max(2.4, 1.2 + 0.055 * sheet.size) },
    markPaths(sheet, mark, cell, REACH, u + 0.5, v + 0.5).map((d, i) => s("path", { d, pathLength: 1, class: `stroke-${i}` })));
}

/**
 * @param {{view: import("./places.js").View, position: any, sheet: import("./ink.js").Sheet, cell: number, value: any,
 *   isHint: boolean, isWinning: boolean, event: any, isOpen: boolean, landing: import("./odds.js").Landing, scale: any}} scene
 */
export function cellContents(scene) {
  const { position, sheet, cell, isHint, isWinning, event } = scene;
  const [u, v] = sheet.place(cell);
  const mark = position.board[cell];
  const value = mark === "." ? scene.value : null;
  const fill = value ? valueColour(value.value, value.exact, scene.scale, value.spread) : null;
  const parts = [];
  if (value) parts.push(s("path", { class: value.exact ? "value exact" : "value estimate", d: sheet.box(u, v, 1, 1, 0.045), fill }));
  parts.push(...riskHatch(scene, u, v, mark));
  if (isWinning && !sheet.isFlat) parts.push(s("path", { class: `winning-cell mark-${mark.toLowerCase()}`, d: sheet.box(u, v) }));
  if (position.last === cell) parts.push(s("path", { class: "last", d: sheet.box(u, v, 1, 1, 0.06) }));
  if (mark !== ".") parts.push(markStrokes(sheet, mark, cell));
  if (event && event.cell === cell && event.mark !== event.mover) parts.push(landingCaption(sheet, u, v, event));
  if (value) parts.push(...valueText(sheet, u, v, value, inkOn(fill)), oddsBar(sheet, u, v, value.odds));
  if (isHint) parts.push(s("path", { class: "hint", d: sheet.box(u, v, 1, 1, 0.1) }));
  if (mark === ".") parts.push(...riskNumber(scene, u, v, Boolean(value)));
  return parts.filter(Boolean);
}

function riskHatch({ landing, sheet, cell }, u, v, mark) {
  const risk = cellRisk(landing, cell);
  if (risk <= 0) return [];
  return [
    s("path", { class: "tint", d: sheet.box(u, v), "fill-opacity": 0.16 * risk }),
    s("path", { class: mark === "." ? "hatch" : "hatch under", d: hatchPath(sheet, u, v, risk), "data-risk": risk.toFixed(4) }),
  ];
}

/** The number that appears on hover or focus; above the value where there is one. */
function riskNumber({ landing, sheet, cell }, u, v, isValued) {
  const rows = dangers(landing, cell);
  if (!rows.length) return [];
  const isWide = sheet.size >= ROOMY && (sheet.isFlat || rows.length === 1) && !(isValued && rows.length > 1);
  const size = Math.max(9, Math.min(15, sheet.size * (rows.length > 1 || isValued ? 0.15 : 0.2)));
  const lines = isWide ? rows.map(([word, p]) => `${word} ${percent(p)}`) : [percent(cellRisk(landing, cell))];
  return [s("g", { class: "risk-number", transform: sheet.upright(u + 0.5, v + (isValued ? 0.21 : 0.5)), "font-size": size },
    lines.map((line, i) => s("text", { y: (i - (lines.length - 1) / 2) * size * 1.25 + size * 0.35 }, line)))];
}

function landingCaption(sheet, u, v, event) {
  const word = event.mark === null ? "fizzled" : "flipped";
  const size = Math.max(8.5, Math.min(14, sheet.size * 0.16));
  return s("text", { class: "caption", transform: sheet.upright(u + 0.5, v + 0.93), "font-size": size }, word);
}

/** In small cells the leading zero makes room for larger figures. */
function valueWord(sheet, { value, exact, digits = 2 }) {
  const isSmall = sheet.size < ROOMY || !sheet.isFlat;
  const word = signed(value, isSmall ? 2 : digits);
  return `${exact ? "" : "≈"}${isSmall ? word.replace("0.", ".") : word}`;
}

/** The second line of a roomy cell: how soon it is decided, or how far an estimate may be off. */
function detailWord({ value, exact, plies, spread }) {
  if (exact && plies && Math.abs(value) === 1) return `${value > 0 ? "X" : "O"} wins in ${plies}`;
  if (!exact && spread) return `± ${spread < FINE ? spread.toFixed(3) : spread.toFixed(2)}`;
  return "";
}

function valueText(sheet, u, v, entry, ink) {
  const isRoomy = sheet.size >= ROOMY && sheet.isFlat;
  const word = valueWord(sheet, entry);
  const usual = Math.max(9.5, Math.min(20, sheet.size * (sheet.size < ROOMY ? 0.27 : sheet.isFlat ? 0.22 : 0.21)));
  const size = Math.min(usual, (FIGURES * sheet.size) / word.length);
  const line = (kind, text, at, scale) => (text
    ? s("text", { class: kind, transform: sheet.upright(u + 0.5, v + at), y: size * scale * 0.35, "font-size": size * scale, fill: ink }, text) : null);
  return [
    entry.best ? s("path", { class: "best", d: sheet.box(u, v, 1, 1, 0.1), stroke: ink }) : null,
    line(entry.exact ? "value-text" : "value-text estimate", word, isRoomy ? 0.42 : 0.47, 1),
    isRoomy ? line("detail", detailWord(entry), 0.63, 0.6) : null,
    isRoomy && entry.best ? line("best-word", "best", 0.21, 0.6) : null,
  ];
}

/** How often X wins, it is drawn, and O wins: a small bar along the foot of the cell. */
function oddsBar(sheet, u, v, odds) {
  if (!odds) return null;
  const { left, top, width, height } = BAR;
  let at = left;
  return s("g", { class: "odds", "data-odds": odds.map((share) => share.toFixed(4)).join(" ") },
    s("path", { class: "odds-edge", d: sheet.box(u + left, v + top, width, height) }),
    ["x", "draw", "o"].map((kind, i) => {
      const part = odds[i] > 0 ? s("path", { class: `odds-${kind}`, d: sheet.box(u + at, v + top, width * odds[i], height) }) : null;
      at += width * odds[i];
      return part;
    }));
}

/** What a screen reader says about a cell. */
export function cellLabel({ view, landing, position, cell, value, isHint, isOpen }) {
  const mark = position.board[cell];
  const parts = [view.spoken[cell], mark === "." ? (isOpen ? "empty" : "empty, closed now") : mark];
  const risk = mark === "." ? riskWords(landing, cell) : "";
  if (risk) parts.push(risk);
  if (value && mark === ".") {
    const detail = detailWord(value);
    parts.push(`value ${value.exact ? "" : "about "}${signed(value.value)}${detail ? `, ${detail}` : ""}${value.best ? ", best" : ""}`);
  }
  if (isHint) parts.push("suggested");
  if (position.last === cell) parts.push("last move");
  return parts.join(", ");
}
