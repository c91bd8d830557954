// Light or dark, moving or still. The choice is kept in this browser only.

const KEYS = { theme: "noughts.theme", motion: "noughts.motion" };
const darkQuery = matchMedia("(prefers-color-scheme: dark)");
const stillQuery = matchMedia("(prefers-reduced-motion: reduce)");

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // private windows may refuse storage; the system's wish is followed then
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // see read()
  }
}

const listeners = new Set();

/** Called after light and dark have changed, for what is drawn with computed colours. */
export function onTheme(listener) {
  listeners.add(listener);
}

export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = read(KEYS.theme) ?? (darkQuery.matches ? "dark" : "light");
  root.dataset.motion = read(KEYS.motion) ?? (stillQuery.matches ? "off" : "on");
  for (const listener of listeners) listener();
}

darkQuery.addEventListener("change", applySettings);
stillQuery.addEventListener("change", applySettings);

export function toggleTheme() {
  keep(KEYS.theme, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  applySettings();
}

export function toggleMotion() {
  keep(KEYS.motion, isMoving() ? "off" : "on");
  applySettings();
}

export function isMoving() {
  return document.documentElement.dataset.motion !== "off";
}

/** True once per browser. */
export function isFirstVisit() {
  const seen = read("noughts.seen");
  keep("noughts.seen", "1");
  return seen === null;
}
