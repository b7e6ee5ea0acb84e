// Chart: the picture, and its figures as a table.

import { figure, plot } from './chart.js';
import { el, put, svg } from './dom.js';
import { Frame } from './grid.js';
import { adopt } from './style.js';
/** @import { Context } from './bind.js' */
/** @import { Figures, Mark } from './chart.js' */

/** The view of a Chart. */
export class ChartView {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.frame = new Frame(place);
    this.picture = el('div', { className: 'limn-chart' });
    this.legend = el('ul', { className: 'limn-legend' });
    this.summary = el('summary');
    this.table = el('table');
    this.details = el('details', { className: 'limn-figures' }, this.summary, el('div', { className: 'limn-scroll' }, this.table));
    this.empty = el('p', { className: 'limn-help' });
    place.append(this.picture, this.legend, this.empty, this.details);
    this.drawn = '';
  }

  /** @param {Record<string, any>} properties */
  paths(properties) {
    return [properties.labels.path, ...(properties.series ?? []).map((/** @type {any} */ s) => s.values.path)];
  }

  /** @param {Context} context */
  update(context) {
    adopt(this.place);
    const properties = context.componentModel.properties;
    const data = context.dataContext.dataModel;
    const list = (/** @type {{ path: string }} */ bound) => { const v = data.get(bound.path); return Array.isArray(v) ? v : []; };
    const label = [properties.label, properties.unit ? `(${properties.unit})` : ''].filter(Boolean).join(' ');
    this.frame.update(properties.label ? { label } : { help: properties.unit ?? '' });
    this.picture.classList.toggle('limn-pie', properties.kind === 'pie');
    /** @type {Figures} */
    const figures = { kind: properties.kind, labels: list(properties.labels).map(String),
      series: (properties.series ?? []).map((/** @type {any} */ s) => ({ name: s.name, values: list(s.values).map((v) => (v === null || Number.isNaN(Number(v)) ? null : Number(v))) })) };
    const key = JSON.stringify([figures, label, properties.words]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.draw(figures, label, properties.words ?? {});
  }

  /** @param {Figures} figures @param {string} label @param {Record<string, string>} words */
  draw(figures, label, words) {
    const say = new Intl.NumberFormat(document.documentElement.lang || undefined, { maximumFractionDigits: 20 }).format;
    const drawing = plot(figures, (n) => figure(n, say));
    put(this.empty, 'textContent', drawing ? '' : words.empty ?? '');
    this.empty.hidden = !!drawing;
    this.picture.hidden = this.details.hidden = !drawing;
    this.legend.replaceChildren(...(drawing?.legend ?? []).map((one) => el('li', { className: `limn-c${one.series % 8}` }, el('i'), one.text)));
    this.legend.hidden = !drawing?.legend.length;
    if (!drawing) return;
    const picture = svg('svg', { viewBox: `0 0 ${drawing.width} ${drawing.height}`, role: 'img', 'aria-label': label || words.table });
    for (const t of drawing.ticks) {
      picture.append(svg('line', { x1: drawing.left, x2: drawing.width - 8, y1: t.y, y2: t.y, class: t.y === drawing.zero ? 'limn-zero' : 'limn-tick' }),
        svg('text', { x: drawing.left - 8, y: t.y + 4, class: 'limn-y' }, t.text));
    }
    for (const l of drawing.labels) picture.append(svg('text', { x: l.x, y: drawing.height - 14, class: 'limn-x' }, l.text));
    for (const m of drawing.marks) picture.append(shape(m));
    this.picture.replaceChildren(picture);
    put(this.summary, 'textContent', words.table ?? '');
    const th = (/** @type {string} */ text, /** @type {string} */ scope) => el('th', { scope }, text);
    const named = figures.series.map((s) => s.name || label);
    this.table.replaceChildren(el('thead', {}, el('tr', {}, th(words.label ?? '', 'col'), ...named.map((n) => th(n, 'col')))),
      el('tbody', {}, ...figures.labels.map((text, i) => el('tr', {}, th(text, 'row'), ...figures.series.map((s) => el('td', { 'data-type': 'number' }, figure(s.values[i] ?? null, say)))))));
  }
}

/** @param {Mark} m */
function shape(m) {
  const colour = `limn-c${m.series % 8}`;
  const title = svg('title', {}, m.title);
  switch (m.shape) {
    case 'bar': return svg('rect', { x: m.x, y: m.y, width: m.width, height: m.height, rx: 2, class: `limn-mark ${colour}` }, title);
    case 'dot': return svg('circle', { cx: m.x, cy: m.y, r: 4, class: `limn-mark ${colour}` }, title);
    case 'line': return svg('path', { d: m.path, class: `limn-line ${colour}` });
  }
  return svg('path', { d: m.path, class: `limn-mark limn-slice ${colour}` }, title);
}
