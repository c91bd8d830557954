// Looking back over a game: what the choices cost, what the dice gave, and which moves lost most.

import { h } from "../dom.js";
import { signed } from "../board/colour.js";
import { YOU } from "./session.js";
import { listed } from "./words.js";

/** How a choice is marked in the list of moves and on the curve. */
export const GRADES = { blunder: "??", mistake: "?", slip: "?!" };

/** @param {{grade: string | null, regret: number, exact: boolean} | null} judged */
export function gradeOf(judged) {
  if (!judged?.grade) return null;
  return { sign: GRADES[judged.grade], words: `a ${judged.grade}: it lost ${judged.exact ? "" : "about "}${judged.regret.toFixed(2)}`, exact: judged.exact };
}

/** Whose moves are spoken of: a single person's, or everybody's. */
function people(session) {
  const found = ["X", "O"].filter((seat) => session.seats[seat] === YOU);
  return found.length ? found : ["X", "O"];
}

/** The whole lesson of a finished game. @param {import("./session.js").Session} session @param {Answer<"AnalysisAnswer">} analysis @param {(ply: number) => void} onGo */
export function lesson(session, analysis, onGo) {
  return [session.info.risk.is_risky ? luckAndSkill(session, analysis) : null, costliest(session, analysis, onGo)];
}

/** The result, split into what was chosen and what was thrown. */
function luckAndSkill(session, { split, exact }) {
  const mine = people(session);
  const choice = (seat) => (mine.length === 1 && mine[0] === seat ? "your choices" : `${seat}'s choices`);
  const rows = [
    ["the beginning", split.start],
    [choice("X"), -split.cost.X],
    [choice("O"), split.cost.O],
    ["the dice", split.luck],
    Math.abs(split.rest) < 0.005 ? null : ["the search's second thoughts", split.rest],
    ["the result", split.end],
  ].filter(Boolean);
  return h("section", { class: "lesson", id: "luck-and-skill" },
    h("h3", {}, "Luck and skill"),
    h("table", { class: "split" },
      h("tbody", {}, rows.map(([word, value]) => h("tr", {}, h("th", { scope: "row" }, word), h("td", {}, bar(value)), h("td", { class: "number" }, signed(value)))))),
    h("p", { class: "help" }, `${verdict(session, split)} ${exact ? "Exact, for X." : "Estimated, for X."}`));
}

/** A bar from the middle: to the right for X, to the left for O. */
function bar(value) {
  const share = Math.min(1, Math.abs(value) / 2);
  const place = value >= 0 ? { left: "50%" } : { right: "50%" };
  return h("span", { class: "split-bar", "aria-hidden": "true" }, h("span", { class: value >= 0 ? "for-x" : "for-o", style: { width: `${50 * Math.min(1, 2 * share)}%`, ...place } }));
}

/** One sentence: who was helped more, and by what. */
function verdict(session, { cost, luck }) {
  const better = cost.X < cost.O - 0.005 ? "X" : cost.O < cost.X - 0.005 ? "O" : null;
  const lucky = luck > 0.005 ? "X" : luck < -0.005 ? "O" : null;
  const skill = better ? `${better} chose better, by ${Math.abs(cost.X - cost.O).toFixed(2)}` : "Both chose equally well";
  const dice = lucky ? `the dice gave ${lucky} ${Math.abs(luck).toFixed(2)}` : "the dice favoured nobody";
  return `${skill}; ${dice}.`;
}

/** What a choice gave away: a result where nothing is left to chance, else a number. */
function lostWords(move, isRisky) {
  if (isRisky || !move.exact) return `lost ${move.exact ? "" : "about "}${move.regret.toFixed(2)} (${signed(move.value)} instead of ${signed(move.best_value)})`;
  const result = (value) => ["a loss", "a draw", "a win"][Math.round(move.turn === "X" ? value : -value) + 1];
  return `turned ${result(move.best_value)} into ${result(move.value)}`;
}

/** "Your three costliest moves". */
function costliest(session, analysis, onGo) {
  const seats = people(session);
  const isYours = seats.length === 1;
  const plies = seats.flatMap((seat) => analysis.costliest[seat] ?? [])
    .sort((a, b) => analysis.moves[b].regret - analysis.moves[a].regret).slice(0, 3);
  const owner = isYours ? "Your" : "The";
  if (!plies.length) {
    const who = isYours ? "Every move of yours" : "Every move";
    return h("section", { class: "lesson" }, h("h3", {}, `${owner} costliest moves`), h("p", {}, `None. ${who} was a best one${analysis.exact ? "" : ", as far as the search saw"}.`));
  }
  return h("section", { class: "lesson" },
    h("h3", {}, `${owner} ${plies.length === 1 ? "costliest move" : `${["", "", "two", "three"][plies.length]} costliest moves`}`),
    h("ol", {}, plies.map((ply) => {
      const move = analysis.moves[ply];
      const turn = session.turns[ply];
      const better = listed(move.best_names, 3);
      return h("li", {},
        h("button", { type: "button", class: "link", onclick: () => onGo(ply) }, `move ${ply + 1}: ${turn.name}`),
        ` ${lostWords(move, session.info.risk.is_risky)}; better was ${better}.`);
    })),
    h("p", { class: "help" }, analysis.exact ? (session.info.risk.is_risky ? "Exact regret, before the dice." : "Exact regret.") : `Estimated by ${analysis.source}.`));
}
