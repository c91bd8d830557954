// What is drawn across cells: the winning stroke, lines through a cell, where a move would send.

import { s } from "../dom.js";
import { markPaths, strokeThrough } from "./ink.js";
import { columnName } from "./places.js";

function sheetOf(sheets, cell) {
  return sheets.find((sheet) => sheet.holds(cell));
}

/** One stroke through what ended the game: cells, or whole sheets. */
export function winStroke(sheets, position) {
  const { winning_cells: cells, winning_sheets: won, owners } = position.view;
  if (!cells.length && !won.length) return [];
  const points = won.length ? won.map((i) => sheets[i].at(sheets[i].columns / 2, sheets[i].rows / 2)) : cells.map((cell) => sheetOf(sheets, cell).centre(cell));
  const mark = won.length ? owners[won[0]] : position.board[cells[0]];
  const size = (won.length ? 2.2 : 1) * sheets[0].size;
  const d = strokeThrough(points, 0.36 * size);
  return [s("g", { class: `win mark-${mark.toLowerCase()}`, "data-line": mark },
    s("path", { d, pathLength: 1, class: "win-wide", "stroke-width": 0.28 * size }),
    s("path", { d, pathLength: 1, class: "win-thin", "stroke-width": Math.max(2.4, 0.055 * size) }))];
}

/** The big translucent mark of a sheet that was won. */
export function bigMark(sheet, mark, index) {
  const reach = 0.373 * Math.min(sheet.rows, sheet.columns);
  return s("g", { class: `big mark-${mark.toLowerCase()}`, "stroke-width": 0.42 * sheet.size, "data-owner": mark },
    markPaths(sheet, mark, index, reach, sheet.columns / 2, sheet.rows / 2).map((d) => s("path", { d })));
}

/** Every line through a cell that somebody can still complete; the more marks, the stronger. */
export function hoverLines(view, sheets, position, cell) {
  return view.lines.filter((line) => line.includes(cell)).map((line) => {
    const marks = line.map((other) => position.board[other]).filter((mark) => mark !== ".");
    if (new Set(marks).size > 1) return null;
    const owner = marks.length ? `mark-${marks[0].toLowerCase()}` : "free";
    const d = strokeThrough(line.map((other) => sheetOf(sheets, other).centre(other)), 10);
    return s("path", { class: `through ${owner}`, d, "stroke-width": 1.6 + 1.8 * marks.length });
  }).filter(Boolean);
}

/** Where a move would send the opponent. @param {{cell: number, targets: number[] | null}} choice */
export function sendPreview(view, sheets, choice) {
  if (!choice.targets?.length) return [];
  const [only, ...more] = choice.targets;
  const here = sheetOf(sheets, choice.cell);
  return [
    ...choice.targets.map((i) => s("path", { class: "send", d: sheets[i].box(-0.13, -0.13, sheets[i].columns + 0.26, sheets[i].rows + 0.26) })),
    s("title", {}, more.length ? "sends anywhere" : `sends to the ${view.sheets[only].name} mini board`),
    more.length ? s("text", { class: "send-word", x: here.at(here.columns / 2, 0)[0], y: here.at(0, 0)[1] - 8 }, "anywhere") : null,
  ].filter(Boolean);
}

/** In the corner that the leaning sheet leaves free. */
function layerName(sheet, name, size) {
  const [x, y] = sheet.at(sheet.columns, sheet.rows);
  return s("text", { class: "layer-name", x: x + 12, y: y - 2, "font-size": size, "text-anchor": "start" }, name);
}

/** Small letters and numbers along the edges, so that "b3" can be found. */
export function edgeLabels(view, sheets) {
  const size = Math.max(9, Math.min(14, sheets[0].size * 0.2));
  return s("g", { class: "edge-labels", "aria-hidden": "true", "font-size": size }, sheets.map((sheet, i) => [
    i === 0 ? Array.from({ length: sheet.columns }, (_, column) => {
      const [x, y] = sheet.at(column + 0.5, 0);
      return s("text", { x, y: y - 10, "text-anchor": "middle" }, columnName(column));
    }) : null,
    Array.from({ length: sheet.rows }, (_, row) => {
      const [x, y] = sheet.at(0, row + 0.5);
      return s("text", { x: x - 11, y: y + size * 0.35, "text-anchor": "end" }, String(row + 1));
    }),
    sheets.length > 1 ? layerName(sheet, view.sheets[i].name, size) : null,
  ]));
}
