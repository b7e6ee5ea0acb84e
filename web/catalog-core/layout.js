// Where the boxes and arrows of a process are drawn: in layers, a step below those that
// lead to it. Pure.

/**
 * @typedef {object} Edge
 * @property {string} id
 * @property {string} from
 * @property {string} to
 * @property {string} label
 */

/**
 * @typedef {object} Box
 * @property {string} id
 * @property {number} x
 * @property {number} y
 */

/**
 * @typedef {object} Arrow
 * @property {string} id of the edge
 * @property {string} path as SVG has it
 * @property {number} x of the label
 * @property {number} y
 * @property {string} label
 * @property {boolean} back leads to a layer before
 */

/**
 * A band of the picture that has the steps of one owner.
 * @typedef {object} Lane
 * @property {string} name
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

export const box = { width: 176, height: 56, right: 32, below: 52, margin: 24 };
const named = { across: 112, down: 36 }; // what the name of a lane takes

/**
 * @param {string[]} steps in order
 * @param {Edge[]} edges of steps that are there
 * @param {boolean} across from left to right, not from top to bottom
 * @param {(id: string) => string} [laneOf] puts steps into lanes, in the order of their first steps, "" last
 * @returns {{ width: number; height: number; boxes: Box[]; arrows: Arrow[]; lanes: Lane[] }}
 */
export function layout(steps, edges, across, laneOf) {
  const known = new Set(steps);
  const kept = edges.filter((e) => known.has(e.from) && known.has(e.to) && e.from !== e.to);
  const layer = layers(steps, kept);
  /** @type {string[][]} */
  const rows = [];
  for (const id of steps) (rows[layer.get(id) ?? 0] ??= []).push(id);
  for (const row of rows.slice(1)) {
    const above = rows[rows.indexOf(row) - 1] ?? [];
    const middle = (/** @type {string} */ id) => {
      const from = kept.filter((e) => e.to === id).map((e) => above.indexOf(e.from)).filter((i) => i >= 0);
      return from.length ? from.reduce((a, b) => a + b, 0) / from.length : above.length;
    };
    const at = new Map(row.map((id) => [id, middle(id)]));
    row.sort((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0));
  }
  const label = Math.max(0, ...kept.map((e) => e.label.length)) * 7; // px, about
  const size = across ? { along: box.width + Math.max(box.below, label + 36), beside: box.height + box.right, a: box.width, b: box.height }
    : { along: box.height + box.below, beside: box.width + box.right, a: box.height, b: box.width };
  const { at, bands, breadth: span } = laneOf ? inLanes(rows, steps, laneOf, size) : inRows(rows, size);
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  const start = box.margin + (laneOf ? named[across ? 'across' : 'down'] : 0);
  rows.forEach((row, l) => row.forEach((id) => {
    const along = start + l * size.along, beside = box.margin + (at.get(id) ?? 0);
    boxes.set(id, across ? { id, x: along, y: beside } : { id, x: beside, y: along });
  }));
  const length = start + (rows.length - 1) * size.along + size.a + box.margin;
  const back = kept.filter((e) => (layer.get(e.to) ?? 0) <= (layer.get(e.from) ?? 0));
  const room = back.length ? box.margin + 20 + 12 * back.length : 0;
  const breadth = span + 2 * box.margin + room;
  const arrows = kept.map((e) => {
    const from = /** @type {Box} */ (boxes.get(e.from)), to = /** @type {Box} */ (boxes.get(e.to));
    const n = back.indexOf(e);
    return n < 0 ? forth(e, from, to, across) : around(e, from, to, across, span + box.margin + 20 + 12 * n);
  });
  const lanes = bands.map(({ name, from, to }) => {
    const [a, b] = [box.margin + from - box.right / 2, to - from + box.right];
    return across ? { name, x: 0, y: a, width: length, height: b } : { name, x: a, y: 0, width: b, height: length };
  });
  return { width: across ? length : breadth, height: across ? breadth : length, boxes: [...boxes.values()], arrows, lanes };
}

/**
 * Where the steps of a layer stand beside one another: in its middle.
 * @param {string[][]} rows
 * @param {{ beside: number }} size
 */
function inRows(rows, size) {
  /** @type {Map<string, number>} */
  const at = new Map();
  const breadth = Math.max(1, ...rows.map((row) => row.length)) * size.beside - box.right;
  for (const row of rows) {
    const indent = (breadth - (row.length * size.beside - box.right)) / 2;
    row.forEach((id, i) => at.set(id, indent + i * size.beside));
  }
  return { at, breadth, bands: /** @type {{ name: string; from: number; to: number }[]} */ ([]) };
}

/**
 * The same with a lane for each owner, as broad as the most of its steps in one layer.
 * @param {string[][]} rows
 * @param {string[]} steps
 * @param {(id: string) => string} laneOf
 * @param {{ beside: number }} size
 */
