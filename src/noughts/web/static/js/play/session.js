// One game at the table: who sits where, what was played, and which moment is on show.

import { api, isAbort, pause } from "../api.js";

export const YOU = "you";
const SUBSTITUTE = "uct:simulations=600";

/**
 * @typedef {{cell: number, mover: string, mark: string | null, faded: number[]}} LandingEvent
 */

/** The event that the board shows for a turn of the history. */
export function eventOf(turn) {
  const word = turn.landing.split(":")[0];
  return { cell: turn.cell, mover: turn.turn, mark: word === "-" ? null : word, faded: turn.faded };
}

export class Session extends EventTarget {
  /** @type {GameInfo} */
  info = null;
  seats = { X: YOU, O: SUBSTITUTE };
  /** @type {Turn[]} */
  turns = []; // of the whole game
  /** @type {Position[]} */
  positions = []; // one more than turns
  cursor = 0; // the ply on show
  isPaused = false;
  speed = 600; // ms between two moves of agents
  thinking = null; // the seat whose agent is being asked
  seed = 0;
  #work = new AbortController();
  #opening = null; // the work of a game that is being fetched
  #presented = Promise.resolve(); // when the last mark has landed
  #landing = null; // the work of a move that was clicked and has not landed yet
  /** Shows a move as it lands; the game goes on when it resolves. */
  present = async (/** @type {LandingEvent} */ _event) => {};
  /** Asks an agent for a move; the table learner puts its own here. */
  ask = (place, agent, seed, signal) => api.move(place, agent, seed, signal);

  get position() {
    return this.positions[this.cursor];
  }

  get isAtEnd() {
    return this.cursor === this.turns.length;
  }

  get isOver() {
    return this.isAtEnd && this.position.result !== null;
  }

  get isYourTurn() {
    return this.position.result === null && this.seats[this.position.turn] === YOU;
  }

  get isSelfPlaying() {
    return this.seats.X !== YOU && this.seats.O !== YOU;
  }

