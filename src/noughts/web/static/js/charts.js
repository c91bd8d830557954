// Figures drawn with plain attributes, so that a saved svg stands alone.

import { download, h, s } from "./dom.js";

const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 2", "10 4"];

/** The colours of the theme on show. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    ink: read("--ink"), faint: read("--soft"), rule: read("--edge"), sheet: read("--sheet"), x: read("--x"), o: read("--o"),
    lines: [read("--x"), read("--o"), read("--series-3"), read("--series-4"), read("--series-5"), read("--soft")],
  };
}

const FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', sans-serif";

export function text(content, x, y, attributes = {}) {
  return s("text", { x, y, "font-size": 12, "font-family": FONT, ...attributes }, content);
}

/** A handful of round numbers between two ends. */
function ticksBetween(low, high, most, least = 0) {
  const raw = Math.max(least, (high - low) / most) || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  const found = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-6; value += step) found.push(Number(value.toPrecision(10)));
  return found;
}

const compact = (value) => (Math.abs(value) >= 10_000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(4))));

/**
 * Lines over a shared axis.
 * @param {{series: {name: string, points: [number, number][]}[], low?: number, high?: number, xLabel?: string, title: string}} options
 */
export function lineChart({ series, low, high, xLabel = "games", title }) {
  const colours = palette();
  const [width, height, left, right, top, bottom] = [440, 230, 46, 14, 12, 64];
  const all = series.flatMap((line) => line.points);
  if (!all.length) return s("svg", { viewBox: "0 0 440 40", role: "img", "aria-label": `${title}: nothing yet` }, text("nothing yet", 20, 24, { fill: colours.faint }));
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y).filter((y) => y !== null);
  const [xLow, xHigh] = [Math.min(...xs), Math.max(Math.min(...xs) + 1, ...xs)];
  const yLow = low ?? Math.min(...ys);
  const yHigh = high ?? (Math.max(...ys) > yLow ? Math.max(...ys) : yLow + 1);
  const x = (value) => left + ((width - left - right) * (value - xLow)) / (xHigh - xLow);
  const y = (value) => top + ((height - top - bottom) * (yHigh - value)) / (yHigh - yLow);
  const path = (points) => points.filter(([, value]) => value !== null).map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  return s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${series.map((line) => `${line.name} ${compact(line.points.at(-1)?.[1] ?? 0)}`).join(", ")}` },
    ticksBetween(yLow, yHigh, 4).map((value) => [
      s("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: colours.rule, "stroke-width": 1 }),
      text(compact(value), left - 8, y(value) + 4, { "text-anchor": "end", fill: colours.faint }),
    ]),
    ticksBetween(xLow, xHigh, 5, 1).map((value) => text(compact(value), x(value), height - bottom + 18, { "text-anchor": "middle", fill: colours.faint })),
    text(xLabel, width - right, height - bottom + 34, { "text-anchor": "end", fill: colours.faint }),
    series.map((line, i) => [
      s("path", { d: path(line.points), fill: "none", stroke: colours.lines[i % 6], "stroke-width": 2.2, "stroke-dasharray": DASHES[i % 6], "stroke-linejoin": "round" }),
      line.points.length === 1 ? s("circle", { cx: x(line.points[0][0]), cy: y(line.points[0][1]), r: 4, fill: colours.lines[i % 6] }) : null,
      s("line", { x1: left + i * 130, x2: left + i * 130 + 26, y1: height - 12, y2: height - 12, stroke: colours.lines[i % 6], "stroke-width": 2.4, "stroke-dasharray": DASHES[i % 6] }),
      text(line.name, left + i * 130 + 32, height - 8, { fill: colours.ink }),
    ]));
}

/** One bar per pairing: wins, draws, losses of the first, and the interval of its score. */
export function pairBars(pairs) {
  const colours = palette();
  const [width, row, left, right] = [640, 46, 8, 8];
  const wide = width - left - right;
  return s("svg", { viewBox: `0 0 ${width} ${row * pairs.length + 26}`, role: "img", "aria-label": "Results of each pairing" },
    pairs.map((pair, i) => {
      const top = i * row;
      const total = Math.max(1, pair.wins + pair.draws + pair.losses);
      const parts = [[pair.wins, colours.x], [pair.draws, colours.rule], [pair.losses, colours.o]];
      let at = left;
      return [
        text(`${pair.first} – ${pair.second}`, left, top + 14, { fill: colours.ink, "font-weight": 600 }),
        text(`${pair.wins} won · ${pair.draws} drawn · ${pair.losses} lost · score ${(pair.score ?? 0).toFixed(3)}`, width - right, top + 14, { "text-anchor": "end", fill: colours.faint }),
        parts.map(([count, colour]) => {
          const bar = s("rect", { x: at, y: top + 20, width: Math.max(0, (wide * count) / total - 1), height: 14, rx: 2, fill: colour });
          at += (wide * count) / total;
          return bar;
        }),
        pair.low === undefined || pair.low === null ? null : [
          s("line", { x1: left + wide * pair.low, x2: left + wide * pair.high, y1: top + 38, y2: top + 38, stroke: colours.ink, "stroke-width": 2 }),
          s("circle", { cx: left + wide * pair.score, cy: top + 38, r: 3.4, fill: colours.ink }),
        ],
      ];
    }),
    text("0", left, row * pairs.length + 18, { fill: colours.faint }),
    text("score of the first, with its interval", width / 2, row * pairs.length + 18, { fill: colours.faint, "text-anchor": "middle" }),
    text("1", width - right, row * pairs.length + 18, { fill: colours.faint, "text-anchor": "end" }));
}

/** A figure with its title and buttons that save it. `csv` is its data. */
export function figure(title, svg, csv) {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const button = (word, save) => h("button", { type: "button", class: "link", onclick: save }, word);
  return h("figure", { class: "chart" }, h("figcaption", {}, title), h("div", { class: "chart-body" }, svg),
    h("p", { class: "saves" },
      button("svg", () => download(`${name}.svg`, standAlone(svg), "image/svg+xml")),
      button("png", () => savePng(svg, `${name}.png`)),
      csv ? button("csv", () => download(`${name}.csv`, csv(), "text/csv")) : null));
}

function standAlone(svg) {
  const copy = svg.cloneNode(true);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.prepend(s("rect", { width, height, fill: palette().sheet }));
  return new XMLSerializer().serializeToString(copy);
}

async function savePng(svg, name) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standAlone(svg))}`;
  await image.decode();
  const canvas = h("canvas", { width: width * 2, height: height * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, width * 2, height * 2);
  canvas.toBlob((blob) => download(name, blob));
}

/** Rows as csv, quoted where needed. */
export function toCsv(columns, rows) {
  const cell = (value) => {
    const word = value === null || value === undefined ? "" : String(value);
    return /[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
