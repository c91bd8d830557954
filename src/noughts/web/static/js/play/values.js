// What each move is worth: asked of the server when wanted, and kept for every moment of the game.

import { api, isAbort, pause } from "../api.js";

const PATIENCE = 80; // ms before a first estimate is asked for, too

/** @typedef {{value: number, exact: boolean, best: boolean, wait: number, digits: number}} CellValue */

export class Values extends EventTarget {
  isOn = false;
  agent = "auto";
  #known = new Map(); // answers, by the text of the place
  #estimates = new Map(); // first ones, until the answer comes
  #worth = new Map(); // values of earlier positions only, likewise
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
    const isGap = (ply) => !this.at(ply) && !this.#worth.has(this.#key(ply));
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
  keep({ curve }, place) {
    if (JSON.stringify(place) !== JSON.stringify(this.session.place(this.session.turns.length))) return;
    for (const point of curve) this.#worth.set(this.#key(point.ply), point);
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
    const best = api.values(session.place(), this.agent, signal);
    if (this.agent === "auto") this.#estimate(key, session.place(), best, signal);
    try {
      const answer = await best;
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

  /** What a moment's look says, while the answer that was asked for is prepared. */
  async #estimate(key, place, best, signal) {
    const isLate = await Promise.race([best.then(() => false, () => false), pause(PATIENCE, signal).then(() => true, () => false)]);
    if (!isLate || signal.aborted) return;
    const answer = await api.values(place, this.agent, signal, true).catch(() => null);
    if (!answer || signal.aborted || this.#known.has(key)) return;
    this.#estimates.set(key, answer);
    this.#tell();
  }

  /** Each cell's value at the moment on show. @returns {Map<number, CellValue>} */
  byCell() {
    const answer = this.isOn ? this.at() : null;
    if (!answer) return new Map();
    // Where every move is as good as the next, no mark helps.
    const isAllBest = answer.values.every((entry) => entry.best) && answer.values.length > 1;
    const all = answer.values.map((entry) => entry.value);
    const spread = Math.max(...all) - Math.min(...all);
    const digits = spread > 1e-9 && spread < 0.05 ? 3 : 2;
    return new Map(answer.values.map((entry) => [entry.cell, { ...entry, digits, best: entry.best && !isAllBest }]));
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
