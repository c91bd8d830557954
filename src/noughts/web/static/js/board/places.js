// Where cells lie, as the server's view tells it, and which lies next to which for the arrow keys.

/**
 * @typedef {Answer<"GameView">} View
 */

/** How the sheets lie: one flat, tilted one above another, or side by side. @param {View} view */
export function arrangement(view) {
  if (view.sheets.some((sheet) => sheet.layer > 0)) return "space";
  return view.sheets.length > 1 ? "minis" : "flat";
}

const maps = new WeakMap(); // of views, made once

/** @param {View} view @returns {{of: Map<number, number[]>, at: Map<string, number>}} */
function mapOf(view) {
  if (!maps.has(view)) {
    const of = new Map();
    for (const sheet of view.sheets) {
      sheet.cells.forEach((cell, i) => {
        const [row, column] = [Math.floor(i / sheet.columns), i % sheet.columns];
        of.set(cell, [sheet.row * sheet.rows + row, sheet.column * sheet.columns + column, sheet.layer]);
      });
    }
    maps.set(view, { of, at: new Map([...of].map(([cell, place]) => [place.join(), cell])) });
  }
  return maps.get(view);
}

/** Row, column and layer of a cell in the whole drawing. @param {View} view @param {number} cell */
export const coordinates = (view, cell) => mapOf(view).of.get(cell);

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The cell that a key leads to, or null when the key is not one that walks. @param {View} view @param {number} cell @param {string} key */
export function neighbour(view, cell, key) {
  const { of, at } = mapOf(view);
  const [row, column, layer] = of.get(cell);
  if (key in STEPS) return at.get([row + STEPS[key][0], column + STEPS[key][1], layer].join()) ?? cell;
  if (key === "PageUp" || key === "PageDown") return onOtherSheet(view, cell, key === "PageUp" ? -1 : 1);
  if (key !== "Home" && key !== "End") return null;
  const inRow = [...of].filter(([, [r, , l]]) => r === row && l === layer).sort(([, a], [, b]) => a[1] - b[1]);
  return inRow.at(key === "Home" ? 0 : -1)[0];
}

/** The same place on the sheet before or after; the last is followed by the first. */
function onOtherSheet({ sheets }, cell, step) {
  const here = sheets.findIndex((sheet) => sheet.cells.includes(cell));
  return sheets.at((here + step) % sheets.length).cells[sheets[here].cells.indexOf(cell)];
}

export function columnName(column) {
  return String.fromCharCode(97 + column);
}
