// The page begins here: settings, the three views, and which of them is on show.

import { api, isAbort } from "./api.js";
import { byId, icon, notice } from "./dom.js";
import { applySettings, isMoving, toggleMotion, toggleTheme } from "./settings.js";
import { PlayView } from "./play/view.js";
import { watchStatus } from "./status.js";

const VIEWS = ["play", "learn", "lab"];
const views = {};

/** What is not looked at is not loaded. */
const MAKERS = {
  play: async () => new PlayView(byId("view-play"), ...await Promise.all([api.agents(), api.games()])),
  learn: async () => new (await import("./learn/view.js")).LearnView(byId("view-learn")),
  lab: async () => new (await import("./lab/view.js")).LabView(byId("view-lab"), await api.agents()),
};

function viewOf(hash) {
  const name = hash.replace(/^#\/?/, "").split(/[/?]/)[0];
  return VIEWS.includes(name) ? name : "play";
}

async function show(name) {
  for (const view of VIEWS) {
    byId(`view-${view}`).hidden = view !== name;
    const link = byId(`to-${view}`);
    if (view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    views[name] = await (views[name] ?? (views[name] = MAKERS[name]()));
    await views[name].shown();
  } catch (error) {
    if (views[name] instanceof Promise) delete views[name]; // it is made anew when asked for again
    if (!isAbort(error)) notice(error.message, "error");
  }
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
  const { play } = views;
  if (viewOf(location.hash) !== "play" || !play?.session?.info) return;
  const actions = {
    u: () => play.session.undo(),
    r: () => play.session.redo(),
    n: () => play.begin(play.session.info.spec),
    v: () => play.values.toggle(),
    h: () => byId("hint").click(),
    b: () => play.board.focus(),
  };
  actions[event.key]?.();
}

/** What nobody looks at yet is fetched when there is nothing else to do, so that a click finds it. */
function fetchTheRest() {
  (window.requestIdleCallback ?? setTimeout)(() => {
    for (const later of [import("./learn/view.js"), import("./lab/view.js"), api.kinds()]) later.catch(() => {});
  });
}

async function begin() {
  applySettings();
  header();
  watchStatus(byId("server-status"));
  addEventListener("hashchange", () => show(viewOf(location.hash)));
  addEventListener("keydown", keys);
  await show(viewOf(location.hash));
  document.documentElement.dataset.ready = "yes";
  fetchTheRest();
}

begin();
