// What each move is worth: asked of the server when wanted, and kept for every moment of the game.

import { api, isAbort } from "./api.js";

/** @typedef {{value: number, exact: boolean, best: boolean, wait: number}} CellValue */

export class Values extends EventTarget {
  isOn = false;
  agent = "auto";
  #known = new Map(); // by the text of the place
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
    return this.#known.get(this.#key(ply)) ?? null;
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
    if (!this.isOn || !this.session.position) return null;
    return this.fetch();
  }

  /** Ask for the moment on show, wanted or not (a hint needs it). */
  async fetch() {
    const { session } = this;
    const key = this.#key(session.cursor);
    if (this.#known.has(key)) return this.#known.get(key);
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.isBusy = true;
    this.problem = null;
    this.#tell();
    try {
      const answer = await api.values(session.place(), this.agent, signal);
      this.#known.set(key, answer);
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

  /** Each cell's value at the moment on show. @returns {Map<number, CellValue>} */
  byCell() {
    const answer = this.isOn ? this.at() : null;
    if (!answer) return new Map();
    return new Map(answer.values.map((entry) => [entry.cell, entry]));
  }

  /** The known values of the whole game, for the curve. */
  curve() {
    const { session } = this;
    return session.positions.map((position, ply) => {
      if (position.result) return { ply, value: { X: 1, O: -1, draw: 0 }[position.result], exact: true };
      const answer = this.at(ply);
      return answer && answer.value !== null ? { ply, value: answer.value, exact: answer.exact } : null;
    });
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
