// ProcessMap: a picture that is edited, and the same as two tables.

import { Rows } from './bind.js';
import { textOf } from './cells.js';
import { Control } from './control.js';
import { el, fill, focused, put } from './dom.js';
import { Frame, Table } from './grid.js';
import { History } from './history.js';
import { Picture } from './picture.js';
import { adopt } from './style.js';
/** @import { Context, Words } from './bind.js' */
/** @import { Edge } from './layout.js' */
/** @import { Thing } from './picture.js' */

let count = 0;

/** The view of a ProcessMap. */
export class ProcessView {
  /** @param {HTMLElement} place @param {boolean} [alone] without the tables: the page has them already */
  constructor(place, alone = false) {
    this.id = `limn-map-${++count}`;
    this.place = place;
    this.history = new History();
    this.frame = new Frame(place);
    this.panel = el('section', { className: 'limn-panel', hidden: true });
    this.empty = el('p', { className: 'limn-help' });
    this.picture = new Picture(this, this.id);
    this.history.turned = () => this.picture.say('');
    place.append(this.picture.bar, el('div', { className: 'limn-map' }, this.picture.canvas, this.panel), this.picture.hint, this.picture.says, this.empty);
    const below = alone ? el('div') : place;
    this.steps = new Table(below, this.history);
    this.heading = el('h4', { className: 'limn-title' });
    below.append(this.heading);
    this.edges = new Table(below, this.history);
    this.steps.shown = this.edges.shown = !alone;
    /** @type {Thing | undefined} what the panel is open for */
    this.open = undefined;
    /** @type {Control[]} */
    this.controls = [];
    /** @type {string[]} the connections of the last update */
    this.known = [];
    this.panel.addEventListener('keydown', (event) => {
      if (this.history.key(event) || event.key !== 'Escape' || !this.panel.contains(focused(this.panel))) return;
      event.preventDefault();
      this.show(undefined, true);
    });
    this.panel.addEventListener('focusin', () => this.history.pause());
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
    this.rows = new Rows(context, properties.steps, this.history);
    this.links = properties.connections ? new Rows(context, properties.connections, this.history) : undefined;
    this.steps.update(this.rows, words, properties.label ?? '');
    put(this.heading, 'textContent', words.connections ?? '');
    this.heading.hidden = this.edges.element.hidden = !this.links;
    if (this.links) this.edges.update(this.links, { ...words, add: words.connect ?? words.add ?? '+' }, words.connections ?? '');
    this.known = this.links?.ids ?? [];
    const named = this.rows.ids.some((id) => !this.rows?.blank(id));
    put(this.empty, 'textContent', words.empty ?? '');
    this.empty.hidden = named;
    this.fields();
    this.picture.update(this.rows, words, this.frame.title.textContent || (words.list ?? ''), named);
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

  /** What a step is called. @param {string} id */
  nameOf(id) {
    const { rows, words } = this;
    const text = String(rows?.get(id, 'name') ?? '').trim();
    return text || fill(words?.step ?? '{n}', { n: (rows?.first ?? 0) + (rows?.ids.indexOf(id) ?? 0) + 1 });
  }

  /** Who does a step. @param {string} id */
  ownerOf(id) {
    const column = this.rows?.columns.find((c) => c.name === 'owner');
    return column ? textOf(column, this.rows?.get(id, 'owner')).trim() : '';
  }

  /** What can be done to the steps and to their connections. */
  get can() {
    const add = this.rows?.can('add') ?? false;
    return { edit: this.rows?.readonly === false, connect: this.links?.can('add') ?? false, follow: add && (this.links?.can('add') ?? false) };
  }

  /** Opens the panel of a step or a connection, or closes it. @param {Thing | undefined} thing @param {boolean} [go] */
  show(thing, go = false) {
    const was = this.open;
    this.open = thing;
    this.panel.replaceChildren();
    this.controls = [];
    this.history.pause();
    this.fields();
    this.picture.draw();
    if (!go) return;
    if (thing) this.controls[0]?.focus();
    else if (was) this.picture.focus(was);
  }

  /** The fields of what is open, and what can be done with it. */
  fields() {
    const { rows, words, open } = this;
    const of = open?.in === 'edge' ? this.links : rows;
    if (!rows || !of || !words || !open || !of.ids.includes(open.id) || rows.readonly) {
      this.open = undefined;
      this.panel.hidden = true;
      return;
    }
    const id = (/** @type {number} */ i) => `${this.id}-${open.in}-${open.id}-${i}`;
    const edge = open.in === 'edge' ? this.connections().find((e) => e.id === open.id) : undefined;
    if (!this.controls.length) {
      const rowset = of.path;
      this.controls = of.columns.map((column) => new Control(column, (value) => (this.rows?.path === rowset ? this.rows : this.links)?.set(open.id, column.name, value)));
      const labels = this.controls.map((control, i) => {
        control.target.id = id(i);
        return el('div', { className: 'limn-field' }, el('label', { htmlFor: id(i) }, control.column.label), control.element, el('p', { className: 'limn-error', id: `${id(i)}-why` }));
      });
      const close = el('button', { type: 'button', className: 'limn-icon', title: words.close ?? '' }, '×');
      put(close, 'aria-label', words.close ?? '');
      close.addEventListener('click', () => this.show(undefined, true));
      this.title = el('h4', { className: 'limn-title' });
      this.panel.replaceChildren(el('div', { className: 'limn-bar' }, this.title, close), ...labels, el('div', { className: 'limn-foot' }, ...this.deeds(open)));
    }
    this.panel.hidden = false;
    put(/** @type {HTMLElement} */ (this.title), 'textContent', edge ? this.about(edge) : fill(words.step ?? '{n}', { n: rows.first + rows.ids.indexOf(open.id) + 1 }));
    this.controls.forEach((control, i) => {
      const error = of.errorAt(open.id, control.column.name);
      control.show(of.get(open.id, control.column.name), '', '', error, `${id(i)}-why`);
      const why = /** @type {Document | ShadowRoot} */ (this.panel.getRootNode()).getElementById(`${id(i)}-why`);
      if (why) put(why, 'textContent', error);
    });
    if (this.targets) this.choices(this.targets, open.id);
  }

  /** From where to where a connection leads, in words. @param {Edge} edge */
  about(edge) {
    return fill(this.words?.link ?? '{label} → {other}', { label: this.nameOf(edge.from), other: this.nameOf(edge.to) });
  }

  /** The buttons of the panel. @param {Thing} open @returns {HTMLElement[]} */
  deeds(open) {
    const { words = {}, can } = this;
    /** @param {string} text @param {() => void} run @param {boolean} [hidden] */
    const button = (text, run, hidden = false) => {
      const b = el('button', { type: 'button', className: 'limn-button', hidden }, text);
      b.addEventListener('click', run);
      return b;
    };
    const remove = button(words.remove ?? '', () => this.remove(open));
    this.targets = undefined;
    if (open.in === 'edge') return [button(words.insert ?? '', () => this.insert(open.id), !can.follow), remove];
    const targets = this.targets = el('select', { className: 'limn-button', hidden: !can.connect });
    put(targets, 'aria-label', words.connectTo ?? '');
    targets.addEventListener('change', () => {
      const to = targets.value;
      targets.value = '';
      if (to) this.connect(open.id, to);
    });
    return [button(words.follow ?? '', () => this.follow(open.id), !can.follow), targets, remove];
  }

  /** The steps that a step can be connected to. @param {HTMLSelectElement} select @param {string} from */
  choices(select, from) {
    const to = (this.rows?.ids ?? []).filter((id) => id !== from && !this.rows?.blank(id));
    const options = [['', this.words?.connectTo ?? ''], ...to.map((id) => [id, this.nameOf(id)])];
    if (JSON.stringify(options) === select.dataset.options) return;
    select.dataset.options = JSON.stringify(options);
    select.replaceChildren(...options.map(([value, text]) => {
      const option = el('option', {}, text ?? '');
      option.setAttribute('value', value ?? '');
      return option;
    }));
  }

  // --- what is done to the process ---

  /** @param {Thing} thing */
  remove(thing) {
    if (!(thing.in === 'edge' ? this.edges : this.steps).drop(thing.id)) return;
    if (this.open?.id === thing.id && this.open.in === thing.in) this.show(undefined);
    this.picture.say('');
    this.picture.left(thing);
  }

  /** Connects two steps, once. @param {string} from @param {string} to */
  connect(from, to) {
    const { words = {} } = this;
    const there = this.connections().find((e) => e.from === from && e.to === to);
    if (from === to) return;
    const told = fill(words.connected ?? '', { label: this.nameOf(from), other: this.nameOf(to) });
    if (there) {
      this.picture.say(told);
      return;
    }
    this.edges.extend(1, ([id]) => {
      if (id === undefined) return;
      this.join(id, from, to);
      this.picture.say(told);
    });
  }

  /** @param {string} edge @param {string} from @param {string} to */
  join(edge, from, to) {
    this.history.quietly(() => {
      this.links?.set(edge, 'from', [from]);
      this.links?.set(edge, 'to', [to]);
    });
  }

  /** Adds a step after another: first the step, then its connection. @param {string} from */
  follow(from) {
    this.steps.extend(1, ([to]) => {
      if (to === undefined) return;
      this.show({ in: 'step', id: to }, true);
      this.attach(from, to, to);
    });
  }

  /** Puts a new step between the two that a connection joins. @param {string} edge */
  insert(edge) {
    const was = this.connections().find((e) => e.id === edge);
    if (!was) return;
    const lead = (/** @type {string | undefined} */ to) => to !== undefined && this.history.quietly(() => this.links?.set(edge, 'to', [to]));
    this.steps.extend(1, ([between]) => {
      if (between === undefined) return;
      this.show({ in: 'step', id: between }, true);
      this.attach(between, was.to, between);
      lead(between);
    }, { undo: () => lead(was.to), redo: ([between]) => lead(between) });
  }

  /**
   * Connects two steps of which one is new. A step that was added to a chain comes with a
   * connection from its end, which is taken for it.
   * @param {string} from
   * @param {string} to
   * @param {string} added
   */
  attach(from, to, added) {
    const came = this.connections().find((e) => !this.known.includes(e.id) && e.to === added);
    if (came) this.join(came.id, from, to);
    else this.edges.extend(1, ([id]) => id !== undefined && this.join(id, from, to), 'part');
  }

  /** Gives a step to the owner of a lane. @param {string} id @param {string} lane */
  toLane(id, lane) {
    const column = this.rows?.columns.find((c) => c.name === 'owner');
    const other = this.rows?.ids.find((one) => this.ownerOf(one) === lane && !this.rows?.blank(one));
    if (!column || !this.rows || this.ownerOf(id) === lane) return;
    const value = lane !== '' && other !== undefined ? this.rows.get(other, 'owner') : column.type === 'choice' ? [] : '';
    this.history.pause();
    this.rows.set(id, 'owner', /** @type {any} */ (value));
    this.picture.say(fill(this.words?.moved ?? '', { label: this.nameOf(id), other: lane || (this.words?.nobody ?? '') }));
  }
}
