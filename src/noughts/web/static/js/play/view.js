// The Play view: chooser on the left, the board in the middle, the table talk on the right.

import { announce, byId, download, h, iconButton, notice, put } from "../dom.js";
import { api } from "../api.js";
import { Board } from "../board/board.js";
import { Curve } from "./curve.js";
import { RiskPanel } from "./risk-panel.js";
import { Session, YOU, eventOf } from "./session.js";
import { Values } from "./values.js";
import { customForm, gameCards } from "./cards.js";
import { seatPanel } from "./seats.js";
import { WaitSlider } from "./wait.js";
import { ValuePanel } from "./value-panel.js";
import { costliest, moveList, spokenMove, statusWords, valueWords } from "./moves.js";
import { fromHash, toHash } from "./share.js";
import { isFirstVisit, onTheme } from "../settings.js";

const EASY_OPPONENT = "uct:simulations=600";

export class PlayView {
  /** @param {HTMLElement} root @param {any[]} agents */
  constructor(root, agents) {
    this.session = new Session();
    this.values = new Values(this.session);
    this.board = new Board({ onPlay: (cell) => this.session.playCell(cell, this.wait.value), onLook: () => {} });
    this.curve = new Curve((ply) => this.session.goTo(ply));
    this.cards = gameCards((card) => this.pick(card));
    this.risk = new RiskPanel((spec) => this.begin(spec));
    this.moves = moveList(this.session);
    this.wait = new WaitSlider(() => this.draw());
    this.valuePanel = new ValuePanel(this.session, this.values, agents, (cell) => { this.hint = cell; this.draw(); }, this.wait);
    this.seats = seatPanel(this.session, agents);
    this.status = h("p", { class: "status", id: "play-status" });
    this.evaluation = h("p", { class: "evaluation", id: "play-evaluation" });
    this.lesson = h("div", { id: "lesson" });
    this.hint = null;
    put(root, this.#left(), this.#middle(), this.#right());
    this.session.present = (event) => this.draw({ event, animate: true });
    this.session.addEventListener("change", (event) => this.#changed(event.detail));
    this.session.addEventListener("problem", (event) => notice(event.detail, "error"));
    this.values.addEventListener("change", () => this.draw());
    document.addEventListener("preparing", (event) => this.#tellPreparing(event.detail));
    onTheme(() => this.session.info && this.draw());
  }

  #left() {
    const custom = customForm((card) => this.pick(card));
    return h("aside", { class: "left", "aria-label": "Game" }, h("h2", {}, "Game"), this.cards.element, custom, this.risk.element);
  }

  #middle() {
    return h("section", { class: "middle", "aria-label": "Board" },
      h("div", { class: "above-board" }, this.status, this.evaluation),
      h("div", { class: "board-frame" }, this.board.element),
      this.wait.element,
      h("figure", { class: "curve-frame" }, this.curve.element, (this.curveNote = h("figcaption", {}))));
  }

  #right() {
    const file = h("input", { type: "file", accept: ".jsonl,.json", class: "visually-hidden", tabindex: -1, "aria-label": "Replay file", id: "replay-file", onchange: () => this.#load(file) });
    const { session } = this;
    this.buttons = {
      undo: iconButton("undo", "Undo", () => session.undo(), { quiet: true, id: "undo" }),
      redo: iconButton("redo", "Redo", () => session.redo(), { quiet: true, id: "redo" }),
      restart: iconButton("restart", "Restart", () => this.begin(session.info.spec), { quiet: true, id: "restart" }),
      swap: iconButton("swap", "Swap seats", () => session.swapSeats(), { quiet: true, id: "swap" }),
      share: iconButton("share", "Copy link to this game", () => this.#share(), { quiet: true, id: "share" }),
      save: iconButton("save", "Download replay", () => this.#save(), { quiet: true, id: "save" }),
      load: iconButton("load", "Load replay", () => file.click(), { quiet: true, id: "load" }),
    };
    return h("aside", { class: "right", "aria-label": "Table" },
      this.seats.element,
      this.valuePanel.element,
      h("div", { class: "tools", role: "toolbar", "aria-label": "Game controls" }, Object.values(this.buttons), file),
      this.lesson,
      this.moves.element);
  }

  /** A card: its game, its opponent, and values where it promises them. */
  async pick(card) {
    const seats = { ...this.session.seats };
    if (card.opponent && seats.O !== YOU) seats.O = card.opponent;
    else if (card.opponent && seats.X !== YOU) seats.X = card.opponent;
    await this.begin(card.spec, seats);
    if (card.values) this.values.toggle(true);
  }

  /** Begin a game; whoever cannot play it gives up the seat to one who can. */
  async begin(spec, seats = this.session.seats) {
    try {
      await this.session.open(spec, { seats, isPaused: seats.X !== YOU && seats.O !== YOU });
    } catch (error) {
      if (error.name !== "AbortError") notice(error.message, "error");
    }
  }

  /** Called when the view comes to the front, and when the address tells of another game. */
  async shown() {
    const told = fromHash(location.hash);
    const current = this.session.info ? toHash(this.session) : null;
    const isNew = told && (!current || JSON.stringify(told) !== JSON.stringify(fromHash(current)));
    if (!current || isNew) await this.#start(told);
    else history.replaceState(null, "", current);
  }

  /** The game that the address tells of, or the board that everybody knows. */
  async #start(told) {
    if (told) {
      try {
        await this.session.open(told.spec, { ...told, isPaused: true });
        return;
      } catch (error) {
        notice(`This link cannot be read. ${error.message}`, "error");
      }
    }
    await this.session.open("3x3", { seats: { X: YOU, O: EASY_OPPONENT } });
    if (isFirstVisit()) this.valuePanel.pulse();
  }

  async #changed(what) {
    const { session } = this;
    if (what === "game") this.#newGame();
    this.hint = null;
    if (what === "game" || what === "seats") this.seats.show();
    if (this.lessonKey !== this.#gameKey()) put(this.lesson);
    this.wait.setPosition(session.info, session.position);
    if (what !== "moved") this.draw();
    if (what === "moved") {
      const ply = session.cursor;
      announce(spokenMove(session.turns[ply - 1], session.info, session.position));
    }
    if (what !== "thinking" && !byId("view-play").hidden) history.replaceState(null, "", toHash(session));
    if (what !== "thinking") this.values.refresh();
    if (what === "over") this.#lookBack();
  }

  #newGame() {
    const { info } = this.session;
    this.board.setGame(info);
    this.risk.setGame(info);
    this.cards.mark(info.spec);
    document.title = `${info.name} · Noughts`;
  }

  /** Draw the moment on show. */
  draw({ event = null, animate = false } = {}) {
    const { session, values } = this;
    if (!session.info) return Promise.resolve();
    const turn = session.turns[session.cursor - 1];
    const answer = values.isOn ? values.at() : null;
    const drawn = this.board.show(session.position, {
      values: values.byCell(), hint: this.hint, event: event ?? (turn ? eventOf(turn) : null), animate,
      canPlay: session.isYourTurn && !session.thinking, tick: (session.position.tick ?? 0) + this.wait.value,
    });
    this.status.textContent = statusWords(session);
    this.status.dataset.state = session.state;
    this.status.dataset.ply = session.cursor;
    this.evaluation.textContent = valueWords(answer);
    const isTold = values.isOn || session.positions.at(-1).result !== null;
    this.curve.show(isTold ? values.curve() : session.positions.map(() => null), session.cursor);
    this.curveNote.textContent = isTold ? "Value of each position: X above, O below. Click a dot to go back." : "Turn on values to see how the game went; click a dot to go back.";
    this.moves.show();
    this.seats.refresh();
    this.valuePanel.show();
    this.buttons.undo.disabled = session.cursor === 0;
    this.buttons.redo.disabled = session.isAtEnd;
    return drawn;
  }

  /** While only machine code can answer, say that it is being made, and how long that takes. */
  #tellPreparing(preparing) {
    this.valuePanel.tellPreparing(preparing);
    if (!this.session.info || !this.session.thinking || !preparing.length) return;
    const seconds = Math.max(...preparing.map((row) => row.seconds));
    const words = statusWords(this.session).replace(/\s*(…|\.)$/, "");
    this.status.textContent = `${words}; it is being prepared, about ${Math.ceil(seconds)} s.`;
  }

  #gameKey() {
    return JSON.stringify(this.session.place(this.session.turns.length));
  }

