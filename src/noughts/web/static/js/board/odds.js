// How a mark lands, as the server tells it for a time of the clock, in words.

/** @typedef {Answer<"LandingView"> | null} Landing  null: nothing is risky */

/** The probability that a mark played now is not there, as it was meant, a turn later. @param {Landing} landing @param {number} cell */
export const cellRisk = (landing, cell) => (landing ? landing.risk[cell] : 0);

/** What may happen to a mark, with its probability. @param {Landing} landing @param {number} cell @returns {[string, number][]} */
export function dangers(landing, cell) {
  if (!landing) return [];
  /** @type {[string, number][]} */
  const all = [["flip", landing.flip[cell]], ["fizzle", landing.fizzle[cell]], ["fade", landing.fade[cell]]];
  return all.filter(([, p]) => p > 0);
}

/** "flips 0.30, fizzles 0.10, fades 0.05", or "" where nothing can happen. @param {Landing} landing @param {number} cell */
export function riskWords(landing, cell) {
  return dangers(landing, cell).map(([word, p]) => `${word}s ${percent(p)}`).join(", ");
}

/** Two decimals, without calling a small risk none or a great one certain. */
export function percent(p) {
  if (p > 0 && p < 0.005) return "<0.01";
  if (p < 1 && p >= 0.995) return ">0.99";
  return p.toFixed(2);
}
