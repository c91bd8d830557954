// What values mean, in words that fit the game: results where nothing is left to chance, expected
// results where there are dice, and for estimates how far they may be off.

import { FINE, signed } from "../board/colour.js";

const LEVEL = 5e-4;

/** "± 0.02", or nothing where nobody knows it. */
export const spreadWords = (spread) => (spread ? ` ± ${spread < FINE ? spread.toFixed(3) : spread.toFixed(2)}` : "");

/** "wins in 7" with both players' moves counted, or "wins with best play". */
const soon = (plies) => (plies ? `wins in ${plies}` : "wins with best play");

/** What is known of a position without dice. */
function resultWords(value, plies) {
  if (value > 1 - LEVEL) return `X ${soon(plies)}`;
  if (value < -1 + LEVEL) return `O ${soon(plies)}`;
  return "a draw with best play";
}

/** An expected result: "X wins 0.31 more often than O". */
function oftenWords(value) {
  if (Math.abs(value) < LEVEL) return "X and O win equally often";
  if (value > 1 - 1e-9) return "X wins for certain";
  if (value < -1 + 1e-9) return "O wins for certain";
  const [better, worse] = value > 0 ? ["X", "O"] : ["O", "X"];
  return `${better} wins ${Math.abs(value).toFixed(Math.abs(value) < 0.095 ? 3 : 2)} more often than ${worse}`;
}

/** Who seems to stand better, or to win more often, and whether that is more than chance. */
function seemingWords(value, spread, isRisky) {
  const number = `(${signed(value, spread && spread < FINE ? 3 : 2)}${spreadWords(spread)})`;
  const [better, worse] = value > 0 ? ["X", "O"] : ["O", "X"];
  if (Math.abs(value) < (spread ? 2 * spread : 0.02)) return `${isRisky ? "X and O seem to win equally often" : "about level"} ${number}`;
  return `${better} seems to ${isRisky ? `win more often than ${worse}` : "stand better"} ${number}`;
}

/**
 * A value as people say it, without a word on how sure it is.
 * @param {{value: number, exact: boolean, spread?: number | null, plies?: number | null}} told
 * @param {boolean} isRisky
 */
export function worthWords({ value, exact, spread, plies }, isRisky) {
  if (!exact) return seemingWords(value, spread, isRisky);
  return isRisky ? oftenWords(value) : resultWords(value, plies);
}

/** The sentence above the board. */
export function valueWords(answer, isRisky) {
  if (!answer || answer.value === null) return "";
  return `${answer.exact ? "Exact" : "Estimated"}: ${worthWords(answer, isRisky)}.`;
}

/** "X 17 %, draw 69 %, O 14 %", or nothing. */
export function oddsWords(odds) {
  if (!odds) return "";
  return ["X", "draw", "O"].map((word, i) => `${word}\u00a0${percentage(odds[i])}`).join(", ");
}

/** A share without calling a small one none or a great one all. */
function percentage(share) {
  if (share > 0 && share < 0.005) return "<1\u00a0%";
  if (share < 1 && share >= 0.995) return ">99\u00a0%";
  return `${Math.round(100 * share)}\u00a0%`;
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
export const countWord = (count) => NUMBERS[count] ?? String(count);

/** "a1, b2 or c3", and how many more there are. */
export function listed(names, most = 4) {
  if (names.length === 1) return names[0];
  const shown = names.slice(0, most);
  if (names.length > most) return `${shown.join(", ")} or ${countWord(names.length - most)} more`;
  return `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

/**
 * What a hint says: one move, or that several are equal, or that nobody can tell them apart.
 * @param {Answer<"ValuesAnswer">} answer @param {(move: number) => string} nameOf @param {boolean} isRisky
 */
export function hintWords(answer, nameOf, isRisky) {
  const moves = answer.best;
  const names = [...new Set(moves.map(nameOf))];
  const worth = worthWords(answer, isRisky);
  const isEvery = moves.length === answer.values.length && names.length > 1;
  if (answer.exact) {
    if (isEvery) return `All ${countWord(names.length)} moves are equal: ${worth}.`;
    if (names.length > 1) return `Play ${listed(names)}: they are equally good, ${worth}.`;
    return `Play ${names[0]}: ${worth}.`;
  }
  const by = `estimated by ${answer.source}`;
  if (answer.clear) return `Play ${listed(names)}: ${worth}, ${by}.`;
  return `Try ${names[0]}: ${countWord(names.length - 1)} ${names.length === 2 ? "other move is" : "other moves are"} too close to tell from it; ${worth}, ${by}.`;
}