  /** After the game: the whole curve, and what was given away. */
  async #lookBack() {
    const { session } = this;
    const key = this.#gameKey();
    put(this.lesson, h("p", { class: "help" }, "Looking back over the game …"));
    try {
      const place = session.place(session.turns.length);
      const data = await api.analysis(place, "auto");
      if (key !== this.#gameKey()) return;
      this.values.keep(data, place);
      this.lessonKey = key;
      put(this.lesson, costliest(session, data, (ply) => session.goTo(ply)));
      this.draw();
    } catch (error) {
      put(this.lesson, h("p", { class: "help" }, error.message));
    }
  }

  async #share() {
    const address = new URL(toHash(this.session), location.href).href;
    history.replaceState(null, "", toHash(this.session));
    try {
      await navigator.clipboard.writeText(address);
      notice("Link copied: the whole game is in it.");
    } catch {
      notice("The link to this game is in the address bar.");
    }
  }

  async #save() {
    const { session } = this;
    try {
      const file = await api.writeReplay(session.place(session.turns.length), session.seats);
      download(file.name, file.text, "application/jsonl");
    } catch (error) {
      notice(error.message, "error");
    }
  }

  async #load(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const { count, games } = await api.readReplay(await file.text());
      const [game] = games;
      // A recorded game is shown, not played on by the agents that played it.
      await this.session.open(game.game, { seats: { X: YOU, O: YOU }, moves: game.moves, landings: [...Array(game.moves.length - game.landings.length).fill(null), ...game.landings] });
      this.session.goTo(0);
      notice(count > 1 ? `The first of ${count} games: ${game.seats.X} – ${game.seats.O}.` : `${game.seats.X} – ${game.seats.O}.`);
    } catch (error) {
      notice(error.message, "error");
    }
  }
}
