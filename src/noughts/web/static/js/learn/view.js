// Learn with me: the self-taught table sits opposite, and shows what it took from each game.

import { announce, h, notice, put, within } from "../dom.js";
import { api } from "../api.js";
import { Board } from "../board/board.js";
import { Session, YOU, eventOf } from "../play/session.js";
import { spokenMove, statusWords } from "../play/moves.js";
import { changedBoards, strengthPanel } from "./shown.js";

const NAME = "mine";
const TABLE = "table";
const GAMES = [["3x3", "3×3"], ["3x3:misere", "3×3 misère"], ["3x3:flip=0.1", "3×3, flips 0.1"], ["3x4:k=3", "3×4, three in a row"]];

export class LearnView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.session = new Session();
    this.session.seats = { X: YOU, O: TABLE };
    this.session.ask = async (place, _agent, seed, signal) => {
      await this.made;
      return api.tableMove(NAME, place, seed, signal);
    };
    this.board = new Board({ onPlay: (move) => this.session.playMove(move), label: "Board of the learner's game" });
    this.status = h("p", { class: "status", id: "learn-status" });
    this.changes = h("section", { class: "changes", id: "learn-changes", "aria-label": "What the last game changed" });
    this.strength = h("section", { class: "strength", id: "learn-strength", "aria-label": "Strength" });
    this.again = h("button", { type: "button", class: "button strong", id: "learn-again", onclick: () => this.#open() }, "Another game");
    this.facts = h("p", { class: "help", id: "learn-facts" });
    put(root, this.#left(), this.#middle(), h("aside", { class: "right", "aria-label": "What it learned" }, this.strength));
    this.session.present = (event) => this.#draw({ event, animate: true });
    this.session.addEventListener("change", (/** @type {any} */ event) => this.#changed(event.detail));
    this.session.addEventListener("problem", (/** @type {any} */ event) => notice(event.detail, "error"));
  }

  #left() {
    this.game = h("select", { id: "learn-game", onchange: () => this.#reset() }, GAMES.map(([spec, name]) => h("option", { value: spec }, name)));
    const radio = (name, value, label, isOn, onchange) => h("label", {}, h("input", { type: "radio", name, value, checked: isOn, onchange }), h("span", {}, label));
    this.steps = h("fieldset", { class: "segments" }, h("legend", {}, "Step"),
      radio("learn-step", "shrinking", "shrinking", true, () => this.#setStep("shrinking")),
      radio("learn-step", "constant", "constant", false, () => this.#setStep("constant")));
    const seats = h("fieldset", { class: "segments" }, h("legend", {}, "You play"),
      radio("learn-seat", "X", "X", true, () => this.#sit("X")), radio("learn-seat", "O", "O", false, () => this.#sit("O")));
    return h("aside", { class: "left", "aria-label": "The learner" },
      h("h2", {}, "Learn with me"),
      h("p", {}, "A table of one number per board: its guess of how likely it wins from there. It begins knowing only what a finished line means. It plays the move with the best guess, tries something else now and then, and after each game moves every board it saw towards the result."),
      h("div", { class: "field" }, h("label", { for: "learn-game" }, "Game"), this.game),
      seats, this.steps,
      h("p", { class: "help" }, "A shrinking step settles down; a constant one keeps following an opponent who changes."),
      this.facts,
      h("button", { type: "button", class: "button", id: "learn-reset", onclick: () => this.#reset() }, "Forget everything"));
  }

  #middle() {
    return h("section", { class: "middle", "aria-label": "Board" },
      h("div", { class: "above-board" }, this.status, this.again),
      h("div", { class: "board-frame" }, this.board.element),
      this.changes);
  }

  /** Called when the view comes to the front; the first time it finds or makes the table. */
  async shown() {
    if (this.begun) return;
    this.begun = true;
    try {
      const isKnown = api.tables().then((tables) => tables.some((table) => table.name === NAME));
      this.made = isKnown.then((is) => (is ? api.table(NAME) : api.makeTable(NAME, { game: "3x3", step: "shrinking" })));
      this.made.catch(() => {}); // it is told below
      if (!(await isKnown)) await this.#open("3x3"); // the board is there before the table that sits at it
      this.#showTable(await this.made);
      if (await isKnown) await this.#open();
      await this.#measure();
    } catch (error) {
      this.begun = false;
      notice(error.message, "error");
    }
  }

  /** A new table is there at once; how strong it is takes a moment longer. */
  async #measure() {
    if (this.table.strength) return;
    const { games } = this.table;
    const measured = await api.table(NAME);
    if (this.table.games === games) this.#showTable(measured);
  }

  async #open(game = this.table?.game ?? this.game.value) {
    put(this.changes);
    try {
      await this.session.open(game, { seats: this.session.seats, isPaused: false });
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async #reset() {
    try {
      const step = within(this.steps, "input:checked").value;
      this.made = api.makeTable(NAME, { game: this.game.value, step });
      this.#showTable(await this.made);
      await this.#open();
      notice("The table has forgotten everything.");
      await this.#measure();
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async #setStep(step) {
    try {
      await this.made;
      this.#showTable(await api.changeTable(NAME, { step }));
    } catch (error) {
      notice(error.message, "error");
    }
  }

  #sit(seat) {
    this.session.seats = seat === "X" ? { X: YOU, O: TABLE } : { X: TABLE, O: YOU };
    this.#open();
  }

  #showTable(table) {
    this.table = table;
    if ([...this.game.options].every((option) => option.value !== table.game)) this.game.append(h("option", { value: table.game }, table.game));
    this.game.value = table.game;
    for (const input of this.steps.querySelectorAll("input")) input.checked = input.value === table.step;
    this.facts.textContent = `${table.games} ${table.games === 1 ? "game" : "games"} so far; ${table.learned} boards have moved; the step is ${table.step_size.toFixed(2)} now.`;
    put(this.strength, table.strength ? strengthPanel(table) : h("p", { class: "help" }, "How strong it is, exactly, is being worked out."));
  }

  #changed(what) {
    const { session } = this;
    if (what === "game") this.board.setGame(session.info.view);
    if (what !== "moved") this.#draw();
    else announce(spokenMove(session.turns.at(-1), session.info, session.position));
    if (what === "over") this.#learn();
  }

  #draw({ event = null, animate = false } = {}) {
    const { session } = this;
    const turn = session.turns[session.cursor - 1];
    this.status.textContent = statusWords(session).replace(/table\.$/, "the table.");
    this.status.dataset.state = session.state;
    this.status.dataset.ply = String(session.cursor);
    this.again.hidden = session.position.result === null;
    return this.board.show(session.position, { event: event ?? (turn ? eventOf(turn) : null), animate, landing: session.info.landing, canPlay: session.isYourTurn && !session.thinking });
  }

  async #learn() {
    const { session } = this;
    try {
      await this.made;
      const told = await api.tableGame(NAME, session.place(session.turns.length));
      this.#showTable(told.table);
      put(this.changes, changedBoards(session.info, told.changes));
      announce(`The table learned: ${told.changes.length} values moved.`);
    } catch (error) {
      notice(error.message, "error");
    }
  }
}
