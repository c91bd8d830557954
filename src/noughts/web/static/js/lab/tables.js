// Tables, facts and sentences of a report.

import { download, h } from "../dom.js";
import { toCsv } from "../charts.js";
import { readable } from "../forms.js";

const MOST_ROWS = 60;

/** A number as short as the eye allows. */
export function showValue(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(5)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(showValue).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** @param {{name: string, columns: string[], rows: any[][]}} table */
export function dataTable({ name, columns, rows }) {
  const isNumber = columns.map((_, i) => rows.length > 0 && rows.every((row) => row[i] === null || typeof row[i] === "number"));
  const shown = rows.slice(0, MOST_ROWS);
  return h("details", { class: "panel table-panel", open: rows.length <= 12 },
    h("summary", {}, readable(name)),
    h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": `Table ${name}` },
      h("table", { class: "data" },
        h("thead", {}, h("tr", {}, columns.map((column, i) => h("th", { scope: "col", class: isNumber[i] ? "number" : null }, readable(column))))),
        h("tbody", {}, shown.map((row) => h("tr", {}, row.map((value, i) => h("td", { class: isNumber[i] ? "number" : null }, showValue(value)))))))),
    h("p", { class: "saves" },
      rows.length > shown.length ? h("span", { class: "help" }, `The first ${shown.length} of ${rows.length} rows. `) : null,
      h("button", { type: "button", class: "link", onclick: () => download(`${name}.csv`, toCsv(columns, rows), "text/csv") }, "csv")));
}

/** Whether something is said in one word or a short list; what is larger stands in the tables. */
const isShort = (value) => (Array.isArray(value) ? value.length > 0 && value.length <= 9 && value.every((one) => typeof one !== "object") : value !== null && typeof value !== "object");

export function factList(facts) {
  const short = Object.entries(facts).filter(([, value]) => isShort(value));
  return h("dl", { class: "facts" }, short.map(([key, value]) => h("div", {}, h("dt", {}, readable(key)), h("dd", {}, showValue(value)))));
}

/** A sentence with **strong** and `code` in it. */
export function answerLine(line) {
  return line.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    return part;
  });
}
