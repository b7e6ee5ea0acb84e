// The shapes of a chart: pure; chart-view.js draws them.

/**
 * @typedef {object} Figures
 * @property {'bar' | 'line' | 'pie'} kind
 * @property {string[]} labels
 * @property {{ name: string; values: (number | null)[] }[]} series null: there is none; so is what is no finite number
 */

/**
 * @typedef {object} Mark
 * @property {'bar' | 'line' | 'dot' | 'slice'} shape
 * @property {number} series which colour
 * @property {string} [path]
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [width]
 * @property {number} [height]
 * @property {string} title what it says to a pointer
 */

/**
 * @typedef {object} Plot
 * @property {number} width
 * @property {number} height
 * @property {Mark[]} marks
 * @property {{ y: number; text: string }[]} ticks
 * @property {{ x: number; text: string }[]} labels
 * @property {number} left where the plot begins
 * @property {number} zero the height of 0
 * @property {{ series: number; text: string }[]} legend
 */

const area = { width: 640, height: 300, left: 56, right: 16, top: 16, bottom: 36 };

/**
 * @param {Figures} figures
 * @param {(n: number) => string} say
 * @returns {Plot | undefined} undefined: nothing to draw
 */
export function plot(figures, say) {
  const { labels } = figures;
  const series = figures.series.map((s) => ({ ...s, values: s.values.map((v) => (Number.isFinite(v) ? v : null)) }));
  if (!labels.length || !series.some((s) => s.values.some((v) => v !== null))) return undefined;
  return figures.kind === 'pie' ? pie({ ...figures, series }, say) : axes({ ...figures, series }, say);
}

/**
 * Round numbers from at most the least value to at least the greatest, 0 among them.
 * @param {number} least
 * @param {number} most
 * @returns {number[]}
 */
export function scale(least, most) {
  const low = Math.min(0, least), high = Math.max(0, most);
  const range = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(range / 4));
  const step = power * ([1, 2, 2.5, 5].find((f) => range / (f * power) <= 5) ?? 10);
  const from = Math.floor(low / step + 1e-9), to = Math.ceil(high / step - 1e-9);
  return Array.from({ length: Math.max(2, to - from + 1) }, (_, i) => Number(((from + i) * step).toPrecision(12)));
}

/** @param {Figures} figures @param {(n: number) => string} say @returns {Plot} */
function axes({ kind, labels, series }, say) {
  const all = series.flatMap((s) => s.values).filter((v) => v !== null);
  const steps = scale(Math.min(...all, 0), Math.max(...all, 0));
  const low = steps[0] ?? 0, high = steps.at(-1) ?? 1;
  const inner = { width: area.width - area.left - area.right, height: area.height - area.top - area.bottom };
  const y = (/** @type {number} */ v) => round(area.top + inner.height * (1 - (v - low) / (high - low)));
  const slot = inner.width / labels.length;
  const x = (/** @type {number} */ i) => round(area.left + slot * (i + 0.5));
  /** @type {Mark[]} */
  const marks = [];
  series.forEach((s, n) => {
    const name = s.name ? `${s.name}, ` : '';
    const points = s.values.flatMap((v, i) => (v === null ? [] : [{ v, i, title: `${name}${labels[i]}: ${say(v)}` }]));
    if (kind === 'bar') {
      const width = Math.min(48, (slot * 0.7) / series.length);
      points.forEach(({ v, i, title }) => marks.push({ shape: 'bar', series: n, title, width: round(width),
        x: round(area.left + slot * (i + 0.5) + width * (n - series.length / 2)), y: Math.min(y(v), y(0)), height: round(Math.abs(y(v) - y(0))) }));
      return;
    }
    marks.push({ shape: 'line', series: n, title: s.name, path: points.map(({ v, i }, k) => `${points[k - 1]?.i === i - 1 ? 'L' : 'M'}${x(i)} ${y(v)}`).join('') });
    points.forEach(({ v, i, title }, k) => {
      const lone = points[k - 1]?.i !== i - 1 && points[k + 1]?.i !== i + 1;
      if (lone || s.values.length <= 40) marks.push({ shape: 'dot', series: n, title, x: x(i), y: y(v) });
    });
  });
  const every = Math.ceil(labels.length / 10);
  return {
    width: area.width, height: area.height, marks, left: area.left, zero: y(0),
    ticks: steps.map((v) => ({ y: y(v), text: say(v) })),
    labels: labels.flatMap((text, i) => (i % every ? [] : [{ x: x(i), text: short(text, Math.max(4, (slot * every) / 7)) }])),
    legend: series.length > 1 ? series.map((s, n) => ({ series: n, text: s.name })) : [],
  };
}

/** @param {Figures} figures @param {(n: number) => string} say @returns {Plot | undefined} */
function pie({ labels, series }, say) {
  const values = (series[0]?.values ?? []).map((v) => Math.max(0, v ?? 0));
  const sum = values.reduce((a, b) => a + b, 0);
  if (!sum) return undefined;
  const r = area.height / 2 - area.top, cx = r + area.top, cy = area.height / 2;
  let turn = -Math.PI / 2;
  /** @type {Mark[]} */
  const marks = [];
  values.forEach((v, i) => {
    if (!v) return;
    const part = Math.min(v / sum, 0.99999) * 2 * Math.PI; // an arc of a whole turn is none
    const at = (/** @type {number} */ a) => `${round(cx + r * Math.cos(a))} ${round(cy + r * Math.sin(a))}`;
    marks.push({ shape: 'slice', series: i, title: `${labels[i]}: ${say(v)} (${Math.round((100 * v) / sum)} %)`,
      path: `M${cx} ${cy}L${at(turn)}A${r} ${r} 0 ${part > Math.PI ? 1 : 0} 1 ${at(turn + part)}Z` });
    turn += part;
  });
  return { width: 2 * cx, height: area.height, marks, ticks: [], labels: [], left: 0, zero: 0,
    legend: labels.map((text, i) => ({ series: i, text: `${text} · ${figure(series[0]?.values[i] ?? null, say)}` })) };
}

/**
 * A value as a table shows it: a gap is a dash, and a fraction has the 15 digits that hold in any sum.
 * @param {number | null} v
 * @param {(n: number) => string} say
 */
export const figure = (v, say) => (v === null ? '–' : say(Number.isInteger(v) ? v : Number(v.toPrecision(15))));

const round = (/** @type {number} */ v) => Math.round(v * 10) / 10;

/** @param {string} text @param {number} most */
const short = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, Math.floor(most) - 1))}…` : text);
