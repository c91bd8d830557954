// How a mark lands: the probabilities that belong to a cell at a moment of the clock.

/**
 * @typedef {{flip: number[], fizzle: number[], fade: number[], hazard: number[], has_clock: boolean,
 *   limit: number | null, turn_limit: number | null, ticks: number, tick_length: number}} Risk
 */

/** The probabilities that the own mark, the opponent's mark, nothing lands. */
export function landingOdds(risk, cell, tick) {
  const fizzle = risk.fizzle[cell];
  let flip = risk.flip[cell];
  let own = 1 - (flip + fizzle);
  if (risk.has_clock) {
    const kept = Math.exp(-risk.hazard[cell] * tick * risk.tick_length);
    flip += own * (1 - kept);
    own *= kept;
  }
  return { own: Math.max(0, own), flip, fizzle };
}

/** The probability that a mark played now is not there, as it was meant, a turn later. */
export function cellRisk(risk, cell, tick) {
  return Math.min(1, 1 - landingOdds(risk, cell, tick).own * (1 - risk.fade[cell]));
}

export function isRisky(risk) {
  return risk.has_clock || [risk.flip, risk.fizzle, risk.fade].some((vector) => vector.some((value) => value > 0));
}

/** "flips 0.30, fizzles 0.10, fades 0.05", or "" where nothing can happen. */
export function riskWords(risk, cell, tick) {
  const { flip, fizzle } = landingOdds(risk, cell, tick);
  const parts = [["flips", flip], ["fizzles", fizzle], ["fades", risk.fade[cell]]];
  return parts.filter(([, p]) => p > 0).map(([word, p]) => `${word} ${percent(p)}`).join(", ");
}

/** Two decimals, without calling a small risk none or a great one certain. */
export function percent(p) {
  if (p > 0 && p < 0.005) return "<0.01";
  if (p < 1 && p >= 0.995) return ">0.99";
  return p.toFixed(2);
}
