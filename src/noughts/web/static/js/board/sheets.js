// Where the sheets lie: flat, tilted one above another, or three by three.

import { Sheet } from "./ink.js";

const ROOM = 480; // px, what a flat board would like to fill
const [SLANT, DEPTH, AIR] = [0.36, 0.56, 0.34]; // in cells: aside and down per row, and between sheets
const [MINI_CELL, MINI_GAP] = [46, 20]; // px

/**
 * The sheets of a board, in the order of their cells.
 * @param {"line" | "ultimate"} kind
 * @param {[number, number, number]} shape  rows, columns, layers
 * @param {number} depth  how tall a tilted cell is, in cells
 */
export function layOut(kind, [rows, columns, layers], depth = DEPTH) {
  if (kind === "ultimate") return nine();
  if (layers > 1) return stack(rows, columns, layers, depth);
  const size = Math.max(30, Math.min(150, ROOM / Math.max(rows, columns)));
  return [new Sheet({ first: 0, rows, columns, origin: [0, 0], across: [size, 0], down: [0, size] })];
}

function nine() {
  const step = 3 * MINI_CELL + MINI_GAP;
  return Array.from({ length: 9 }, (_, mini) => new Sheet({
    first: 9 * mini,
    rows: 3,
    columns: 3,
    origin: [(mini % 3) * step, Math.floor(mini / 3) * step],
    across: [MINI_CELL, 0],
    down: [0, MINI_CELL],
  }));
}

/** Layer 0 on top; the back of a sheet is its first row, and leans to the right. */
function stack(rows, columns, layers, depth) {
  const size = 84;
  const step = (rows * depth + AIR) * size;
  return Array.from({ length: layers }, (_, layer) => new Sheet({
    first: layer * rows * columns,
    rows,
    columns,
    origin: [rows * SLANT * size, layer * step],
    across: [size, 0],
    down: [-SLANT * size, depth * size],
  }));
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
