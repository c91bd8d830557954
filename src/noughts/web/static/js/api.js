// Requests to the server, as docs/api.md lists them. Every failure is an Error whose message is a sentence.

export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const BUSY = 429;
const RETRIES = 4;

/** @param {string} path @param {{method?: string, body?: any, signal?: AbortSignal}} options */
export async function request(path, { method = "GET", body, signal } = {}) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(path, method, body, signal);
    if (answer.status === 204) return null;
    const data = await answer.json().catch(() => null);
    if (answer.ok) return data;
    if (answer.status !== BUSY || attempt >= RETRIES) {
      throw new Problem(data?.detail ?? `The server answered ${answer.status}.`, answer.status);
    }
    await pause(1000 * Number(answer.headers.get("Retry-After") || 1), signal);
  }
}

async function send(path, method, body, signal) {
  const init = { method, signal, headers: {} };
  if (body !== undefined) {
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  } else if (method !== "GET") {
    init.headers["Content-Type"] = "application/json";
  }
  try {
    return await fetch(`api/${path}`, init);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The server does not answer. Is it still running?", 0);
  }
}

/** Wait; an abort ends it early by throwing. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("Cancelled", "AbortError"));
    }, { once: true });
  });
}

export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

const post = (path, body, signal) => request(path, { method: "POST", body, signal });

let awaited = 0; // requests for engine work that are under way

/** Whether somebody waits for an engine. */
export const isAwaiting = () => awaited > 0;

async function engine(path, body, signal) {
  awaited += 1;
  try {
    return await post(path, body, signal);
  } finally {
    awaited -= 1;
  }
}

/** Ask once; what failed is asked again. */
function once(ask) {
  let found = null;
  return () => (found ??= ask().catch((error) => {
    found = null;
    throw error;
  }));
}

export const api = {
  status: () => request("status"),
  games: once(() => request("games")),
  agents: once(() => request("agents").then((found) => found.agents)),
  /** @returns {Promise<import("./board/places.js").GameInfo>} */
  async game(spec, signal) {
    const found = await post("game", { game: spec }, signal);
    return {
      ...found,
      spec: found.game,
      kind: found.kind === "ultimate" ? "ultimate" : "line",
      shape: found.kind === "ultimate" ? [9, 9, 1] : [found.rows, found.columns, found.layers],
    };
  },
  position: (place, signal) => post("position", place, signal),
  play: (place, move, seed, signal) => post("play", { ...place, move, seed }, signal),
  move: (place, agent, seed, signal) => engine("move", { ...place, agent, seed }, signal),
  /** @param {boolean} [quick] an estimate in a moment */
  values: (place, agent, signal, quick = false) => engine("values", { ...place, agent, quick }, signal),
  analysis: (place, agent, signal) => engine("analysis", { ...place, agent }, signal),
  writeReplay: (place, seats) => post("replay/write", { ...place, seats }),
  readReplay: (text) => post("replay/read", { text }),
  tables: () => request("learn").then((found) => found.tables),
  table: (name) => request(`learn/${name}`),
  makeTable: (name, options) => request(`learn/${name}`, { method: "PUT", body: options }),
  changeTable: (name, options) => request(`learn/${name}`, { method: "PATCH", body: options }),
  tableMove: (name, place, seed, signal) => engine(`learn/${name}/move`, { ...place, seed }, signal),
  tableGame: (name, place) => engine(`learn/${name}/games`, place),
  kinds: () => request("jobs/kinds").then((found) => found.kinds),
  runs: () => request("jobs").then((found) => found.runs),
  run: (id) => request(`jobs/${encodeURIComponent(id)}`),
  startRun: (kind, options) => post("jobs", { kind, options }),
  cancelRun: (id) => post(`jobs/${encodeURIComponent(id)}/cancel`),
  resumeRun: (id) => post(`jobs/${encodeURIComponent(id)}/resume`),
  deleteRun: (id) => request(`jobs/${encodeURIComponent(id)}`, { method: "DELETE" }),
};

export const fileAddress = (id, path, isDownload = false) =>
  `api/jobs/${encodeURIComponent(id)}/files/${path.split("/").map(encodeURIComponent).join("/")}${isDownload ? "?download=1" : ""}`;

/** Follow a run; returns a function that stops following. */
export function follow(id, onRun) {
  const source = new EventSource(`api/jobs/${encodeURIComponent(id)}/events`);
  source.addEventListener("progress", (event) => onRun(JSON.parse(event.data), false));
  source.addEventListener("end", (event) => {
    source.close();
    onRun(JSON.parse(event.data), true);
  });
  return () => source.close();
}
