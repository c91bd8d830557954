// Where the sheets lie: flat, tilted one above another, or side by side.

import { Sheet } from "./ink.js";
import { arrangement } from "./places.js";

const ROOM = 480; // px, what a flat board would like to fill
const [SLANT, DEPTH, AIR] = [0.36, 0.56, 0.34]; // in cells: aside and down per row, and between sheets
const [MINI_CELL, MINI_GAP] = [46, 20]; // px

/**
 * The sheets of a view, in its order.
 * @param {import("./places.js").View} view
 * @param {number} depth  how tall a tilted cell is, in cells
 */
export function layOut(view, depth = DEPTH) {
  const make = { space: (sheet) => tilted(sheet, depth), minis: mini, flat }[arrangement(view)];
  return view.sheets.map(make);
}

function flat({ cells, rows, columns }) {
  const size = Math.max(30, Math.min(150, ROOM / Math.max(rows, columns)));
  return new Sheet({ cells, rows, columns, origin: [0, 0], across: [size, 0], down: [0, size] });
}

function mini({ cells, rows, columns, row, column }) {
  const origin = [column * (columns * MINI_CELL + MINI_GAP), row * (rows * MINI_CELL + MINI_GAP)];
  return new Sheet({ cells, rows, columns, origin, across: [MINI_CELL, 0], down: [0, MINI_CELL] });
}

/** Layer 0 on top; the back of a sheet is its first row, and leans to the right. */
function tilted({ cells, rows, columns, layer }, depth) {
  const size = 84;
  const step = (rows * depth + AIR) * size;
  return new Sheet({ cells, rows, columns, origin: [rows * SLANT * size, layer * step], across: [size, 0], down: [-SLANT * size, depth * size] });
}

/** Left, top, width and height of all sheets together, with a margin. */
export function viewBox(sheets, margin = 14) {
  const corners = sheets.flatMap((sheet) =>
    [[0, 0], [sheet.columns, 0], [0, sheet.rows], [sheet.columns, sheet.rows]].map(([u, v]) => sheet.at(u, v)));
  const [across, down] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, top] = [Math.min(...across) - margin, Math.min(...down) - margin];
  return [left, top, Math.max(...across) + margin - left, Math.max(...down) + margin - top];
}

/** Faint uprights that hold a stack of layers together. */
export function posts(sheets) {
  if (sheets.length < 2 || sheets[0].isFlat) return [];
  const [top, bottom] = [sheets[0], sheets[sheets.length - 1]];
  return [[0, 0], [0, top.rows], [top.columns, 0], [top.columns, top.rows]].map(([u, v]) => [top.at(u, v), bottom.at(u, v)]);
}
