// The page begins here: settings, the three views, and which of them is on show.

import { api } from "./api.js";
import { byId, icon, notice } from "./dom.js";
import { applySettings, isMoving, toggleMotion, toggleTheme } from "./settings.js";
import { PlayView } from "./play/view.js";
import { LearnView } from "./learn/view.js";
import { LabView } from "./lab/view.js";
import { toHash } from "./play/share.js";

const VIEWS = ["play", "learn", "lab"];
const views = {};

function viewOf(hash) {
  const name = hash.replace(/^#\/?/, "").split(/[/?]/)[0];
  return VIEWS.includes(name) ? name : "play";
}

function show(name) {
  for (const view of VIEWS) {
    byId(`view-${view}`).hidden = view !== name;
    const link = byId(`to-${view}`);
    if (view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  views[name]?.shown?.();
}

function followHash() {
  const name = viewOf(location.hash);
  if (name === "play" && views.play) {
    const current = views.play.session.info ? toHash(views.play.session) : null;
    if (location.hash.includes("?") && decodeURI(location.hash) !== decodeURI(current ?? "")) views.play.start();
    else if (current) history.replaceState(null, "", current);
  }
  show(name);
}

function header() {
  const [theme, motion, help] = ["theme", "motion", "help"].map((name) => byId(`button-${name}`));
  theme.append(icon("theme"));
  motion.append(icon("motion"));
  help.append(icon("help"));
  const tell = () => motion.setAttribute("aria-pressed", String(isMoving()));
  theme.addEventListener("click", toggleTheme);
  motion.addEventListener("click", () => { toggleMotion(); tell(); });
  help.addEventListener("click", () => byId("help").showModal());
  byId("help-close").addEventListener("click", () => byId("help").close());
  tell();
}

function keys(event) {
  const isTyping = event.target instanceof Element && event.target.closest("input:not([type=range]):not([type=checkbox]):not([type=radio]), select, textarea, dialog");
  if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "?") byId("help").showModal();
  if (viewOf(location.hash) !== "play") return;
  const play = views.play;
  const actions = {
    u: () => play.session.undo(),
    r: () => play.session.redo(),
    n: () => play.begin(play.session.info.spec),
    v: () => play.values.toggle(),
    h: () => byId("hint").click(),
    b: () => play.board.focus(),
  };
  if (event.key in actions && play?.session.info) actions[event.key]();
}

/** Say honestly what the server is still doing. */
async function watchStatus() {
  const line = byId("server-status");
  for (;;) {
    const status = await api.status().catch(() => null);
    line.hidden = Boolean(status?.ready);
    line.textContent = status ? status.message || "Warming up …" : "The server does not answer.";
    if (status?.ready) return;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

async function begin() {
  applySettings();
  header();
  show(viewOf(location.hash));
  watchStatus();
  try {
    const agents = await api.agents();
    views.play = new PlayView(byId("view-play"), agents);
    views.learn = new LearnView(byId("view-learn"));
    views.lab = new LabView(byId("view-lab"), agents);
    const name = viewOf(location.hash);
    if (name === "play") await views.play.start();
    else await views.play.session.open("3x3");
    show(name);
    addEventListener("hashchange", followHash);
    addEventListener("keydown", keys);
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    notice(error.message, "error");
    throw error;
  }
}

begin();
