// Values as colour: O's orange, through neutral, to X's blue. The number always stands beside it.

const RAMP = {
  light: { x: [42, 102, 173], o: [207, 106, 28], zero: [229, 229, 228] },
  dark: { x: [84, 150, 224], o: [226, 124, 46], zero: [66, 70, 75] },
};
const NOTHING = 5e-4; // a value that is shown as 0.00
export const FINE = 5e-3; // a spread from which a third decimal says something
const FAINT = 0.28; // how far the least of several values on one side goes towards its colour

function theme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function mix(from, to, share) {
  return from.map((part, i) => Math.round(part + (to[i] - part) * share));
}

/**
 * How values are coloured: the ramp runs over those on show, and 0 is always neutral.
 * @typedef {{low: number, high: number, least: number, most: number, isOneSided: boolean}} Scale
 */

/** @param {{value: number, exact: boolean, spread: number | null}[]} entries @returns {Scale} */
export function scaleOf(entries) {
  const whole = { low: -1, high: 1, least: 0, most: 1, isOneSided: false };
  if (!entries.length) return whole;
  const values = entries.map((entry) => entry.value);
  const noise = 2 * usualSpread(entries); // what is less may be chance, and is no colour
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const most = Math.min(1, Math.max(Math.abs(low), Math.abs(high), noise));
  if (high - low < NOTHING || most > 1 - NOTHING) return whole;
  const isOneSided = low > Math.max(NOTHING, noise) || high < -Math.max(NOTHING, noise);
  if (!isOneSided) return { low: -most, high: most, least: 0, most, isOneSided };
  return { low, high, least: Math.min(Math.abs(low), Math.abs(high)), most, isOneSided };
}

/** How far estimates may be off: the standard error of the middle one; 0 where none is shown. */
export function usualSpread(entries) {
  const spreads = entries.filter((entry) => !entry.exact).map((entry) => entry.spread ?? 0).sort((a, b) => a - b);
  return spreads.length ? spreads[spreads.length >> 1] : 0;
}

/**
 * The fill for a value. Estimates are set lighter, the noisier the more: they go only part of the way.
 * @param {number} value @param {boolean} isExact @param {Scale} scale @param {number | null} spread  standard error of an estimate
 */
export function valueColour(value, isExact = true, scale = scaleOf([]), spread = null) {
  const ramp = RAMP[theme()];
  const size = Math.abs(value);
  if (size < NOTHING) return `rgb(${ramp.zero.join(" ")})`;
  const along = scale.isOneSided ? FAINT + ((1 - FAINT) * (size - scale.least)) / (scale.most - scale.least) : size / scale.most;
  const strength = Math.max(0, Math.min(1, along)) ** 0.8 * (isExact ? 0.92 : 0.55 * Math.max(0.2, 1 - 1.5 * (spread ?? 0)));
  return `rgb(${mix(ramp.zero, value >= 0 ? ramp.x : ramp.o, strength).join(" ")})`;
}

/** Black or white, whichever reads better on a colour. */
export function inkOn(colour) {
  const light = luminance(colour.match(/\d+/g).map(Number));
  return (light + 0.05) / (0.0035 + 0.05) > 1.05 / (light + 0.05) ? "#14110c" : "#ffffff";
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** "+0.31": two decimals and always a sign; a true minus. */
export function signed(value, digits = 2) {
  const rounded = Math.abs(value).toFixed(digits);
  if (Number(rounded) === 0) return Math.abs(value) < 1e-9 ? (0).toFixed(digits) : `${value > 0 ? "+" : "−"}${rounded}`;
  return `${value > 0 ? "+" : "−"}${rounded}`;
}
