// ProcessMap: a picture that is edited, and the same as two tables.

import { Rows } from './bind.js';
import { textOf } from './cells.js';
import { Control } from './control.js';
import { el, fill, focused, put, svg } from './dom.js';
import { Frame, Table } from './grid.js';
import { box, layout } from './layout.js';
import { adopt } from './style.js';
/** @import { Context, Words } from './bind.js' */
/** @import { Edge } from './layout.js' */

let count = 0;

/** The view of a ProcessMap. */
export class ProcessView {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.id = `limn-map-${++count}`;
    this.place = place;
    this.frame = new Frame(place);
    this.canvas = el('div', { className: 'limn-canvas' });
    this.panel = el('section', { className: 'limn-panel', hidden: true });
    this.empty = el('p', { className: 'limn-help' });
    place.append(el('div', { className: 'limn-map' }, this.canvas, this.panel), this.empty);
    this.steps = new Table(place);
    this.heading = el('h4', { className: 'limn-title' });
    place.append(this.heading);
    this.edges = new Table(place);
    /** @type {string | undefined} the step whose panel is open */
    this.open = undefined;
    /** @type {Control[]} */
    this.controls = [];
    this.drawn = '';
    /** @type {string[]} */
    this.known = [];
    /** @type {((added: string) => void) | undefined} */
    this.coming = undefined;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.canvas.addEventListener('click', (event) => this.choose(event.target));
    this.canvas.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      this.choose(event.target);
    });
    this.panel.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.panel.contains(focused(this.panel))) return;
      event.preventDefault();
      this.show(undefined, true);
    });
  }

  /** @param {Record<string, any>} properties */
  paths(properties) {
    return [properties.steps, properties.connections].filter(Boolean).map((rows) => rows.cells.path);
  }

  /** @param {Context} context */
  update(context) {
    adopt(this.place);
    const properties = context.componentModel.properties;
    const words = /** @type {Words} */ (properties.words ?? {});
    this.words = words;
    this.frame.update(properties);
    this.rows = new Rows(context, properties.steps);
    this.links = properties.connections ? new Rows(context, properties.connections) : undefined;
    const waiting = this.coming;
    this.steps.update(this.rows, words, properties.label ?? '');
    put(this.heading, 'textContent', words.connections ?? '');
    this.heading.hidden = this.edges.element.hidden = !this.links;
    if (this.links) this.edges.update(this.links, { ...words, add: words.connect ?? words.add ?? '+' }, words.connections ?? '');
    const added = this.links?.ids.find((id) => !this.known.includes(id));
    this.known = this.links?.ids ?? [];
    if (added !== undefined && waiting) {
      this.coming = undefined;
      waiting(added);
    }
    this.draw();
    this.fields();
  }

  /** The connections that can be drawn. @returns {Edge[]} */
  connections() {
    const { links, words } = this;
    if (!links) return [];
    return links.ids.map((id) => {
      const text = (/** @type {string} */ name) => {
        const value = links.get(id, name);
        return String(Array.isArray(value) ? value[0] ?? '' : value ?? '');
      };
      const kind = links.columns.find((c) => c.name === 'kind');
      const conditional = links.get(id, 'conditional');
      const label = [text('kind') === kind?.options?.[0]?.value || !kind ? '' : textOf(kind, text('kind')), conditional === true || conditional === '✓' ? words?.conditional ?? '' : ''];
      return { id, from: text('from'), to: text('to'), label: label.filter(Boolean).join(', ') };
    });
  }

  draw() {
    const { rows, words } = this;
    if (!rows || !words) return;
    const named = rows.ids.filter((id) => !rows.blank(id));
    const edges = this.connections();
    const width = this.canvas.clientWidth || 640;
    const tall = layout(named, edges, false), wide = layout(named, edges, true);
    const plan = wide.width <= width ? wide : tall;
    const text = (/** @type {string} */ id, /** @type {string} */ column) => textOf({ name: column, label: '', type: 'text' }, rows.get(id, column));
    const nodes = plan.boxes.map((b) => ({ ...b, n: rows.first + rows.ids.indexOf(b.id) + 1, name: text(b.id, 'name'), owner: text(b.id, 'owner'),
      bad: rows.columns.some((c) => rows.errorAt(b.id, c.name)), on: b.id === this.open }));
    const key = JSON.stringify([nodes, plan.arrows, plan.width, plan.height]);
    put(this.empty, 'textContent', words.empty ?? '');
    this.empty.hidden = named.length > 0;
    this.canvas.hidden = named.length === 0;
    if (key === this.drawn) return;
    this.drawn = key;
    const held = /** @type {SVGElement | null} */ (this.canvas.contains(focused(this.canvas)) ? focused(this.canvas) : null)?.dataset.step;
    const picture = svg('svg', { viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width, height: plan.height, role: 'group', 'aria-label': this.frame.title.textContent || words.list });
    picture.append(svg('defs', {}, svg('marker', { id: `${this.id}-tip`, viewBox: '0 0 10 10', refX: 3, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0L10 5L0 10z', class: 'limn-tip' }))));
    for (const a of plan.arrows) {
      picture.append(svg('path', { d: a.path, class: a.back ? 'limn-arrow limn-back' : 'limn-arrow', 'marker-end': `url(#${this.id}-tip)` }));
      if (a.label) picture.append(svg('text', { x: a.x, y: a.y + 4, class: 'limn-edge' }, a.label));
    }
    for (const b of nodes) {
      const name = b.name || fill(words.step ?? '{n}', { n: b.n });
      const title = [name, b.owner].filter(Boolean).join(' · ');
      const group = svg('g', { class: `limn-step${b.on ? ' limn-on' : ''}${b.bad ? ' limn-bad' : ''}`, transform: `translate(${b.x} ${b.y})`, 'data-step': b.id,
        ...(rows.readonly ? { role: 'img' } : { tabindex: 0, role: 'button', 'aria-expanded': String(b.on) }), 'aria-label': title });
      group.append(svg('title', {}, title), svg('rect', { width: box.width, height: box.height, rx: 8 }),
        svg('text', { x: 14, y: b.owner ? 24 : 33 }, cut(name, 22)), ...(b.owner ? [svg('text', { x: 14, y: 43, class: 'limn-owner' }, cut(b.owner, 24))] : []));
      picture.append(group);
    }
    this.canvas.replaceChildren(picture);
    if (held !== undefined) /** @type {SVGElement | null} */ (this.canvas.querySelector(`[data-step="${CSS.escape(held)}"]`))?.focus();
  }

  /** @param {EventTarget | null} target */
  choose(target) {
    const id = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest('[data-step]'))?.dataset.step : undefined;
    if (id !== undefined && !this.rows?.readonly) this.show(id === this.open ? undefined : id, true);
  }

  /** Opens the panel of a step, or closes it. @param {string | undefined} id @param {boolean} [go] */
  show(id, go = false) {
    const was = this.open;
    this.open = id;
    this.panel.replaceChildren();
    this.controls = [];
    this.fields();
    this.draw();
    if (!go) return;
    if (id !== undefined) this.controls[0]?.focus();
    else if (was !== undefined) /** @type {SVGElement | null} */ (this.canvas.querySelector(`[data-step="${CSS.escape(was)}"]`))?.focus();
  }

  /** The fields of the open step, and what can be done with it. */
  fields() {
    const { rows, words, links, open } = this;
    if (!rows || !words) return;
    if (open === undefined || !rows.ids.includes(open) || rows.readonly) {
      this.open = undefined;
      this.panel.hidden = true;
      return;
    }
    const n = rows.first + rows.ids.indexOf(open) + 1;
    if (!this.controls.length) {
      this.controls = rows.columns.map((column) => new Control(column, (value) => this.rows?.set(open, column.name, value)));
      const labels = this.controls.map((control, i) => {
        const id = `${this.id}-${open}-${i}`;
        control.target.id = id;
        return el('div', { className: 'limn-field' }, el('label', { htmlFor: id }, control.column.label), control.element, el('p', { className: 'limn-error', id: `${id}-why` }));
      });
      const close = el('button', { type: 'button', className: 'limn-icon', title: words.close ?? '' }, '×');
      put(close, 'aria-label', words.close ?? '');
      close.addEventListener('click', () => this.show(undefined, true));
      const follow = el('button', { type: 'button', className: 'limn-button' }, words.follow ?? '');
      follow.addEventListener('click', () => this.followed(open));
      follow.hidden = !rows.can('add') || !links?.can('add');
      const remove = el('button', { type: 'button', className: 'limn-button' }, words.remove ?? '');
      remove.addEventListener('click', () => {
        this.show(undefined);
        this.rows?.act('remove', { row: open });
      });
      this.title = el('h4', { className: 'limn-title' });
      this.panel.replaceChildren(el('div', { className: 'limn-bar' }, this.title, close), ...labels, el('div', { className: 'limn-foot' }, follow, remove));
    }
    this.panel.hidden = false;
    put(/** @type {HTMLElement} */ (this.title), 'textContent', fill(words.step ?? '{n}', { n }));
    this.controls.forEach((control, i) => {
      const id = `${this.id}-${open}-${i}`;
      const error = rows.errorAt(open, control.column.name);
      control.show(rows.get(open, control.column.name), '', '', error, `${id}-why`);
      const why = /** @type {Document | ShadowRoot} */ (this.panel.getRootNode()).getElementById(`${id}-why`);
      if (why) put(why, 'textContent', error);
    });
  }

  /** Adds a step after another: first the step, then its connection. @param {string} from */
  followed(from) {
    this.steps.coming = ([to]) => {
      if (to === undefined) return;
      this.show(to, true);
      const join = (/** @type {string} */ edge) => {
        this.links?.set(edge, 'from', [from]);
        this.links?.set(edge, 'to', [to]);
      };
      // A step added to a chain comes with a connection from its end.
      const came = this.connections().find((e) => !this.known.includes(e.id) && e.to === to);
      if (came) {
        join(came.id);
        return;
      }
      this.coming = join;
      this.links?.act('add', { count: 1 });
    };
    if (!this.rows?.act('add', { count: 1 })) this.steps.coming = undefined;
  }
}

/** @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

