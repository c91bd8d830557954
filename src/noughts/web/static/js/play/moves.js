// The list of moves, with how each mark landed and against what odds, and which choices lost much.

import { h, put } from "../dom.js";
import { percent } from "../board/odds.js";
import { gradeOf } from "./lesson.js";
import { YOU } from "./session.js";

const KIND_WORDS = { flip: "flipped", fizzle: "fizzled" };

/** "flipped 0.10; 2 faded" or "". */
export function landingWords(turn, info) {
  const parts = [];
  if (turn.kind !== "meant") parts.push(`${KIND_WORDS[turn.kind]} (${percent(turn.chance)})`);
  else if (turn.chance < 1) parts.push(`held (${percent(turn.chance)})`);
  if (turn.faded.length) parts.push(`${turn.faded.map((cell) => info.view.names[cell]).join(", ")} faded`);
  return parts.join("; ");
}

/** The sentence for the live region. */
export function spokenMove(turn, info, position) {
  const landing = { meant: "", flip: `. It flipped: ${turn.landing[0]} lies there now`, fizzle: ". It fizzled: nothing lies there" }[turn.kind];
  const faded = turn.faded.length ? `. Faded: ${turn.faded.map((cell) => info.view.names[cell]).join(", ")}` : "";
  const end = { X: ". X wins.", O: ". O wins.", draw: ". A draw." }[position.result] ?? `. ${position.turn} to move.`;
  return `${turn.turn} plays ${turn.name}${landing}${faded}${end}`;
}

/** @param {import("./session.js").Session} session @param {(ply: number) => any} judged  what is said of a choice */
export function moveList(session, judged) {
  const list = h("ol", { class: "moves", "aria-label": "Moves" });
  let shown = "";
  const show = () => {
    const grades = session.turns.map((_, ply) => gradeOf(judged(ply + 1)));
    const key = `${session.info.spec}|${session.cursor}|${session.turns.map((turn) => `${turn.move}${turn.landing}`)}|${grades.map((grade) => grade?.words)}`;
    if (key === shown) return;
    shown = key;
    put(list, session.turns.map((turn, ply) => h("li", {},
      h("button", { type: "button", class: "move", "aria-current": session.cursor === ply + 1 ? "step" : null, onclick: () => session.goTo(ply + 1) },
        h("span", { class: `seat-letter ${turn.turn.toLowerCase()}` }, turn.turn),
        h("span", { class: "move-name" }, turn.name,
          grades[ply] ? h("span", { class: `grade${grades[ply].exact ? "" : " estimate"}`, title: grades[ply].words }, ` ${grades[ply].sign}`, h("span", { class: "visually-hidden" }, ` ${grades[ply].words}`)) : null),
        h("span", { class: "landing" }, landingWords(turn, session.info))))));
    list.querySelector('[aria-current="step"]')?.scrollIntoView({ block: "nearest" });
    list.hidden = session.turns.length === 0;
  };
  return { element: list, show };
}

/** What stands above the board. */
export function statusWords(session) {
  const { position } = session;
  if (position.result) {
    const names = { X: "X wins", O: "O wins", draw: "A draw" };
    const seat = session.seats[position.result];
    return `${names[position.result]}${seat === YOU && session.seats[position.result === "X" ? "O" : "X"] !== YOU ? ". You win" : ""}.`;
  }
  if (!session.isAtEnd) return `Looking back: move ${session.cursor} of ${session.turns.length}.`;
  if (session.thinking) return `${session.thinking} is thinking: ${session.seats[session.thinking]}.`;
  const who = session.seats[position.turn];
  const where = position.view.owners.length && position.view.forced === null && session.turns.length ? " You may play anywhere." : "";
  if (who === YOU) return `${position.turn} to move: you.${where}`;
  return `${position.turn} to move: ${who}.`;
}
