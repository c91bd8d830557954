// The one grammar that names games and agents: name:key=value,flag, a vector as a/b/c.

/** @typedef {{name: string, options: Record<string, string>}} Spec  a flag has the value "" */

/** @param {string} text @returns {Spec} */
export function parseSpec(text) {
  const [name, rest = ""] = splitOnce(text.trim(), ":");
  /** @type {Record<string, string>} */
  const options = {};
  for (const word of rest ? rest.split(",") : []) {
    const [key, value = ""] = splitOnce(word, "=");
    options[key] = value;
  }
  return { name, options };
}

/** @param {Spec} spec */
export function formatSpec({ name, options }) {
  const words = Object.entries(options).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  return words.length ? `${name}:${words.join(",")}` : name;
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** A short text for a probability: no needless zeros. */
export function shortNumber(value) {
  return String(Math.round(value * 1e4) / 1e4);
}

/** One number where all are equal, else a/b/c; "" when all are 0. */
export function formatVector(vector) {
  if (vector.every((value) => value === 0)) return "";
  if (vector.every((value) => value === vector[0])) return shortNumber(vector[0]);
  return vector.map(shortNumber).join("/");
}

export const RISK_KEYS = ["flip", "fizzle", "fade", "hazard", "limit", "turn_limit", "ticks", "seed"];

/** The spec without any risk. */
export function withoutRisk(text) {
  const { name, options } = parseSpec(text);
  const kept = Object.fromEntries(Object.entries(options).filter(([key]) => !RISK_KEYS.includes(key)));
  return formatSpec({ name, options: kept });
}

/** The spec with other risk options; empty ones are dropped. */
export function withRisk(text, risks) {
  const { name, options } = parseSpec(withoutRisk(text));
  for (const key of RISK_KEYS) if (risks[key]) options[key] = risks[key];
  return formatSpec({ name, options });
}
