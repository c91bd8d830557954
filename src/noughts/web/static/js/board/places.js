// Names of cells, and which cell lies next to which when one walks with the arrow keys.

const NINE = ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"];

/**
 * @typedef {{spec: string, kind: "line" | "ultimate", shape: [number, number, number], cells: number,
 *   lines: number[][], risk: import("./odds.js").Risk}} GameInfo
 */

/** Row, column and layer of a cell; in Ultimate of the whole 9×9 drawing. */
export function coordinates(info, cell) {
  if (info.kind === "ultimate") {
    const [mini, inner] = [Math.floor(cell / 9), cell % 9];
    return [Math.floor(mini / 3) * 3 + Math.floor(inner / 3), (mini % 3) * 3 + (inner % 3), 0];
  }
  const [rows, columns] = info.shape;
  const inLayer = cell % (rows * columns);
  return [Math.floor(inLayer / columns), inLayer % columns, Math.floor(cell / (rows * columns))];
}

function cellAt(info, row, column, layer) {
  if (info.kind === "ultimate") {
    return 9 * (Math.floor(row / 3) * 3 + Math.floor(column / 3)) + (row % 3) * 3 + (column % 3);
  }
  const [rows, columns] = info.shape;
  return layer * rows * columns + row * columns + column;
}

/** The cell that a key leads to, or null when the key is not one that walks. */
export function neighbour(info, cell, key) {
  const [rows, columns, layers] = info.kind === "ultimate" ? [9, 9, 1] : info.shape;
  let [row, column, layer] = coordinates(info, cell);
  if (info.kind === "ultimate" && (key === "PageUp" || key === "PageDown")) {
    return (cell + (key === "PageUp" ? 72 : 9)) % 81;
  }
  const steps = {
    ArrowUp: () => { row -= 1; },
    ArrowDown: () => { row += 1; },
    ArrowLeft: () => { column -= 1; },
    ArrowRight: () => { column += 1; },
    PageUp: () => { layer -= 1; },
    PageDown: () => { layer += 1; },
    Home: () => { column = 0; },
    End: () => { column = columns - 1; },
  };
  if (!(key in steps)) return null;
  steps[key]();
  const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));
  return cellAt(info, clamp(row, rows), clamp(column, columns), clamp(layer, layers));
}

/** A short name, as it stands in the list of moves: "centre", "b3", "2·b3". */
export function cellName(info, cell) {
  if (info.kind === "ultimate") return `${NINE[Math.floor(cell / 9)]} › ${NINE[cell % 9]}`;
  const [rows, columns, layers] = info.shape;
  if (layers === 1 && rows === 3 && columns === 3) return NINE[cell];
  const [row, column, layer] = coordinates(info, cell);
  const square = `${columnName(column)}${row + 1}`;
  return layers > 1 ? `${layer + 1}·${square}` : square;
}

/** The name as it is read aloud. */
export function spokenName(info, cell) {
  if (info.kind === "ultimate") return `mini board ${NINE[Math.floor(cell / 9)]}, ${NINE[cell % 9]}`;
  const [, , layers] = info.shape;
  const name = cellName(info, cell);
  return layers > 1 ? `layer ${name.replace("·", ", ")}` : name;
}

export function columnName(column) {
  return String.fromCharCode(97 + column);
}

export const miniName = (mini) => NINE[mini];
