// What each move is worth: asked of the server when wanted, and kept for every moment of the game.

import { api, isAbort } from "../api.js";
import { FINE, usualSpread } from "../board/colour.js";

/** @typedef {{value: number, exact: boolean, best: boolean, wait: number, digits: number, spread: number | null,
 *   odds: number[] | null, plies: number | null}} CellValue */

export class Values extends EventTarget {
  isOn = false;
  agent = "auto";
  /** @type {Map<string, Answer<"ValuesAnswer">>} */
  #known = new Map(); // answers, by the text of the place
  /** @type {Map<string, Answer<"ValuesAnswer">>} */
  #estimates = new Map(); // so far, until the answer comes
  /** @type {Map<string, Answer<"CurvePoint">>} */
  #worth = new Map(); // values of earlier positions only, likewise
  /** @type {Map<string, Answer<"JudgedMove">>} */
  #judged = new Map(); // moves that were looked back upon, likewise
  #work = new AbortController();

  /** @param {import("./session.js").Session} session */
  constructor(session) {
    super();
    this.session = session;
  }

  #key(ply) {
    return `${this.agent}|${JSON.stringify(this.session.place(ply))}`;
  }

  /** The answer for a ply if it is known, else null. */
  at(ply = this.session.cursor) {
    const key = this.#key(ply);
    return this.#known.get(key) ?? this.#estimates.get(key) ?? null;
  }

  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    this.isBusy = false;
    this.#tell();
    this.refresh();
  }

  /** Ask for the moment on show, if values are wanted and not known yet. */
  async refresh() {
    this.#work.abort();
    if (!this.isOn || !this.session.position) return;
    await this.fetch();
    await this.#fillCurve();
  }

  /** What the earlier positions were worth, in one request. */
  async #fillCurve() {
    const { session } = this;
    const isSoon = session.info.exact.ready; // then looking back is a matter of a moment
    const isGap = (ply) => (isSoon ? !this.judged(ply + 1) : !this.at(ply) && !this.#worth.has(this.#key(ply)));
    if (![...session.positions.keys()].slice(0, -1).some(isGap) || this.#work.signal.aborted) return;
    const place = session.place(session.turns.length);
    try {
      this.keep(await api.analysis(place, this.agent, this.#work.signal), place);
    } catch (error) {
      if (!isAbort(error)) this.problem = error.message;
    }
    this.#tell();
  }

  /** Remember an analysis of the whole game. */
  keep({ curve, moves }, place) {
    if (JSON.stringify(place) !== JSON.stringify(this.session.place(this.session.turns.length))) return;
    for (const point of curve) this.#worth.set(this.#key(point.ply), point);
    for (const move of moves) this.#judged.set(this.#key(move.ply + 1), move);
  }

  /** What was said of the choice that led to a ply, if anybody looked back. */
  judged(ply) {
    return this.#judged.get(this.#key(ply)) ?? null;
  }

  /** Ask for the moment on show, wanted or not (a hint needs it). */
  async fetch() {
    const { session } = this;
    const key = this.#key(session.cursor);
    if (this.#known.has(key)) return this.#known.get(key);
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const isOver = session.position.result !== null;
    this.isBusy = !isOver;
    this.problem = isOver ? "The game is over; there are no moves to value." : null;
    this.#tell();
    if (isOver) return null;
    const take = (estimate) => {
      if (signal.aborted) return;
      this.#estimates.set(key, estimate);
      this.#tell();
    };
    try {
      const answer = await api.values(session.place(), this.agent, take, signal);
      this.#known.set(key, answer);
      this.#estimates.delete(key);
      return answer;
    } catch (error) {
      if (!isAbort(error)) this.problem = error.message;
      return null;
    } finally {
      if (!signal.aborted) {
        this.isBusy = false;
        this.#tell();
      }
    }
  }

  /** What is shown of each move. */
  #entries() {
    const answer = this.isOn ? this.at() : null;
    if (!answer) return [];
    // Where every move is as good as the next no mark helps, and none is best by chance.
    const isAllBest = answer.values.every((entry) => entry.best) && answer.values.length > 1;
    const isCrowned = answer.clear && !isAllBest;
    const all = answer.values.map((entry) => entry.value);
    const range = Math.max(...all) - Math.min(...all);
    const isFine = range > 1e-9 && range < 0.05 && usualSpread(answer.values) < FINE;
    const digits = isFine ? 3 : 2;
    return answer.values.map((entry) => ({ ...entry, digits, best: entry.best && isCrowned }));
  }

  /** Each cell's value at the moment on show: of its best move, where it has several. @returns {Map<number, CellValue>} */
  byCell() {
    const sign = this.session.position.turn === "X" ? 1 : -1;
    const found = new Map();
    for (const entry of this.#entries()) {
      const shown = found.get(entry.cell);
      if (!shown || sign * entry.value > sign * shown.value) found.set(entry.cell, entry);
    }
    return found;
  }

  /** The same of each move. @returns {Map<number, CellValue>} */
  byMove() {
    return new Map(this.#entries().map((entry) => [entry.move, entry]));
  }

  /** The known values of the whole game, for the curve. */
  curve() {
    const { session } = this;
    return session.positions.map((position, ply) => {
      if (position.result) return { ply, value: { X: 1, O: -1, draw: 0 }[position.result], exact: true };
      const answer = this.at(ply) ?? this.#worth.get(this.#key(ply));
      return answer && answer.value !== null ? { ply, value: answer.value, exact: answer.exact } : null;
    });
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