  /** Whether the board on show is about to be another: a click on it means nothing. */
  get isBetween() {
    const isUnderWay = (signal) => signal !== null && !signal.aborted;
    return isUnderWay(this.#opening) || isUnderWay(this.#landing);
  }

  /** Who is awaited: "yours", "theirs" or "over". */
  get state() {
    if (this.position.result !== null) return "over";
    return this.isYourTurn && !this.thinking ? "yours" : "theirs";
  }

  /** The game as the server wants it, up to a ply. */
  place(ply = this.cursor) {
    const turns = this.turns.slice(0, ply);
    return { game: this.info.spec, start: null, moves: turns.map((turn) => turn.move), landings: turns.map((turn) => turn.landing) };
  }

  /**
   * Begin a game; `moves` and `landings` restore one. Whether it came to that: the newest wish wins, and one that was overtaken is no error.
   * Throws a Problem when the spec is refused.
   * @param {string} spec
   * @param {{seats?: Record<Seat, string>, moves?: number[], landings?: (string | null)[], isPaused?: boolean}} options
   */
  async open(spec, { seats = this.seats, moves = [], landings = [], isPaused } = {}) {
    this.#stop();
    const signal = this.#work.signal;
    this.#opening = signal;
    let info, positions, turns;
    try {
      info = await api.game(spec, signal);
      [positions, turns] = moves.length ? await restore(info, moves, landings, signal) : [[info.position], []];
    } catch (error) {
      if (signal.aborted) return false;
      this.#opening = null;
      throw error;
    }
    if (signal.aborted) return false;
    this.#opening = null;
    Object.assign(this, { info, positions, turns, seats: whoCanPlay(info, seats), cursor: turns.length, thinking: null });
    this.seed = Math.floor(Math.random() * 2 ** 31);
    if (isPaused !== undefined) this.isPaused = isPaused;
    this.#tell("game");
    this.#run();
    return true;
  }

  /** Stay with the game on show, whatever was about to take its place. */
  stay() {
    if (!this.isBetween) return;
    this.#stop();
    this.#tell("moment");
    this.#run();
  }

  restart() {
    return this.open(this.info.spec);
  }

  setSeat(seat, spec) {
    this.#stop();
    this.seats[seat] = spec;
    if (this.isSelfPlaying) this.isPaused = this.turns.length === 0;
    this.#tell("seats");
    this.#run();
  }

  swapSeats() {
    this.#stop();
    this.seats = { X: this.seats.O, O: this.seats.X };
    this.#tell("seats");
    this.#run();
  }

  /** A person's move at the moment on show; what came later is forgotten. */
  async playMove(move) {
    if (!this.isYourTurn || this.thinking || this.isBetween) return;
    this.#stop();
    this.#forgetLater();
    const signal = this.#work.signal;
    this.#landing = signal;
    try {
      const answer = await api.play(this.place(), move, this.seed, signal);
      if (signal.aborted) return;
      this.#landing = null;
      this.#land(answer.turn, answer.position, signal);
      this.#run();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Back to your last turn, or one ply when no person sits here. */
  undo() {
    if (this.cursor === 0) return;
    let ply = this.cursor - 1;
    while (ply > 0 && !this.isSelfPlaying && this.seats[this.positions[ply].turn] !== YOU) ply -= 1;
    this.goTo(ply);
  }

  redo() {
    if (this.isAtEnd) return;
    let ply = this.cursor + 1;
    while (ply < this.turns.length && !this.isSelfPlaying && this.seats[this.positions[ply].turn] !== YOU) ply += 1;
    this.goTo(ply);
  }

  /** Show another moment; agents wait until somebody plays on. */
  goTo(ply) {
    this.#stop();
    this.isPaused = this.isPaused || this.isSelfPlaying;
    this.cursor = Math.max(0, Math.min(this.turns.length, ply));
    this.#tell("moment");
  }

  /** Let the agent on turn move from the moment on show. */
  playOn() {
    this.#stop();
    this.isPaused = false;
    if (!this.isAtEnd) this.#forgetLater();
    this.#tell("moment");
    this.#run();
  }

  pauseGame() {
    this.#stop();
    this.isPaused = true;
    this.#tell("moment");
  }

  /** One move of the agent on turn. */
  step() {
    this.#stop();
    this.isPaused = true;
    if (!this.isAtEnd) {
      this.goTo(this.cursor + 1);
      return;
    }
    this.#run(1);
  }

  #forgetLater() {
    this.turns.length = this.cursor;
    this.positions.length = this.cursor + 1;
  }

  #stop() {
    this.#work.abort();
    this.#work = new AbortController();
    this.thinking = null;
  }

  async #run(most = Infinity) {
    const signal = this.#work.signal;
    const mayMove = () => !signal.aborted && this.isAtEnd && this.position.result === null && this.seats[this.position.turn] !== YOU;
    try {
      for (let moves = 0; moves < most && mayMove(); moves += 1) {
        if (this.isSelfPlaying && this.isPaused && most === Infinity) return;
        if (this.isSelfPlaying && moves > 0) await pause(this.speed, signal);
        this.thinking = this.position.turn;
        const asked = this.ask(this.place(), this.seats[this.position.turn], this.seed, signal);
        asked.catch(() => {}); // what goes wrong is told below
        await this.#presented; // it thinks while the last mark lands
        if (signal.aborted) return;
        this.#tell("thinking");
        const answer = await asked;
        if (signal.aborted) return;
        this.thinking = null;
        this.#land(answer.turn, answer.position, signal, answer);
        await this.#presented;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #land(turn, position, signal, answer = null) {
    this.turns.push({ ...turn, thought: answer?.thought ?? null });
    this.positions.push(position);
    this.cursor = this.turns.length;
    this.#tell("moved");
    this.#presented = this.present(eventOf(turn)).then(() => {
      if (!signal.aborted && position.result !== null) this.#tell("over");
    });
  }

  #fail(error) {
    if (isAbort(error)) return;
    this.#landing = null;
    this.thinking = null;
    this.isPaused = true;
    this.dispatchEvent(new CustomEvent("problem", { detail: error.message }));
    this.#tell("moment");
  }

  /** Everything that shows the game listens to "change". */
  #tell(what) {
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
  }
}

/** An agent that cannot play a game leaves its seat to a search that plays them all. */
function whoCanPlay(info, seats) {
  const fits = (spec) => spec === YOU || !info.agents?.[spec.split(":")[0]];
  return { X: fits(seats.X) ? seats.X : SUBSTITUTE, O: fits(seats.O) ? seats.O : SUBSTITUTE };
}

/** Play a list of moves back: every position of it, and its turns. */
async function restore(info, moves, landings, signal) {
  const { positions, history } = await api.position({ game: info.spec, start: null, moves, landings }, signal);
  return [positions, history];
}
