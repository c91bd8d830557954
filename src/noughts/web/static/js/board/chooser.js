// Several moves of one cell: a slip of paper over the cell, with one of them on each box.

import { s } from "../dom.js";
import { markPaths, Sheet } from "./ink.js";
import { inkOn, signed, valueColour } from "./colour.js";

const MARKS = ["X", "O"]; // that can be drawn; other labels are written

/**
 * @param {Sheet} sheet  the one the cell lies on
 * @param {number} cell
 * @param {{move: number, label: string}[]} choices
 * @param {{bounds: number[], values: Map<number, any>, scale: any, name: string, onPick: (move: number) => void, onLeave: () => void}} options
 *   `bounds`: left, top, width, height of the drawing; `values`: of moves
 */
export function chooser(sheet, cell, choices, { bounds: [left, top, width], values, scale, name, onPick, onLeave }) {
  const size = Math.max(44, Math.min(84, 0.6 * sheet.size));
  const wide = size * choices.length;
  const [x, y] = sheet.centre(cell);
  const at = [Math.max(left + 4, Math.min(left + width - wide - 4, x - wide / 2)), Math.max(top + 4, y - size / 2)];
  const boxes = choices.map((choice, i) => box(choice, [at[0] + i * size, at[1]], size, values.get(choice.move), scale, name, onPick));
  const step = (event) => {
    const move = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") onLeave();
    else if (move) boxes.at((boxes.indexOf(event.target.closest(".choice")) + move) % boxes.length).focus();
    else if (event.key !== "Tab") return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  return s("g", { class: "chooser", role: "group", "aria-label": `Moves at ${name}`, onkeydown: step },
    s("rect", { class: "chooser-paper", x: at[0] - 5, y: at[1] - 5, width: wide + 10, height: size + 10, rx: 8 }), boxes);
}

function box({ move, label }, [x, y], size, value, scale, name, onPick) {
  const pick = (event) => {
    event.stopPropagation();
    event.preventDefault();
    onPick(move);
  };
  const fill = value ? valueColour(value.value, value.exact, scale, value.spread) : null;
  const paper = new Sheet({ cells: [0], rows: 1, columns: 1, origin: [x, y], across: [size, 0], down: [0, size] });
  const middle = value ? 0.4 : 0.5;
  return s("g", {
    class: "choice", role: "button", tabindex: 0, "data-move": move, "aria-label": `${label} at ${name}${value ? `, value ${value.exact ? "" : "about "}${signed(value.value)}` : ""}`,
    onclick: pick, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") pick(event); },
  },
  s("rect", { class: "choice-box", x: x + 2, y: y + 2, width: size - 4, height: size - 4, rx: 5, style: fill ? { fill } : {} }),
  MARKS.includes(label)
    ? s("g", { class: `mark mark-${label.toLowerCase()}`, "stroke-width": Math.max(2.4, 0.07 * size) }, markPaths(paper, label, move, value ? 0.24 : 0.3, 0.5, middle).map((d) => s("path", { d })))
    : s("text", { x: x + size / 2, y: y + size * middle, "text-anchor": "middle", "dominant-baseline": "middle", "font-size": size * 0.24 }, label),
  value ? s("text", { class: value.exact ? "value-text" : "value-text estimate", x: x + size / 2, y: y + size * 0.86, "text-anchor": "middle", "font-size": size * 0.2, fill: inkOn(fill) }, `${value.exact ? "" : "≈"}${signed(value.value)}`) : null);
}
