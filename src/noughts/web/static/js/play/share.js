// The whole game in the address: #/play?game=…&x=…&o=…&moves=4.0.8&landings=X.X.O-3-4

import { YOU } from "./session.js";

/** @param {import("./session.js").Session} session */
export function toHash(session) {
  const { moves, landings } = session.place(session.turns.length);
  const parts = [["game", session.info.spec], ["x", session.seats.X], ["o", session.seats.O]];
  if (moves.length) parts.push(["moves", moves.join(".")]);
  // Only landings that were not as meant need telling.
  const isMeant = session.turns.every((turn) => turn.landing === turn.turn);
  if (moves.length && !isMeant) parts.push(["landings", landings.map((text) => text.replace("-", "n").replace(":", "_").replaceAll("/", "_")).join(".")]);
  return `#/play?${parts.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%3D", "=").replaceAll("%2C", ",").replaceAll("%2F", "/")}`).join("&")}`;
}

/** What an address tells about a game, or null. */
export function fromHash(hash) {
  const query = hash.split("?")[1];
  if (!query) return null;
  const parts = Object.fromEntries(query.split("&").map((word) => {
    const at = word.indexOf("=");
    return [word.slice(0, at), decode(word.slice(at + 1))];
  }));
  if (!parts.game) return null;
  const moves = parts.moves ? parts.moves.split(".").map(Number) : [];
  const landings = parts.landings
    ? parts.landings.split(".").map((text) => {
      const [mark, ...faded] = text.split("_");
      return (mark === "n" ? "-" : mark) + (faded.length ? `:${faded.join("/")}` : "");
    })
    : moves.map(() => null);
  return { spec: parts.game, seats: { X: parts.x || YOU, O: parts.o || YOU }, moves, landings };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a link that was cut in the middle of an escape
  }
}
