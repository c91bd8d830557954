// The cross table as a heat map: the score of the row against the column.

import { s } from "../dom.js";
import { palette, text } from "../charts.js";
import { inkOn, valueColour } from "../board/colour.js";

export function crossTable(pairs) {
  const names = [...new Set(pairs.flatMap((pair) => [pair.first, pair.second]))];
  const scores = new Map();
  for (const pair of pairs) {
    scores.set(`${pair.first}|${pair.second}`, pair.score);
    scores.set(`${pair.second}|${pair.first}`, pair.score === null ? null : 1 - pair.score);
  }
  const colours = palette();
  const longest = Math.max(...names.map((name) => name.length));
  const left = Math.min(220, 20 + longest * 7);
  const side = 64;
  const width = left + names.length * side + 8;
  const short = (name) => (name.length > 28 ? `${name.slice(0, 27)}…` : name);
  return s("svg", { viewBox: `0 0 ${Math.max(width, 360)} ${names.length * 40 + 34}`, role: "img", "aria-label": "Cross table: score of the row against the column" },
    names.map((name, row) => [
      text(short(name), left - 10, 24 + row * 40 + 24, { "text-anchor": "end", fill: colours.ink }),
      text(String(row + 1), left + row * side + side / 2, 16, { "text-anchor": "middle", fill: colours.faint }),
      names.map((other, column) => {
        const x = left + column * side;
        const y = 24 + row * 40;
        const value = scores.get(`${name}|${other}`);
        if (row === column) return text(String(row + 1), x + side / 2, y + 24, { "text-anchor": "middle", fill: colours.faint });
        if (value === undefined || value === null) return s("rect", { x: x + 1, y: y + 1, width: side - 2, height: 38, fill: "none", stroke: colours.rule });
        return [
          s("rect", { x: x + 1, y: y + 1, width: side - 2, height: 38, rx: 3, fill: valueColour(2 * value - 1) }),
          text(value.toFixed(2), x + side / 2, y + 25, { "text-anchor": "middle", fill: inkOn(valueColour(2 * value - 1)), "font-size": 14, "font-weight": 600 }),
        ];
      }),
    ]));
}
