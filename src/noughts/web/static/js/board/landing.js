// The moment of landing: a mark draws itself, turns over, sinks into the paper, or thins out.

import { markStrokes } from "./cell.js";
import { isMoving } from "../settings.js";

/**
 * Resolves when all animations of this landing are over; at once where motion is off.
 * @param {import("./board.js").Board} board
 * @param {any} before  the position before the move
 * @param {{cell: number, mover: string, mark: string | null, faded: number[]}} event
 */
export async function playLanding(board, before, event) {
  if (!isMoving()) return;
  const { inside, sheet } = board.cells[event.cell];
  const landed = inside.querySelector(".mark");
  const waiting = [];
  if (event.mark === event.mover && landed) waiting.push(...draw(landed, event.mover));
  if (event.mark !== event.mover) {
    const meant = markStrokes(sheet, event.mover, event.cell);
    inside.append(meant);
    waiting.push(...draw(meant, event.mover));
    const leave = event.mark === null ? sink(meant) : turnAway(meant);
    leave.finished.then(() => meant.remove(), () => {});
    waiting.push(leave);
    if (landed && event.mark !== null) waiting.push(turnUp(landed));
    const caption = inside.querySelector(".caption");
    if (caption) waiting.push(caption.animate({ opacity: [0, 1] }, { duration: 150, delay: 450, fill: "backwards" }));
  }
  for (const cell of event.faded) waiting.push(thinOut(board, before, cell));
  await Promise.allSettled(waiting.filter(Boolean).map((animation) => animation.finished));
}

function draw(group, mark) {
  const strokes = [...group.querySelectorAll("path")];
  const duration = mark === "X" ? 90 : 160;
  return strokes.map((stroke, i) => {
    stroke.style.strokeDasharray = "1";
    const animation = stroke.animate({ strokeDashoffset: [1, 0] }, { duration, delay: i * 80, fill: "backwards", easing: "ease-out" });
    animation.finished.then(() => stroke.style.removeProperty("stroke-dasharray"), () => {});
    return animation;
  });
}

const turnAway = (group) => group.animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { duration: 170, delay: 300, fill: "forwards", easing: "ease-in" });

const turnUp = (group) => group.animate({ transform: ["scaleX(0)", "scaleX(1)"] }, { duration: 190, delay: 470, fill: "backwards", easing: "ease-out" });

const sink = (group) => group.animate(
  [{ transform: "scale(1)", opacity: 1 }, { transform: "scale(0.82)", opacity: 0 }],
  { duration: 420, delay: 260, fill: "forwards", easing: "ease-in" });

function thinOut(board, before, cell) {
  const mark = cell === undefined || !before ? "." : before.board[cell];
  if (mark === ".") return null;
  const { inside, sheet } = board.cells[cell];
  const ghost = markStrokes(sheet, mark, cell);
  inside.append(ghost);
  const animation = ghost.animate([{ strokeWidth: ghost.getAttribute("stroke-width"), opacity: 1 }, { strokeWidth: "0.3", opacity: 0 }],
    { duration: 520, delay: 250, fill: "both" });
  animation.finished.then(() => ghost.remove(), () => {});
  return animation;
}
