// The games as cards with little drawings, as the server lists them, and the form for any board.

import { h, s, within } from "../dom.js";
import { gridPath, hatchPath, markPaths } from "../board/ink.js";
import { layOut, viewBox } from "../board/sheets.js";
import { bigMark } from "../board/overlay.js";

/**
 * @typedef {Answer<"Card">} Card
 */

const CARD_DEPTH = 0.42; // how tall a tilted cell is, in cells

/** The little drawing of a card: sheets, risks, marks. @param {Card} card */
function cardArt({ view, board, owners, risk, struck }) {
  const sheets = layOut(view, CARD_DEPTH);
  const box = viewBox(sheets, 8);
  const [left, top, width, height] = box;
  const parts = sheets.map((sheet, i) => [
    s("path", { class: "paper", d: sheet.box(0, 0, sheet.columns, sheet.rows) }),
    s("path", { class: "lines", d: gridPath(sheet), "stroke-width": 1.1 }),
    sheet.cells.map((cell) => [
      risk[cell] > 0 ? s("path", { class: "hatch", d: hatchPath(sheet, ...sheet.place(cell), risk[cell]) }) : null,
      board[cell] === "." ? null : cardMark(sheet, board[cell], cell),
    ]),
    (owners[i] ?? ".") === "." ? null : bigMark(sheet, owners[i], i),
  ]);
  const strike = struck ? s("path", { class: "strike", d: `M${left + 0.85 * width} ${top + 0.15 * height}L${left + 0.15 * width} ${top + 0.85 * height}` }) : null;
  return s("svg", { viewBox: box.join(" "), class: "card-art", "aria-hidden": "true" }, parts, strike);
}

function cardMark(sheet, mark, cell) {
  const [u, v] = sheet.place(cell);
  return s("g", { class: `mark-${mark.toLowerCase()}`, "stroke-width": sheet.size * (sheet.isFlat ? 0.11 : 0.19) },
    markPaths(sheet, mark, cell, 0.3, u + 0.5, v + 0.5).map((d) => s("path", { d })));
}

/**
 * The chooser. `onPick` gets a card; `mark(spec)` shows which one is being played.
 * @param {Card[]} cards
 * @param {(card: {spec: string, values?: boolean, opponent?: string | null}) => void} onPick
 */
export function gameCards(cards, onPick) {
  const buttons = cards.map((card) => h("button", { type: "button", class: "card", "data-spec": card.spec, title: card.summary, onclick: () => onPick(card) },
    cardArt(card), h("span", { class: "card-name" }, card.name), h("span", { class: "card-sub" }, card.summary)));
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
    const read = (id) => within(form, `#${id}`).value;
    const typed = spec.value.trim();
    const misere = within(form, "#custom-misere").checked ? ",misere" : "";
    onPick({ spec: typed || `${read("custom-rows")}x${read("custom-columns")}:k=${read("custom-k")}${misere}` });
  } },
  h("div", { class: "row" },
    number("custom-rows", "rows", 6, 1, 20), number("custom-columns", "columns", 5, 1, 20), number("custom-k", "in a row", 4, 1, 20)),
  h("div", { class: "field flag" }, h("input", { id: "custom-misere", type: "checkbox" }), h("label", { for: "custom-misere" }, "misère: a line loses")),
  h("div", { class: "field" }, h("label", { for: "custom-spec" }, "or type a game"), spec),
  h("button", { type: "submit", class: "button" }, "Play this board"));
  return h("details", { class: "panel", id: "custom-panel" }, h("summary", {}, "Custom m×n:k"), form);
}
