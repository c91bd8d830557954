// Small helpers that build elements; the page has no framework.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Set attributes and listeners, and append children.
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Record<string, any>} attributes  `onclick: f` listens; null and false are left out
 * @param {any[]} children  elements, texts, nested lists; null and false are left out
 */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else if (key === "value" || key === "checked" || key === "disabled") element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name @param {Record<string, any>} attributes @param {any[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name @param {Record<string, any>} attributes @param {any[]} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Put other children into an element. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** The first element inside another that fits. @param {ParentNode} root @param {string} selector @returns {any} */
export const within = (root, selector) => root.querySelector(selector);

/** The nearest element around the target of an event that fits. @param {any} target @param {string} selector @returns {any} */
export const around = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/** Say something to people who do not see the board. */
export function announce(text) {
  byId("announcer").textContent = text;
}

let noticeTimer = 0;

/** A short line at the foot of the page that goes away by itself. */
export function notice(text, kind = "") {
  const box = byId("notice");
  put(box, h("p", { class: `notice ${kind}` }, text));
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => put(box), kind === "error" ? 9000 : 4000);
}

const ICONS = {
  undo: "M9 7 4 12l5 5M5 12h9a5 5 0 0 1 0 10h-2",
  redo: "m15 7 5 5-5 5M19 12h-9a5 5 0 0 0 0 10h2",
  restart: "M5 12a7 7 0 1 0 2.3-5.2M4 4v5h5",
  swap: "M7 4v15m0 0-3.5-3.5M7 19l3.5-3.5M17 20V5m0 0-3.5 3.5M17 5l3.5 3.5",
  share: "M10 14 20 4m0 0h-6m6 0v6M18 14v5H5V6h5",
  save: "M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M5 20h14",
  load: "M12 16V5m0 0L7.5 9.5M12 5l4.5 4.5M5 20h14",
  play: "M8 5v14l11-7z",
  pause: "M9 5v14M15 5v14",
  step: "M6 5v14l9-7zM18 5v14",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.9.4-1.2 1-1.2 2.2M12 17.5v.5",
  motion: "M3 8c3-4 6 4 9 0s6 4 9 0M3 16c3-4 6 4 9 0s6 4 9 0",
  close: "M6 6l12 12M18 6 6 18",
  more: "m6 9 6 6 6-6",
  star: "m12 4 2.3 5.2 5.7.6-4.3 3.8 1.2 5.6L12 16.3l-4.9 2.9 1.2-5.6L4 9.8l5.7-.6z",
};

/** A drawn icon of 20 px. */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" }, s("path", { d: ICONS[name] }));
}

/** A button with a drawing and a word; the word may be for screen readers only. */
export function iconButton(name, label, onclick, /** @type {Record<string, any>} */ { quiet = false, ...rest } = {}) {
  return h("button", { type: "button", class: quiet ? "button icon-only" : "button", onclick, title: quiet ? label : null, "aria-label": quiet ? label : null, ...rest },
    icon(name), quiet ? null : h("span", {}, label));
}

/** Offer a text or blob as a file. */
export function download(name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
