// Pen and paper: sheets seen flat or tilted, and the strokes that go on them.
//
// A sheet maps the board to the page, (u, v) -> origin + u · across + v · down, with u in columns
// and v in rows. Marks, hatches and grids are written once in (u, v); a flat board, a layer of a
// cube and a mini board differ only in where they lie and in their two vectors.

const HATCH_STEP = 3.2; // px, half of what lies between two hatches where the risk is 1

const short = (value) => String(Math.round(value * 100) / 100);

export class Sheet {
  /** @param {{cells: number[], rows: number, columns: number, origin: number[], across: number[], down: number[]}} data  cells row by row */
  constructor({ cells, rows, columns, origin, across, down }) {
    this.cells = cells;
    this.rows = rows;
    this.columns = columns;
    this.origin = origin;
    this.across = across;
    this.down = down;
    this.index = new Map(cells.map((cell, i) => [cell, i]));
  }

  /** The width of a cell in px. */
  get size() {
    return this.across[0];
  }

  get isFlat() {
    return this.down[0] === 0;
  }

  holds(cell) {
    return this.index.has(cell);
  }

  /** The corner (u, v) of a cell. */
  place(cell) {
    const index = this.index.get(cell);
    return [index % this.columns, Math.floor(index / this.columns)];
  }

  at(u, v) {
    return [
      this.origin[0] + u * this.across[0] + v * this.down[0],
      this.origin[1] + u * this.across[1] + v * this.down[1],
    ];
  }

  centre(cell) {
    const [u, v] = this.place(cell);
    return this.at(u + 0.5, v + 0.5);
  }

  point(u, v) {
    return this.at(u, v).map(short).join(" ");
  }

  box(u, v, width = 1, height = 1, inset = 0) {
    const [left, top, right, bottom] = [u + inset, v + inset, u + width - inset, v + height - inset];
    return `M${this.point(left, top)}L${this.point(right, top)}L${this.point(right, bottom)}L${this.point(left, bottom)}Z`;
  }

  /** Where text stands; upright even on a tilted sheet, or it could not be read. */
  upright(u, v) {
    return `translate(${this.point(u, v)})`;
  }
}

/** A number in [-1, 1] that is always the same for a cell: no two marks of a pen are alike. */
export function wobble(cell, salt) {
  const mixed = Math.imul(cell * 7919 + salt * 104729 + 12289, 2654435761) >>> 0;
  return (mixed >>> 8) / 2 ** 23 - 1;
}

/** Two path texts of an X around (u, v): strokes with a slight bow. */
function crossPaths(sheet, cell, reach, u, v) {
  return [1, -1].map((side, stroke) => {
    const tilt = 0.1 * reach * wobble(cell, stroke);
    const bow = 0.14 * reach * wobble(cell, 2 + stroke);
    const end = side * (reach - tilt);
    return `M${sheet.point(u - end, v - reach - tilt)}Q${sheet.point(u + bow * side, v - bow)} ${sheet.point(u + end, v + reach + tilt)}`;
  });
}

/** One path text of an O around (u, v): once round, and a little past where the pen began. */
function ringPath(sheet, cell, reach, u, v) {
  const arcs = 5;
  const turn = ((372 + 6 * wobble(cell, 4)) * Math.PI) / 180;
  const start = ((-100 + 25 * wobble(cell, 5)) * Math.PI) / 180;
  const [outer, inner] = [reach * 1.012, reach * 0.988];
  const handle = (4 / 3) * Math.tan(turn / arcs / 4);
  const spoke = (i) => {
    const angle = start - (turn * i) / arcs;
    return [outer + ((inner - outer) * i) / arcs, Math.cos(angle), Math.sin(angle)];
  };
  let path = "";
  for (let i = 0; i < arcs; i += 1) {
    const [radius, cos, sin] = spoke(i);
    const [far, farCos, farSin] = spoke(i + 1);
    if (i === 0) path = `M${sheet.point(u + radius * cos, v + radius * sin)}`;
    path += `C${sheet.point(u + radius * (cos + handle * sin), v + radius * (sin - handle * cos))} `;
    path += `${sheet.point(u + far * (farCos - handle * farSin), v + far * (farSin + handle * farCos))} `;
    path += sheet.point(u + far * farCos, v + far * farSin);
  }
  return path;
}

/** The strokes of a mark around (u, v), in the order of the pen. */
export function markPaths(sheet, mark, cell, reach, u, v) {
  return mark === "X" ? crossPaths(sheet, cell, reach * 0.92, u, v) : [ringPath(sheet, cell, reach, u, v)];
}

/**
 * Slanted pencil lines, as many as the risk is high. With a whole number of them to each unit they
 * run on into neighbours of the same risk.
 */
export function hatchPath(sheet, u, v, risk) {
  const pairs = Math.max(1, Math.round((risk * sheet.down[1]) / (2 * HATCH_STEP)));
  let path = "";
  for (let i = 0; i < 2 * pairs; i += 1) {
    const level = (i + 0.5) / pairs;
    const [low, high] = [Math.max(0, level - 1), Math.min(1, level)];
    path += `M${sheet.point(u + low, v + level - low)}L${sheet.point(u + high, v + level - high)}`;
  }
  return path;
}

/** The lines between the cells, each with the slight bow of a hand. */
export function gridPath(sheet) {
  const gap = 0.03;
  let path = "";
  for (let column = 1; column < sheet.columns; column += 1) {
    const bow = 0.035 * wobble(sheet.cells[0] + column, 7);
    path += `M${sheet.point(column, gap)}Q${sheet.point(column + bow, sheet.rows / 2)} ${sheet.point(column, sheet.rows - gap)}`;
  }
  for (let row = 1; row < sheet.rows; row += 1) {
    const bow = 0.035 * wobble(sheet.cells[0] + row, 8);
    path += `M${sheet.point(gap, row)}Q${sheet.point(sheet.columns / 2, row + bow)} ${sheet.point(sheet.columns - gap, row)}`;
  }
  return path;
}

/** A stroke through points, begun a little earlier and ended a little later. */
export function strokeThrough(points, by) {
  const beyond = (end, before) => {
    const [dx, dy] = [end[0] - before[0], end[1] - before[1]];
    const length = Math.hypot(dx, dy) || 1;
    return [end[0] + (by * dx) / length, end[1] + (by * dy) / length];
  };
  const last = points.length - 1;
  const all = last === 0
    ? [[points[0][0] - by, points[0][1]], [points[0][0] + by, points[0][1]]]
    : [beyond(points[0], points[1]), ...points.slice(1, last), beyond(points[last], points[last - 1])];
  return `M${all.map((point) => point.map(short).join(" ")).join("L")}`;
}
