// What is drawn across cells: the winning stroke, lines through a cell, where a move would send.

import { s } from "../dom.js";
import { markPaths, strokeThrough } from "./ink.js";
import { columnName, miniName } from "./places.js";

function sheetOf(sheets, cell) {
  return sheets.find((sheet) => sheet.holds(cell));
}

/** One stroke through the line that ended the game; through its mini boards in Ultimate. */
export function winStroke(info, sheets, position) {
  if (!position.winning_line || !position.winning_line.length) return [];
  const isUltimate = info.kind === "ultimate";
  const cells = position.winning_line;
  const points = isUltimate ? cells.map((mini) => sheets[mini].at(1.5, 1.5)) : cells.map((cell) => sheetOf(sheets, cell).centre(cell));
  const mark = isUltimate ? position.owners[cells[0]] : position.board[cells[0]];
  const size = (isUltimate ? 2.2 : 1) * sheets[0].size;
  const d = strokeThrough(points, 0.36 * size);
  return [s("g", { class: `win mark-${mark.toLowerCase()}`, "data-line": mark },
    s("path", { d, pathLength: 1, class: "win-wide", "stroke-width": 0.28 * size }),
    s("path", { d, pathLength: 1, class: "win-thin", "stroke-width": Math.max(2.4, 0.055 * size) }))];
}

/** The big translucent mark of a won mini board. */
export function bigMark(sheet, mark, mini) {
  return s("g", { class: `big mark-${mark.toLowerCase()}`, "stroke-width": 0.42 * sheet.size, "data-owner": mark },
    markPaths(sheet, mark, mini, 1.12, 1.5, 1.5).map((d) => s("path", { d })));
}

/** Every line through a cell that somebody can still complete; the more marks, the stronger. */
export function hoverLines(info, sheets, position, cell) {
  return info.lines.filter((line) => line.includes(cell)).map((line) => {
    const marks = line.map((other) => position.board[other]).filter((mark) => mark !== ".");
    if (new Set(marks).size > 1) return null;
    const owner = marks.length ? `mark-${marks[0].toLowerCase()}` : "free";
    const d = strokeThrough(line.map((other) => sheetOf(sheets, other).centre(other)), 10);
    return s("path", { class: `through ${owner}`, d, "stroke-width": 1.6 + 1.8 * marks.length });
  }).filter(Boolean);
}

/** Where a move in Ultimate would send the opponent. */
export function sendPreview(info, sheets, position, cell) {
  const target = cell % 9;
  const mini = Math.floor(cell / 9);
  const closesItself = target === mini && position.board.slice(9 * mini, 9 * mini + 9).split(".").length - 1 === 1;
  const isFree = hasRoom(info, position, target) && !closesItself;
  const targets = isFree ? [target] : [...Array(9).keys()].filter((other) => hasRoom(info, position, other));
  const sheet = sheets[target];
  return [
    ...targets.map((other) => s("path", { class: "send", d: sheets[other].box(-0.13, -0.13, 3.26, 3.26) })),
    s("title", {}, isFree ? `sends to the ${miniName(target)} mini board` : "sends anywhere"),
    isFree ? null : s("text", { class: "send-word", x: sheet.at(1.5, 0)[0], y: sheet.at(0, 0)[1] - 8 }, "anywhere"),
  ].filter(Boolean);
}

function hasRoom(info, position, mini) {
  const isWon = position.owners[mini] !== "." && !info.spec.includes("won=open");
  return !isWon && position.board.slice(9 * mini, 9 * mini + 9).includes(".");
}

/** In the corner that the leaning sheet leaves free. */
function layerName(sheet, layer, size) {
  const [x, y] = sheet.at(sheet.columns, sheet.rows);
  return s("text", { class: "layer-name", x: x + 12, y: y - 2, "font-size": size, "text-anchor": "start" }, `layer ${layer + 1}`);
}

/** Small letters and numbers along the edges, so that "b3" can be found. */
export function edgeLabels(info, sheets) {
  const size = Math.max(9, Math.min(14, sheets[0].size * 0.2));
  return s("g", { class: "edge-labels", "aria-hidden": "true", "font-size": size }, sheets.map((sheet, layer) => [
    layer === 0 ? Array.from({ length: sheet.columns }, (_, column) => {
      const [x, y] = sheet.at(column + 0.5, 0);
      return s("text", { x, y: y - 10, "text-anchor": "middle" }, columnName(column));
    }) : null,
    Array.from({ length: sheet.rows }, (_, row) => {
      const [x, y] = sheet.at(0, row + 0.5);
      return s("text", { x: x - 11, y: y + size * 0.35, "text-anchor": "end" }, String(row + 1));
    }),
    sheets.length > 1 ? layerName(sheet, layer, size) : null,
  ]));
}
