// Who sits where, and the controls of a game that plays itself.

import { h, iconButton, put, within } from "../dom.js";
import { agentPicker } from "../forms.js";
import { YOU } from "./session.js";

/** @param {import("./session.js").Session} session @param {any[]} agents */
export function seatPanel(session, agents) {
  const boxes = { X: h("div", { class: "seat", "data-seat": "X" }), O: h("div", { class: "seat", "data-seat": "O" }) };
  const speed = h("input", { type: "range", id: "speed", min: 0, max: 2000, step: 100, value: 2000 - session.speed, oninput: () => { session.speed = 2000 - Number(speed.value); } });
  const go = iconButton("play", "Play", () => (session.isPaused || !session.isAtEnd ? session.playOn() : session.pauseGame()), { id: "self-play" });
  const step = iconButton("step", "Step", () => session.step(), { id: "self-step" });
  const self = h("div", { class: "self-play" }, go, step, h("div", { class: "field speed" }, h("label", { for: "speed" }, "Speed"), speed));
  const on = h("button", { type: "button", class: "button strong", id: "play-on", onclick: () => session.playOn() }, "Play on from here");
  const element = h("section", { class: "seats", "aria-label": "Seats" }, boxes.X, boxes.O, self, on);

  const show = () => {
    for (const seat of ["X", "O"]) {
      const picker = agentPicker(agents, {
        spec: session.seats[seat], label: seat, people: true, reasons: session.info.agents ?? {},
        onChange: (spec) => { if (spec !== session.seats[seat]) session.setSeat(seat, spec); },
      });
      const isOpen = boxes[seat].querySelector("details")?.open ?? false;
      if (boxes[seat].dataset.spec === session.seats[seat] && boxes[seat].dataset.game === session.info.spec) continue;
      boxes[seat].dataset.spec = session.seats[seat];
      boxes[seat].dataset.game = session.info.spec;
      const keepsFocus = boxes[seat].contains(document.activeElement) ? document.activeElement.getAttribute("name") || "select" : null;
      put(boxes[seat], picker.element);
      const details = picker.element.querySelector("details");
      details.open = isOpen && !details.hidden;
      if (keepsFocus) (within(picker.element, `[name="${keepsFocus}"]`) ?? picker.select).focus();
    }
    refresh();
  };

  const refresh = () => {
    for (const seat of ["X", "O"]) {
      boxes[seat].classList.toggle("on-turn", session.position.result === null && session.position.turn === seat);
      boxes[seat].classList.toggle("thinking", session.thinking === seat);
    }
    const isRunning = session.isSelfPlaying && !session.isPaused && session.isAtEnd && session.position.result === null;
    self.hidden = !session.isSelfPlaying || (session.isAtEnd && session.position.result !== null);
    put(go, ...iconButton(isRunning ? "pause" : "play", isRunning ? "Pause" : "Play", () => {}).childNodes);
    // Looking back with an agent on turn: nobody moves until asked.
    const waits = session.position.result === null && session.seats[session.position.turn] !== YOU && !session.thinking;
    on.hidden = session.isSelfPlaying || !waits;
  };
  return { element, show, refresh };
}
