// Values as colour: O's orange, through neutral, to X's blue. The number always stands beside it.

const RAMP = {
  light: { x: [42, 102, 173], o: [207, 106, 28], zero: [236, 229, 214] },
  dark: { x: [84, 150, 224], o: [226, 124, 46], zero: [58, 66, 76] },
};

function theme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function mix(from, to, share) {
  return from.map((part, i) => Math.round(part + (to[i] - part) * share));
}

/**
 * The fill for a value in [-1, 1].
 * Estimates are set lighter: they go only part of the way.
 */
export function valueColour(value, isExact = true) {
  const ramp = RAMP[theme()];
  const strength = Math.min(1, Math.abs(value)) ** 0.8 * (isExact ? 0.92 : 0.55);
  return `rgb(${mix(ramp.zero, value >= 0 ? ramp.x : ramp.o, strength).join(" ")})`;
}

/** Black or white, whichever reads better on the colour of a value. */
export function inkOn(value, isExact = true) {
  const rgb = valueColour(value, isExact).match(/\d+/g).map(Number);
  const light = luminance(rgb);
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

/** "X wins 0.31 more often than O". */
export function inWords(value) {
  if (Math.abs(value) < 5e-4) return "level: X and O win equally often";
  if (value > 1 - 1e-9) return "X wins for certain";
  if (value < -1 + 1e-9) return "O wins for certain";
  const [better, worse] = value > 0 ? ["X", "O"] : ["O", "X"];
  return `${better} wins ${Math.abs(value).toFixed(Math.abs(value) < 0.095 ? 3 : 2)} more often than ${worse}`;
}
