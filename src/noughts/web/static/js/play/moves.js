// The list of moves, with how each mark landed and against what odds; and what to learn from it.

import { h, put } from "../dom.js";
import { cellName } from "../board/places.js";
import { percent } from "../board/odds.js";
import { inWords, signed } from "../board/colour.js";
import { YOU } from "./session.js";

const KIND_WORDS = { flip: "flipped", fizzle: "fizzled" };

/** "flipped 0.10; 2 faded" or "". */
export function landingWords(turn, info) {
  const parts = [];
  if (turn.kind !== "meant") parts.push(`${KIND_WORDS[turn.kind]} (${percent(turn.chance)})`);
  else if (turn.chance < 1) parts.push(`held (${percent(turn.chance)})`);
  if (turn.faded.length) parts.push(`${turn.faded.map((cell) => cellName(info, cell)).join(", ")} faded`);
  return parts.join("; ");
}

/** The sentence for the live region. */
export function spokenMove(turn, info, position) {
  const landing = { meant: "", flip: `. It flipped: ${turn.landing[0]} lies there now`, fizzle: ". It fizzled: nothing lies there" }[turn.kind];
  const faded = turn.faded.length ? `. Faded: ${turn.faded.map((cell) => cellName(info, cell)).join(", ")}` : "";
  const end = { X: ". X wins.", O: ". O wins.", draw: ". A draw." }[position.result] ?? `. ${position.turn} to move.`;
  return `${turn.turn} plays ${cellName(info, turn.cell)}${turn.wait ? ` after ${turn.wait} ticks` : ""}${landing}${faded}${end}`;
}

/** @param {import("./session.js").Session} session */
export function moveList(session) {
  const list = h("ol", { class: "moves", "aria-label": "Moves" });
  let shown = "";
  const show = () => {
    const key = `${session.info.spec}|${session.cursor}|${session.turns.map((turn) => `${turn.move}${turn.landing}`)}`;
    if (key === shown) return;
    shown = key;
    put(list, session.turns.map((turn, ply) => h("li", {},
      h("button", { type: "button", class: "move", "aria-current": session.cursor === ply + 1 ? "step" : null, onclick: () => session.goTo(ply + 1) },
        h("span", { class: `seat-letter ${turn.turn.toLowerCase()}` }, turn.turn),
        h("span", { class: "move-name" }, cellName(session.info, turn.cell), turn.wait ? h("span", { class: "wait" }, ` +${turn.wait}`) : null),
        h("span", { class: "landing" }, landingWords(turn, session.info))))));
    list.querySelector('[aria-current="step"]')?.scrollIntoView({ block: "nearest" });
    list.hidden = session.turns.length === 0;
  };
  return { element: list, show };
}

/** "Your three costliest moves", once the game is over. */
export function costliest(session, analysis, onGo) {
  const people = ["X", "O"].filter((seat) => session.seats[seat] === YOU);
  const seats = people.length ? people : ["X", "O"];
  const plies = seats.flatMap((seat) => analysis.costliest[seat] ?? [])
    .sort((a, b) => analysis.moves[b].regret - analysis.moves[a].regret).slice(0, 3);
  const owner = people.length === 1 ? "Your" : "The";
  if (!plies.length) {
    const who = people.length === 1 ? "Every move of yours" : "Every move";
    return h("section", { class: "lesson" }, h("h3", {}, `${owner} costliest moves`), h("p", {}, `None. ${who} was a best one${analysis.exact ? "" : ", as far as the search saw"}.`));
  }
  return h("section", { class: "lesson" },
    h("h3", {}, `${owner} ${plies.length === 1 ? "costliest move" : `${["", "", "two", "three"][plies.length]} costliest moves`}`),
    h("ol", {}, plies.map((ply) => {
      const move = analysis.moves[ply];
      const turn = session.turns[ply];
      const better = move.best.map((best) => cellName(session.info, best % session.info.cells)).slice(0, 3).join(" or ");
      return h("li", {},
        h("button", { type: "button", class: "link", onclick: () => onGo(ply) }, `move ${ply + 1}: ${cellName(session.info, turn.cell)}`),
        ` lost ${move.exact ? "" : "about "}${move.regret.toFixed(2)}; better was ${better} (${signed(move.best_value)} instead of ${signed(move.value)}).`);
    })),
    h("p", { class: "help" }, analysis.exact ? (session.info.risk.is_risky ? "Exact regret, before the dice." : "Exact regret.") : `Estimated by ${analysis.source}.`));
}

/** What stands above the board. */
export function statusWords(session) {
  const { position, info } = session;
  if (position.result) {
    const names = { X: "X wins", O: "O wins", draw: "A draw" };
    const seat = session.seats[position.result];
    return `${names[position.result]}${seat === YOU && session.seats[position.result === "X" ? "O" : "X"] !== YOU ? ". You win" : ""}.`;
  }
  if (!session.isAtEnd) return `Looking back: move ${session.cursor} of ${session.turns.length}.`;
  if (session.thinking) return `${session.thinking} is thinking: ${session.seats[session.thinking]}.`;
  const who = session.seats[position.turn];
  const where = info.kind === "ultimate" && position.forced === null && session.turns.length ? " You may play anywhere." : "";
  if (who === YOU) return `${position.turn} to move: you.${where}`;
  return `${position.turn} to move: ${who}.`;
}

export function valueWords(answer) {
  if (!answer || answer.value === null) return "";
  return `${answer.exact ? "Exact" : "About"}: ${inWords(answer.value)}.`;
}
