// The evaluation curve under the board: one dot per position, a click goes back to it.

import { put, s, within } from "../dom.js";
import { signed } from "../board/colour.js";

const [HEIGHT, LEFT, RIGHT, PAD] = [110, 34, 12, 12];
const phone = matchMedia("(max-width: 46rem)");

export class Curve {
  /** @param {(ply: number) => void} onPick */
  constructor(onPick) {
    this.onPick = onPick;
    this.element = s("svg", { class: "curve", role: "group", "aria-label": "Evaluation of each position" });
  }

  /**
   * @param {({ply: number, value: number, exact: boolean, grade: any} | null)[]} points
   * @param {number} cursor
   */
  show(points, cursor) {
    const key = JSON.stringify([points, cursor, phone.matches]);
    if (key === this.shown) return;
    this.shown = key;
    const width = phone.matches ? 340 : 640; // so that its words keep their size
    this.element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const count = Math.max(8, points.length - 1);
    const x = (ply) => LEFT + ((width - LEFT - RIGHT) * ply) / count;
    const y = (value) => PAD + ((HEIGHT - 2 * PAD) * (1 - value)) / 2;
    const known = points.filter(Boolean);
    const path = known.map((point, i) => `${i ? "L" : "M"}${x(point.ply).toFixed(1)} ${y(point.value).toFixed(1)}`).join("");
    const area = (mark, edge) => (known.length > 1
      ? s("path", { class: `area mark-${mark}`, d: `${path}L${x(known[known.length - 1].ply).toFixed(1)} ${y(0)}L${x(known[0].ply).toFixed(1)} ${y(0)}Z`, "clip-path": `url(#${edge})` })
      : null);
    put(this.element,
      s("defs", {},
        s("clipPath", { id: "curve-up" }, s("rect", { x: 0, y: 0, width: width, height: HEIGHT / 2 })),
        s("clipPath", { id: "curve-down" }, s("rect", { x: 0, y: HEIGHT / 2, width: width, height: HEIGHT / 2 }))),
      s("g", { "aria-hidden": "true" },
        [["X", 1], ["0", 0], ["O", -1]].map(([word, value]) => [
          s("line", { class: value ? "rule faint" : "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
          s("text", { class: "axis", x: LEFT - 10, y: y(value) + 4, "text-anchor": "end" }, word),
        ]),
        area("x", "curve-up"), area("o", "curve-down"),
        s("line", { class: "now", x1: x(cursor), x2: x(cursor), y1: PAD - 6, y2: HEIGHT - PAD + 6 }),
        s("path", { class: "curve-line", d: path })),
      points.map((point, ply) => this.#dot(point, ply, x, y, cursor)));
  }

  #dot(point, ply, x, y, cursor) {
    const words = ply === 0 ? "the start" : `after move ${ply}`;
    const label = point ? `${words}: ${point.exact ? "" : "about "}${signed(point.value)}${point.grade ? `, ${point.grade.words}` : ""}` : words;
    const pick = () => this.onPick(ply);
    return s("g", {
      class: `dot${ply === cursor ? " current" : ""}${point?.exact === false ? " estimate" : ""}`, role: "button", tabindex: ply === cursor ? 0 : -1, "aria-label": `Go to ${label}`,
      "aria-current": ply === cursor ? "step" : null,
      onclick: pick,
      onkeydown: (event) => {
        const target = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Enter: ply, " ": ply }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        this.onPick(target);
        within(this.element, ".dot.current")?.focus();
      },
    },
    s("title", {}, label),
    s("rect", { class: "dot-hit", x: x(ply) - 12, y: 0, width: 24, height: HEIGHT }),
    s("circle", { cx: x(ply), cy: y(point ? point.value : 0), r: point ? (ply === cursor ? 5.5 : 4) : 2.5, class: point ? "" : "unknown" }),
    point?.grade ? s("text", { class: `grade${point.grade.exact ? "" : " estimate"}`, x: x(ply), y: y(point.value) + (point.value < 0 ? -9 : 18), "text-anchor": "middle" }, point.grade.sign) : null);
  }
}
