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
import { Landings } from "./landings.js";
import { Legend, cellWords } from "./legend.js";
import { scaleOf } from "../board/colour.js";
import { gradeOf, lesson } from "./lesson.js";
import { moveList, spokenMove, statusWords } from "./moves.js";
import { valueWords } from "./words.js";
import { fromHash, toHash } from "./share.js";
import { isFirstVisit, onTheme } from "../settings.js";

const EASY_OPPONENT = "uct:simulations=600";

export class PlayView {
  /** @param {HTMLElement} root @param {any[]} agents @param {{cards: import("./cards.js").Card[]}} games */
  constructor(root, agents, games) {
    this.session = new Session();
    this.values = new Values(this.session);
    this.board = new Board({ onPlay: (move) => this.session.playMove(move + this.wait.value * this.session.info.wait_step), onLook: (cell) => this.#look(cell) });
    this.curve = new Curve((ply) => this.session.goTo(ply));
    this.cards = gameCards(games.cards, (card) => this.pick(card));
    this.risk = new RiskPanel((spec) => this.begin(spec));
    this.moves = moveList(this.session, (ply) => this.values.judged(ply));
    this.wait = new WaitSlider(() => this.draw());
    this.landings = new Landings(() => this.draw());
    this.valuePanel = new ValuePanel(this.session, this.values, agents, (cells) => { this.hint = cells; this.draw(); }, this.wait);
    this.seats = seatPanel(this.session, agents);
    this.status = h("p", { class: "status", id: "play-status" });
    this.evaluation = h("p", { class: "evaluation", id: "play-evaluation" });
    this.preparing = []; // what this game waits for, with seconds
    this.lesson = h("div", { id: "lesson" });
    this.legend = new Legend();
    this.hint = [];
    this.looked = null; // the cell under the pointer or the focus
    put(root, this.#left(), this.#middle(), this.#right());
    this.session.present = (event) => this.draw({ event, animate: true });
    this.session.addEventListener("change", (/** @type {any} */ event) => this.#changed(event.detail));
    this.session.addEventListener("problem", (/** @type {any} */ event) => notice(event.detail, "error"));
    this.values.addEventListener("change", () => this.draw());
    document.addEventListener("preparing", (/** @type {any} */ event) => this.#tellPreparing(event.detail));
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
      this.legend.element,
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
    const isOpen = await this.begin(card.spec, seats);
    if (isOpen && card.values) this.values.toggle(true);
  }

  /** Begin a game; whoever cannot play it gives up the seat to one who can. Whether it came to that. */
  async begin(spec, seats = this.session.seats) {
    try {
      return await this.session.open(spec, { seats, isPaused: seats.X !== YOU && seats.O !== YOU });
    } catch (error) {
      notice(error.message, "error");
      return false;
    }
  }

  /** Called when the view comes to the front, and when the address tells of another game. */
  async shown() {
    const told = fromHash(location.hash);
    const current = this.session.info ? toHash(this.session) : null;
    const isNew = told && (!current || JSON.stringify(told) !== JSON.stringify(fromHash(current)));
    if (!current || isNew) {
      await this.#start(told);
      return;
    }
    this.session.stay();
    history.replaceState(null, "", current);
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
    const isOpen = await this.session.open("3x3", { seats: { X: YOU, O: EASY_OPPONENT } });
    if (isOpen && isFirstVisit()) this.valuePanel.pulse();
  }

  async #changed(what) {
    const { session } = this;
    if (what === "game") this.#newGame();
    this.hint = [];
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
    this.looked = null;
    this.board.setGame(info.view);
    this.risk.setGame(info);
    this.valuePanel.setGame(info);
    this.cards.mark(info.spec);
    document.title = `${info.name} · Noughts`;
  }

  /** Draw the moment on show. */
  draw({ event = null, animate = false } = {}) {
    const { session, values } = this;
    if (!session.info) return Promise.resolve();
    const turn = session.turns[session.cursor - 1];
    const answer = values.isOn ? values.at() : null;
    const byCell = values.byCell();
    const scale = scaleOf([...byCell.values()]);
    const drawn = this.board.show(session.position, {
      values: byCell, moveValues: values.byMove(), scale, hint: this.hint, event: event ?? (turn ? eventOf(turn) : null), animate,
      canPlay: session.isYourTurn && !session.thinking, landing: this.#landing(),
    });
    this.legend.show(byCell, scale);
    this.status.textContent = this.#statusWords();
    this.status.dataset.state = session.state;
    this.status.dataset.ply = String(session.cursor);
    this.evaluation.textContent = valueWords(answer, session.info.risk.is_risky);
    const isTold = values.isOn || session.positions.at(-1).result !== null;
    const points = isTold ? values.curve() : session.positions.map(() => null);
    this.curve.show(points.map((point, ply) => point && { ...point, grade: gradeOf(values.judged(ply)) }), session.cursor);
    this.curveNote.textContent = isTold ? "Value of each position: X above, O below. Click a dot to go back." : "Turn on values to see how the game went; click a dot to go back.";
    this.moves.show();
    this.seats.refresh();
    this.valuePanel.show();
    this.buttons.undo.disabled = session.cursor === 0;
    this.buttons.redo.disabled = session.isAtEnd;
    this.#look(this.looked); // the cell under the pointer is another one after a move
    return drawn;
  }

  /** What is known of the cell under the pointer or the focus. */
  #look(cell) {
    const { session } = this;
    this.looked = cell;
    if (!session.info) return;
    this.legend.tell(cell === null ? "" : cellWords(session, cell, this.#landing(), this.values.byCell().get(cell)));
  }

  /** How marks land at the time of the clock that the slider names. */
  #landing() {
    const { info, position } = this.session;
    return this.landings.at(info, position.tick + this.wait.value);
  }

  /** Learned agents are asked in the background whether they can play; the page looks again until they have answered. */
  async #askAgain() {
    const { info } = this.session;
    if (!this.values.isOn || !info?.unasked.length || this.isAsking || byId("view-play").hidden) return;
    this.isAsking = true;
    const found = await api.game(info.spec).catch(() => null);
    this.isAsking = false;
    if (!found || found.spec !== this.session.info.spec || found.unasked.length === info.unasked.length) return;
    Object.assign(this.session.info, { agents: found.agents, unasked: found.unasked });
    this.valuePanel.setGame(this.session.info);
  }

  /** While only machine code can answer, say that it is being made, and how long that takes. */
  #tellPreparing(preparing) {
    const { session } = this;
    if (!session.info) return;
    this.#askAgain();
    this.preparing = preparing.filter((row) => row.what.endsWith(` for ${session.info.spec}`));
    this.valuePanel.tellPreparing(this.preparing);
    if (session.thinking) this.status.textContent = this.#statusWords();
  }

  #statusWords() {
    const { session } = this;
    const agent = session.seats[session.thinking];
    const row = this.preparing.find(({ what }) => session.thinking && what.startsWith(`${agent.split(":")[0]} `));
    return row ? `${session.thinking} plays in about ${Math.ceil(row.seconds)} s: ${agent} is being prepared.` : statusWords(session);
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
      put(this.lesson, lesson(session, data, (ply) => session.goTo(ply)));
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
