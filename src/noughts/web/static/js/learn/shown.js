// What the table learned, drawn: little boards with their value before and after, and its strength.

import { h, s } from "../dom.js";
import { gridPath, markPaths } from "../board/ink.js";
import { layOut, viewBox } from "../board/sheets.js";
import { figure, lineChart, toCsv } from "../charts.js";

function littleBoard(info, board) {
  const sheets = layOut(info.view);
  return s("svg", { viewBox: viewBox(sheets, 18).join(" "), class: "little", role: "img", "aria-label": `Board ${board}` },
    sheets.map((sheet) => [
      s("path", { class: "paper", d: sheet.box(0, 0, sheet.columns, sheet.rows) }),
      s("path", { class: "lines", d: gridPath(sheet), "stroke-width": sheet.size / 22 }),
    ]),
    [...board].map((mark, cell) => {
      const sheet = sheets.find((one) => one.holds(cell));
      if (mark === ".") return null;
      const [u, v] = sheet.place(cell);
      return s("g", { class: `mark-${mark.toLowerCase()}`, "stroke-width": sheet.size * 0.12 }, markPaths(sheet, mark, cell, 0.28, u + 0.5, v + 0.5).map((d) => s("path", { d })));
    }));
}

/** A bar from 0 to 1 with an arrow from the old value to the new one. */
function shift(mover, before, after) {
  const x = (value) => 4 + 92 * value;
  return s("svg", { viewBox: "0 0 100 14", class: `shift mark-${mover.toLowerCase()}`, "aria-hidden": "true" },
    s("line", { class: "track", x1: 4, x2: 96, y1: 7, y2: 7 }),
    s("line", { class: "move-bar", x1: x(before), x2: x(after), y1: 7, y2: 7 }),
    s("circle", { class: "old", cx: x(before), cy: 7, r: 3 }),
    s("circle", { class: "new", cx: x(after), cy: 7, r: 4.5 }));
}

/** The values that the last game moved. */
export function changedBoards(info, changes) {
  if (!changes.length) return [h("h3", {}, "What it learned"), h("p", {}, "Nothing moved: it expected this.")];
  return [
    h("h3", {}, `What it learned: ${changes.length} ${changes.length === 1 ? "value" : "values"} moved`),
    h("p", { class: "help" }, "A value is the table's guess, from 0 to 1, that whoever just moved wins from there: before (hollow) and after (filled)."),
    h("ul", { class: "change-list" }, changes.map((change) => {
      return h("li", {},
        littleBoard(info, change.board),
        shift(change.seat, change.before, change.after),
        h("span", { class: "numbers" }, `${change.seat} ${change.before.toFixed(2)} → ${change.after.toFixed(2)}`));
    })),
  ];
}

const share = (p) => (100 * p).toFixed(1);

function strengthTable(table) {
  const rows = [];
  for (const opponent of ["optimal", "random"]) {
    for (const seat of ["X", "O"]) {
      const now = table.strength[seat][opponent];
      const first = table.first[seat][opponent];
      rows.push(h("tr", {}, h("th", { scope: "row" }, `${seat} – ${opponent}`),
        h("td", {}, share(now.win)), h("td", {}, share(now.draw)), h("td", {}, share(now.loss)), h("td", {}, share(first.loss))));
    }
  }
  return h("table", { class: "numbers-table" }, h("caption", {}, "Exact odds of its best play, in per cent"),
    h("thead", {}, h("tr", {}, ["seat", "win", "draw", "loss", "at first"].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", {}, rows));
}

const score = (odds) => odds.win + odds.draw / 2;

/** How strong the table is now, and since its first game. */
export function strengthPanel(table) {
  const charts = ["optimal", "random"].map((opponent) => {
    const series = ["X", "O"].map((seat) => ({ name: `as ${seat}`, points: table.curve.map((point) => [point.games, score(point.strength[seat][opponent])]) }));
    const title = `Score against the ${opponent} player`;
    return figure(title, lineChart({ series, low: 0, high: 1, title }),
      () => toCsv(["games", "as_X", "as_O"], table.curve.map((point) => [point.games, score(point.strength.X[opponent]), score(point.strength.O[opponent])])));
  });
  return [h("h2", {}, "Strength"), strengthTable(table), charts,
    h("p", { class: "help" }, "Nothing here is sampled: every game against that player is counted with its probability.")];
}
