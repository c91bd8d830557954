// Requests to the server, as docs/api.md lists them. Every failure is an Error whose message is a sentence.

export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const SILENT = "The server does not answer. Is it still running?";
const BUSY = 429;
const RETRIES = 4;

/** @param {string} path @param {{method?: string, body?: any, signal?: AbortSignal}} options */
export async function request(path, { method = "GET", body, signal } = {}) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(path, method, body, signal);
    if (answer.status === 204) return null;
    if (answer.ok) return read(answer, signal);
    await refuse(answer, attempt, signal);
  }
}

/** Values come line by line, each better than the one before; the last one is returned, too. */
async function stream(path, body, onLine, signal) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(path, "POST", body, signal);
    if (answer.ok) return readLines(answer, onLine, signal);
    await refuse(answer, attempt, signal);
  }
}

async function read(answer, signal) {
  const data = await answer.json().catch(() => null);
  if (signal?.aborted) throw cancelled(); // in the middle of it
  return data;
}

async function readLines(answer, onLine, signal) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, last] = ["", null];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        last = JSON.parse(line);
        if (last.detail) throw new Problem(last.detail, last.status);
        onLine(last);
      }
    }
  } catch (error) {
    if (signal?.aborted) throw cancelled();
    throw error instanceof Problem ? error : new Problem(SILENT, 0);
  }
  if (!last) throw new Problem(SILENT, 0);
  return last;
}

/** Throws what was refused, unless the server is only busy: then it is asked again in a while. */
async function refuse(answer, attempt, signal) {
  const data = await read(answer, signal);
  if (answer.status !== BUSY || attempt >= RETRIES) {
    throw new Problem(data?.detail ?? `The server answered ${answer.status}.`, answer.status);
  }
  await pause(1000 * Number(answer.headers.get("Retry-After") || 1), signal);
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
    throw new Problem(SILENT, 0);
  }
}

const cancelled = () => new DOMException("Cancelled", "AbortError");

/** Wait; an abort ends it early by throwing. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(cancelled());
    }, { once: true });
  });
}

export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

const post = (path, body, signal) => request(path, { method: "POST", body, signal });

const SOON = 120; // ms in which most engines answer
const waiting = new EventTarget();

/** Resolves when somebody has waited for an engine for a moment. */
export const whenAwaiting = () => new Promise((resolve) => waiting.addEventListener("waiting", resolve, { once: true }));

/** Engine work: whoever waits longer than a moment is told what for. */
async function awaited(work) {
  const timer = setTimeout(() => waiting.dispatchEvent(new Event("waiting")), SOON);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

const engine = (path, body, signal) => awaited(post(path, body, signal));

/** Ask once; what failed is asked again. */
function once(ask) {
  let found = null;
  return () => (found ??= ask().catch((error) => {
    found = null;
    throw error;
  }));
}

/** @type {Api} */
export const api = {
  status: () => request("status"),
  games: once(() => request("games")),
  agents: once(() => request("agents").then((found) => found.agents)),
  async game(spec, signal) {
    const found = await post("game", { game: spec }, signal);
    return { ...found, spec: found.game };
  },
  landing: (spec, tick) => post("landing", { game: spec, tick }),
  position: (place, signal) => post("position", place, signal),
  play: (place, move, seed, signal) => post("play", { ...place, move, seed }, signal),
  move: (place, agent, seed, signal) => engine("move", { ...place, agent, seed }, signal),
  /** @param {(answer: any) => void} onLine  estimates, each better than the one before, and the answer */
  values: (place, agent, onLine, signal) => awaited(stream("values/stream", { ...place, agent }, onLine, signal)),
  analysis: (place, agent, signal) => engine("analysis", { ...place, agent }, signal),
  writeReplay: (place, seats) => post("replay/write", { ...place, seats }),
  readReplay: (text) => post("replay/read", { text }),
  tables: () => request("learn").then((found) => found.tables),
  table: (name) => request(`learn/${name}`),
  makeTable: (name, options) => request(`learn/${name}`, { method: "PUT", body: options }),
  changeTable: (name, options) => request(`learn/${name}`, { method: "PATCH", body: options }),
  tableMove: (name, place, seed, signal) => engine(`learn/${name}/move`, { ...place, seed }, signal),
  tableGame: (name, place) => engine(`learn/${name}/games`, place),
  kinds: once(() => request("jobs/kinds").then((found) => found.kinds)),
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
