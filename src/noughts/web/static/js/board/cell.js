// What one cell shows: risk as a hatch, the last move, the mark, a value, a hint.

import { s } from "../dom.js";
import { hatchPath, markPaths } from "./ink.js";
import { inkOn, signed, valueColour } from "./colour.js";
import { landingOdds, cellRisk, percent, riskWords } from "./odds.js";
import { spokenName } from "./places.js";

const REACH = 0.3; // half the size of a mark, in cells

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
 * @param {{info: any, position: any, sheet: import("./ink.js").Sheet, cell: number, value: any,
 *   isHint: boolean, isWinning: boolean, event: any, isOpen: boolean, tick: number}} scene
 */
export function cellContents(scene) {
  const { info, position, sheet, cell, value, isHint, isWinning, event } = scene;
  const [u, v] = sheet.place(cell);
  const mark = position.board[cell];
  const parts = [];
  if (value && mark === ".") {
    parts.push(s("path", { class: value.exact ? "value exact" : "value estimate", d: sheet.box(u, v, 1, 1, 0.045), fill: valueColour(value.value, value.exact) }));
  }
  parts.push(...riskHatch(scene, u, v, mark));
  if (isWinning && !sheet.isFlat) parts.push(s("path", { class: `winning-cell mark-${mark.toLowerCase()}`, d: sheet.box(u, v) }));
  if (position.last === cell) parts.push(s("path", { class: "last", d: sheet.box(u, v, 1, 1, 0.06) }));
  if (mark !== ".") parts.push(markStrokes(sheet, mark, cell));
  if (event && event.cell === cell && event.mark !== event.mover) parts.push(landingCaption(sheet, u, v, event));
  if (value && mark === ".") parts.push(...valueText(sheet, u, v, value));
  if (isHint) parts.push(s("path", { class: "hint", d: sheet.box(u, v, 1, 1, 0.1) }));
  if (mark === "." && !value) parts.push(...riskNumber(scene, u, v));
  return parts;
}

function riskHatch({ info, sheet, cell, tick }, u, v, mark) {
  const risk = cellRisk(info.risk, cell, tick);
  if (risk <= 0) return [];
  return [
    s("path", { class: "tint", d: sheet.box(u, v), "fill-opacity": 0.16 * risk }),
    s("path", { class: mark === "." ? "hatch" : "hatch under", d: hatchPath(sheet, u, v, risk), "data-risk": risk.toFixed(4) }),
  ];
}

/** The number that appears on hover or focus. */
function riskNumber({ info, sheet, cell, tick }, u, v) {
  const { flip, fizzle } = landingOdds(info.risk, cell, tick);
  const fade = info.risk.fade[cell];
  const rows = [["flip", flip], ["fizzle", fizzle], ["fade", fade]].filter(([, p]) => p > 0);
  if (!rows.length) return [];
  const size = Math.max(9, Math.min(15, sheet.size * (rows.length > 1 ? 0.17 : 0.2)));
  const lines = sheet.size >= 60 && (sheet.isFlat || rows.length === 1) ? rows.map(([word, p]) => `${word} ${percent(p)}`) : [percent(cellRisk(info.risk, cell, tick))];
  return [s("g", { class: "risk-number", transform: sheet.upright(u + 0.5, v + 0.5), "font-size": size },
    lines.map((line, i) => s("text", { y: (i - (lines.length - 1) / 2) * size * 1.25 + size * 0.35 }, line)))];
}

function landingCaption(sheet, u, v, event) {
  const word = event.mark === null ? "fizzled" : "flipped";
  const size = Math.max(8.5, Math.min(14, sheet.size * 0.16));
  return s("text", { class: "caption", transform: sheet.upright(u + 0.5, v + 0.93), "font-size": size }, word);
}

/** In small cells the leading zero makes room for larger figures. */
function valueWord(sheet, { value, exact, digits = 2 }) {
  const isSmall = sheet.size < 60 || !sheet.isFlat;
  const word = signed(value, isSmall ? 2 : digits);
  return `${exact ? "" : "≈"}${isSmall ? word.replace("0.", ".") : word}`;
}

function valueText(sheet, u, v, entry) {
  const { value, exact, best } = entry;
  const size = Math.max(9.5, Math.min(20, sheet.size * (sheet.size < 60 ? 0.27 : sheet.isFlat ? 0.22 : 0.21)));
  const ink = inkOn(value, exact);
  const text = s("text", { class: exact ? "value-text" : "value-text estimate", transform: sheet.upright(u + 0.5, v + 0.5), y: size * 0.35, "font-size": size, fill: ink },
    valueWord(sheet, entry));
  if (!best) return [text];
  const ring = s("path", { class: "best", d: sheet.box(u, v, 1, 1, 0.1), stroke: ink });
  const word = sheet.size >= 60 && sheet.isFlat ? s("text", { class: "best-word", transform: sheet.upright(u + 0.5, v + 0.8), "font-size": size * 0.62, fill: ink }, "best") : null;
  return [ring, text, word].filter(Boolean);
}

/** What a screen reader says about a cell. */
export function cellLabel({ info, position, cell, value, isHint, isOpen, tick }) {
  const mark = position.board[cell];
  const parts = [spokenName(info, cell), mark === "." ? (isOpen ? "empty" : "empty, closed now") : mark];
  const risk = mark === "." ? riskWords(info.risk, cell, tick) : "";
  if (risk) parts.push(risk);
  if (value && mark === ".") parts.push(`value ${value.exact ? "" : "about "}${signed(value.value)}${value.best ? ", best" : ""}`);
  if (isHint) parts.push("suggested");
  if (position.last === cell) parts.push("last move");
  return parts.join(", ");
}
