// The games as cards with little drawings, and the form for any m×n board.

import { h, s } from "../dom.js";
import { Sheet, gridPath, hatchPath, markPaths } from "../board/ink.js";
import { layOut, viewBox } from "../board/sheets.js";

/** @typedef {{name: string, spec: string, sub: string, art: string, values?: boolean, opponent?: string}} Card */

/** @type {Card[]} */
export const CARDS = [
  { name: "3×3", spec: "3x3", sub: "tic-tac-toe", art: "X...O..X." },
  { name: "Risky 4×4", spec: "4x4:flip=0.1", sub: "exact values", art: "risk", values: true, opponent: "optimal" },
  { name: "4×4", spec: "4x4", sub: "four in a row", art: "X....O.....X..O." },
  { name: "3×3×3", spec: "3x3x3", sub: "the cube", art: "cube3" },
  { name: "Qubic", spec: "qubic", sub: "4×4×4", art: "cube4" },
  { name: "Ultimate", spec: "ultimate", sub: "nine boards", art: "ultimate" },
  { name: "Misère", spec: "3x3:misere", sub: "a line loses", art: "misere" },
];

function flatSheet(side, size = 60) {
  return new Sheet({ first: 0, rows: side, columns: side, origin: [0, 0], across: [size / side, 0], down: [0, size / side] });
}

function drawSheet(sheet) {
  return [
    s("path", { class: "paper", d: sheet.box(0, 0, sheet.columns, sheet.rows) }),
    s("path", { class: "lines", d: gridPath(sheet), "stroke-width": 1.1 }),
  ];
}

function marksOf(sheet, board) {
  return [...board].map((mark, cell) => {
    if (mark === ".") return null;
    const [u, v] = sheet.place(cell + sheet.first);
    return s("g", { class: `mark-${mark.toLowerCase()}`, "stroke-width": Math.max(1.6, sheet.size * 0.11) },
      markPaths(sheet, mark, cell, 0.28, u + 0.5, v + 0.5).map((d) => s("path", { d })));
  });
}

function cubeArt(side) {
  const sheets = layOut("line", [side, side, side], side === 4 ? 0.36 : 0.5);
  const picks = [[0, 0, "X"], [1, Math.floor((side * side) / 2), "O"], [side - 1, side * side - 1, "X"]];
  return {
    box: viewBox(sheets, 8),
    parts: sheets.flatMap((sheet, layer) => [...drawSheet(sheet), ...picks.filter(([on]) => on === layer).map(([, cell, mark]) => {
      const [u, v] = sheet.place(sheet.first + cell);
      return s("g", { class: `mark-${mark.toLowerCase()}`, "stroke-width": 16 }, markPaths(sheet, mark, cell, 0.3, u + 0.5, v + 0.5).map((d) => s("path", { d })));
    })]),
  };
}

function ultimateArt() {
  const sheets = layOut("ultimate", [9, 9, 1]);
  const big = [[0, "X"], [4, "O"], [8, "X"]];
  return {
    box: viewBox(sheets, 8),
    parts: [
      ...sheets.flatMap(drawSheet),
      ...big.map(([mini, mark]) => s("g", { class: `mark-${mark.toLowerCase()}`, "stroke-width": 22 }, markPaths(sheets[mini], mark, mini, 1, 1.5, 1.5).map((d) => s("path", { d })))),
    ],
  };
}

/** The little drawing of a card. */
export function cardArt(art) {
  let drawn;
  if (art === "cube3" || art === "cube4") drawn = cubeArt(Number(art.slice(4)));
  else if (art === "ultimate") drawn = ultimateArt();
  else {
    const isRisk = art === "risk";
    const board = isRisk ? "X....O.........." : art === "misere" ? "O.X.X.O.." : art;
    const sheet = flatSheet(Math.sqrt(board.length));
    const risks = [0.2, 0.5, 0.3, 0.9, 0.7, 0.2, 0.6, 0.3, 0.4, 0.8, 0.2, 0.5, 0.9, 0.3, 0.6, 0.2];
    const hatches = isRisk ? risks.map((risk, cell) => s("path", { class: "hatch", d: hatchPath(sheet, ...sheet.place(cell), risk) })) : [];
    const strike = art === "misere" ? [s("path", { class: "strike", d: "M52 8L8 52" })] : [];
    drawn = { box: [-3, -3, 66, 66], parts: [...drawSheet(sheet), ...hatches, ...marksOf(sheet, board), ...strike] };
  }
  return s("svg", { viewBox: drawn.box.join(" "), class: "card-art", "aria-hidden": "true" }, drawn.parts);
}

/**
 * The chooser. `onPick` gets a card; `mark(spec)` shows which one is being played.
 * @param {(card: {spec: string, values?: boolean, opponent?: string}) => void} onPick
 */
export function gameCards(onPick) {
  const buttons = CARDS.map((card) => h("button", { type: "button", class: "card", "data-spec": card.spec, onclick: () => onPick(card) },
    cardArt(card.art), h("span", { class: "card-name" }, card.name), h("span", { class: "card-sub" }, card.sub)));
  const element = h("div", { class: "cards", role: "group", "aria-label": "Games" }, buttons);
  const mark = (spec) => buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.spec === spec)));
  return { element, mark };
}

/** Any board: rows, columns, how many in a row, misère; or a spec typed in full. */
export function customForm(onPick) {
  const number = (id, label, value, least, most) => h("div", { class: "field small" }, h("label", { for: id }, label),
    h("input", { id, type: "number", min: least, max: most, value, required: true }));
  const spec = h("input", { id: "custom-spec", type: "text", placeholder: "6x5:k=4,flip=0.1", autocomplete: "off", spellcheck: "false" });
  const form = h("form", { class: "custom", onsubmit: (event) => {
    event.preventDefault();
    const read = (id) => form.querySelector(`#${id}`).value;
    const typed = spec.value.trim();
    const misere = form.querySelector("#custom-misere").checked ? ",misere" : "";
    onPick({ spec: typed || `${read("custom-rows")}x${read("custom-columns")}:k=${read("custom-k")}${misere}` });
  } },
  h("div", { class: "row" },
    number("custom-rows", "rows", 6, 1, 20), number("custom-columns", "columns", 5, 1, 20), number("custom-k", "in a row", 4, 1, 20)),
  h("div", { class: "field flag" }, h("input", { id: "custom-misere", type: "checkbox" }), h("label", { for: "custom-misere" }, "misère: a line loses")),
  h("div", { class: "field" }, h("label", { for: "custom-spec" }, "or type a game"), spec),
  h("button", { type: "submit", class: "button" }, "Play this board"));
  return h("details", { class: "panel", id: "custom-panel" }, h("summary", {}, "Custom m×n:k"), form);
}