function inLanes(rows, steps, laneOf, size) {
  const names = [...new Set(steps.map(laneOf))].sort((a, b) => Number(a === '') - Number(b === ''));
  /** @type {Map<string, number>} */
  const at = new Map();
  let from = 0;
  const bands = names.map((name) => {
    let most = 1;
    for (const row of rows) {
      const mine = row.filter((id) => laneOf(id) === name);
      most = Math.max(most, mine.length);
      mine.forEach((id, i) => at.set(id, from + i * size.beside));
    }
    const band = { name, from, to: from + most * size.beside - box.right };
    from += most * size.beside;
    return band;
  });
  return { at, bands, breadth: bands.at(-1)?.to ?? 0 };
}

/**
 * The next of some points from one of them in a direction: the nearest that lies rather
 * there than to a side. undefined: none.
 * @param {{ id: string; x: number; y: number }[]} points
 * @param {string} id
 * @param {number} right 1, -1 or 0
 * @param {number} down 1, -1 or 0
 * @returns {string | undefined}
 */
export function toward(points, id, right, down) {
  const from = points.find((p) => p.id === id);
  if (!from) return undefined;
  let best = Infinity;
  /** @type {string | undefined} */
  let found;
  for (const p of points) {
    const along = (p.x - from.x) * right + (p.y - from.y) * down;
    const aside = Math.abs((p.x - from.x) * down) + Math.abs((p.y - from.y) * right);
    if (p === from || along <= 0 || aside > 2 * along || along + 2 * aside >= best) continue;
    best = along + 2 * aside;
    found = p.id;
  }
  return found;
}

/**
 * The layer of each step: one more than the greatest of those that lead to it, but for
 * edges that close a circle.
 * @param {string[]} steps
 * @param {Edge[]} edges
 */
function layers(steps, edges) {
  /** @type {Map<string, string[]>} */
  const next = new Map(steps.map((id) => [id, edges.filter((e) => e.from === id).map((e) => e.to)]));
  /** @type {Map<string, 'open' | 'done'>} */
  const seen = new Map();
  /** @type {string[]} */
  const order = [];
  /** @type {Set<string>} */
  const closing = new Set();
  for (const start of steps) {
    /** @type {{ id: string; i: number }[]} */
    const path = seen.has(start) ? [] : [{ id: start, i: 0 }];
    if (path.length) seen.set(start, 'open');
    while (path.length) {
      const top = /** @type {{ id: string; i: number }} */ (path.at(-1));
      const to = next.get(top.id)?.[top.i++];
      if (to === undefined) {
        seen.set(top.id, 'done');
        order.unshift(top.id);
        path.pop();
      } else if (seen.get(to) === 'open') {
        closing.add(`${top.id}\n${to}`);
      } else if (!seen.has(to)) {
        seen.set(to, 'open');
        path.push({ id: to, i: 0 });
      }
    }
  }
  const layer = new Map(steps.map((id) => [id, 0]));
  for (const id of order) {
    for (const to of next.get(id) ?? []) {
      if (!closing.has(`${id}\n${to}`)) layer.set(to, Math.max(layer.get(to) ?? 0, (layer.get(id) ?? 0) + 1));
    }
  }
  return layer;
}

/** @param {Edge} e @param {Box} from @param {Box} to @param {boolean} across @returns {Arrow} */
function forth(e, from, to, across) {
  const [x1, y1, x2, y2] = across ? [from.x + box.width, from.y + box.height / 2, to.x - 7, to.y + box.height / 2]
    : [from.x + box.width / 2, from.y + box.height, to.x + box.width / 2, to.y - 7];
  const bend = (across ? x2 - x1 : y2 - y1) / 2;
  const path = across ? `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` : `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  return { id: e.id, path, x: (x1 + x2) / 2, y: (y1 + y2) / 2, label: e.label, back: false };
}

/**
 * An arrow that leads back goes around the boxes.
 * @param {Edge} e @param {Box} from @param {Box} to @param {boolean} across @param {number} lane
 * @returns {Arrow}
 */
function around(e, from, to, across, lane) {
  if (across) {
    const x1 = from.x + box.width / 2, x2 = to.x + box.width / 2, y1 = from.y + box.height, y2 = to.y + box.height + 7;
    return { id: e.id, path: `M${x1} ${y1}V${lane}H${x2}V${y2}`, x: (x1 + x2) / 2, y: lane, label: e.label, back: true };
  }
  const y1 = from.y + box.height / 2, y2 = to.y + box.height / 2, x1 = from.x + box.width, x2 = to.x + box.width + 7;
  return { id: e.id, path: `M${x1} ${y1}H${lane}V${y2}H${x2}`, x: lane, y: (y1 + y2) / 2, label: e.label, back: true };
}
