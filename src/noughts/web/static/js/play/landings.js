// How marks land at a time of the clock: with the game for its beginning, asked for later times.

import { api } from "../api.js";

export class Landings {
  #known = new Map(); // by the text of game and tick; null while it is being asked

  /** @param {() => void} onTold */
  constructor(onTold) {
    this.onTold = onTold;
  }

  /** What is known for a time; until the server has told it, that of the beginning. */
  at(info, tick) {
    if (!info.landing || !info.risk.has_clock || tick === info.landing.tick) return info.landing;
    const key = `${info.spec}|${tick}`;
    if (!this.#known.has(key)) this.#ask(key, info.spec, tick);
    return this.#known.get(key) ?? info.landing;
  }

  async #ask(key, spec, tick) {
    this.#known.set(key, null);
    const told = await api.landing(spec, tick).catch(() => null); // the drawing can wait
    if (told) this.#known.set(key, told);
    else this.#known.delete(key);
    if (told) this.onTold();
  }
}
