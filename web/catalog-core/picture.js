// The picture of a process: steps that are clicked, dragged and reached by keys, arrows
// between them, lanes, and how near it is looked at.

import { el, fill, focused, put, svg } from './dom.js';
import { box, layout, toward } from './layout.js';
/** @import { Rows, Words } from './bind.js' */
/** @import { ProcessView } from './process.js' */
/** @import { Arrow, Lane } from './layout.js' */

/**
 * A step or a connection.
 * @typedef {object} Thing
 * @property {'step' | 'edge'} in
 * @property {string} id
 */

/** @typedef {{ x: number; y: number }} Point */

const least = 0.25, greatest = 2.5; // how far one can zoom
const legible = 0.6; // smaller only if it is asked for
const far = 6; // px from which a press is a drag
const keys = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/** The picture and the bar above it. */
export class Picture {
  /** @param {ProcessView} view @param {string} id */
  constructor(view, id) {
    this.view = view;
    this.id = id;
    this.canvas = el('div', { className: 'limn-canvas', role: 'group' });
    this.hint = el('p', { className: 'limn-help', id: `${id}-hint` });
    this.says = el('p', { className: 'limn-says', role: 'status' });
    this.bar = el('div', { className: 'limn-bar', role: 'toolbar' });
    this.buttons = this.tools();
    /** @type {number | undefined} undefined: as large as fits */
    this.zoom = undefined;
    this.scale = 1;
    this.lanes = false;
    /** @type {Thing | undefined} what Tab reaches */
    this.at = undefined;
    /** @type {string | undefined} the step that is being connected by keys */
    this.from = undefined;
    this.dragged = false;
    this.held = false; // something moves with the pointer
    this.drawn = '';
    /** @type {(Thing & Point)[]} the middles of all that keys reach */
    this.points = [];
    /** @type {Lane[]} */
    this.bands = [];
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.canvas.addEventListener('click', (event) => this.dragged || this.press(event.target)); // not the click that ends a drag
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.canvas.addEventListener('focusin', (event) => {
      const thing = this.thingOf(event.target);
      if (thing) this.reach(thing);
    });
    this.canvas.addEventListener('pointerdown', (event) => this.pointer(event));
    this.canvas.addEventListener('touchmove', (event) => this.held && event.preventDefault(), { passive: false }); // else it scrolls
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // it scrolls
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 300), event);
    }, { passive: false });
  }

  tools() {
    /** @param {() => void} run */
    const button = (run) => {
      const b = el('button', { type: 'button', className: 'limn-button' });
      b.addEventListener('click', run);
      return b;
    };
    const out = {
      less: button(() => this.zoomBy(1 / 1.25)), level: button(() => this.zoomTo(1)), more: button(() => this.zoomBy(1.25)), fit: button(() => this.fit()),
      lanes: button(() => {
        this.lanes = !this.lanes;
        this.draw();
      }),
      undo: button(() => void this.view.history.undo()), redo: button(() => void this.view.history.redo()),
    };
    put(out.less, 'textContent', '−');
    put(out.more, 'textContent', '+');
    const group = (/** @type {HTMLElement[]} */ ...parts) => el('span', { className: 'limn-tools' }, ...parts);
    this.bar.append(group(out.less, out.level, out.more, out.fit), group(out.lanes), group(out.undo, out.redo));
    return out;
  }

  /** @param {Rows} rows @param {Words} words @param {string} label @param {boolean} any */
  update(rows, words, label, any) {
    this.rows = rows;
    this.words = words;
    this.label = label;
    const { less, level, more, fit, lanes, undo, redo } = this.buttons;
    for (const [button, name, text] of /** @type {[HTMLElement, string, boolean][]} */ ([[less, 'zoomOut', false], [more, 'zoomIn', false], [level, 'zoomNone', false], [fit, 'fit', true], [lanes, 'lanes', true], [undo, 'undo', true], [redo, 'redo', true]])) {
      if (text) put(button, 'textContent', words[name] ?? name);
      else put(button, 'aria-label', words[name] ?? '');
      if (!text) put(button, 'title', words[name] ?? '');
    }
    put(this.bar, 'aria-label', label);
    lanes.hidden = !rows.columns.some((c) => c.name === 'owner');
    undo.hidden = redo.hidden = !this.view.can.edit;
    this.hint.replaceChildren(words.drag ?? '', ' ', el('span', { className: 'limn-keys' }, words.keys ?? ''));
    this.hint.hidden = !any || !this.view.can.connect;
    this.canvas.hidden = this.bar.hidden = !any;
    this.draw();
  }

  /** @param {string} text */
  say(text) { put(this.says, 'textContent', text); }

  draw() {
    const { rows, words, view } = this;
    if (!rows || !words) return;
    const { undo, redo, lanes } = this.buttons;
    undo.disabled = !view.history.done.length;
    redo.disabled = !view.history.undone.length;
    put(lanes, 'aria-pressed', String(this.lanes));
    const edges = view.connections(), joined = new Set(edges.flatMap((e) => [e.from, e.to]));
    const named = rows.ids.filter((id) => joined.has(id) || !rows.blank(id)); // not the empty rows that a map begins with
    const room = this.canvas.clientWidth || 640;
    const laneOf = this.lanes ? (/** @type {string} */ id) => view.ownerOf(id) : undefined;
    const wide = layout(named, edges, true, laneOf);
    const across = wide.width <= room, plan = across ? wide : layout(named, edges, false, laneOf);
    this.plan = plan;
    this.across = across;
    const nodes = plan.boxes.map((b) => ({ ...b, name: view.nameOf(b.id), owner: view.ownerOf(b.id),
      bad: rows.columns.some((c) => rows.errorAt(b.id, c.name)), on: view.open?.in === 'step' && b.id === view.open.id, from: b.id === this.from }));
    const arrows = plan.arrows.map((a) => ({ ...a, on: view.open?.in === 'edge' && a.id === view.open.id, about: view.about(edges.find((e) => e.id === a.id) ?? { id: '', from: '', to: '', label: '' }) }));
    const key = JSON.stringify([nodes, arrows, plan.lanes, plan.width, plan.height, view.can]);
    if (key !== this.drawn) {
      this.drawn = key;
      this.points = [...nodes.map((b) => /** @type {Thing & Point} */ ({ in: 'step', id: b.id, x: b.x + box.width / 2, y: b.y + box.height / 2 })),
        ...(rows.readonly ? [] : arrows.map((a) => /** @type {Thing & Point} */ ({ in: 'edge', id: a.id, x: a.x, y: a.y })))];
      this.bands = plan.lanes;
      if (!this.pointOf(this.at)) this.at = this.points[0];
      const held = this.canvas.contains(focused(this.canvas)) ? this.thingOf(focused(this.canvas)) : undefined;
      const picture = svg('svg', { viewBox: `0 0 ${plan.width} ${plan.height}` });
      picture.append(svg('defs', {}, svg('marker', { id: `${this.id}-tip`, viewBox: '0 0 10 10', refX: 3, refY: 5, markerWidth: 10, markerHeight: 10, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0L10 5L0 10z', class: 'limn-tip' }))));
      for (const lane of plan.lanes) picture.append(this.lane(lane));
      for (const a of arrows) picture.append(this.arrow(a));
      for (const b of nodes) picture.append(this.step(b));
      put(this.canvas, 'aria-label', this.label ?? '');
      put(this.canvas, 'aria-describedby', this.hint.hidden ? '' : this.hint.id);
      this.canvas.replaceChildren(picture);
      this.picture = picture;
      if (held) this.focus(held);
    }
    this.size();
  }

  /** @param {Lane} lane */
  lane(lane) {
    const name = lane.name || (this.words?.nobody ?? '');
    return svg('g', { class: 'limn-lane', 'data-lane': lane.name }, svg('rect', { x: lane.x, y: lane.y, width: lane.width, height: lane.height }),
      this.across ? svg('text', { x: 12, y: lane.y + lane.height / 2 + 4 }, cut(name, 14)) : svg('text', { x: lane.x + lane.width / 2, y: 24, 'text-anchor': 'middle' }, cut(name, 24)));
  }

  /** @param {Arrow & { on: boolean; about: string }} a */
  arrow(a) {
    const { view, words } = this;
    const thing = /** @type {Thing} */ ({ in: 'edge', id: a.id });
    const group = svg('g', { class: `limn-link${a.on ? ' limn-on' : ''}`, 'data-edge': a.id,
      ...(view.can.edit ? { role: 'button', tabindex: this.tab(thing), 'aria-expanded': String(a.on), 'aria-label': [a.about, a.label].filter(Boolean).join(', ') } : {}) });
    if (view.can.edit) group.append(svg('path', { d: a.path, class: 'limn-reach' }));
    group.append(svg('path', { d: a.path, class: a.back ? 'limn-arrow limn-back' : 'limn-arrow', 'marker-end': `url(#${this.id}-tip)` }));
    if (a.label) group.append(svg('text', { x: a.x, y: a.y + 4, class: 'limn-edge' }, a.label));
    if (view.can.follow) {
      const [x, y] = a.label ? this.across ? [a.x, a.y + 24] : [a.x + 4 * a.label.length + 20, a.y] : [a.x, a.y];
      group.append(svg('g', { class: 'limn-insert', transform: `translate(${x} ${y})` }, svg('title', {}, words?.insert ?? ''), svg('circle', { r: 11 }), svg('path', { d: 'M-5 0H5M0-5V5' })));
    }
    return group;
  }

  /** @param {Point & { id: string; name: string; owner: string; bad: boolean; on: boolean; from: boolean }} b */
  step(b) {
    const { view } = this;
    const title = [b.name, b.owner].filter(Boolean).join(' · ');
    const group = svg('g', { class: `limn-step${b.on ? ' limn-on' : ''}${b.bad ? ' limn-bad' : ''}${b.from ? ' limn-from' : ''}`, transform: `translate(${b.x} ${b.y})`, 'data-step': b.id,
      ...(view.can.edit ? { tabindex: this.tab({ in: 'step', id: b.id }), role: 'button', 'aria-expanded': String(b.on) } : { role: 'img' }), 'aria-label': title });
    group.append(svg('title', {}, title), svg('rect', { width: box.width, height: box.height, rx: 8 }),
      svg('text', { x: 14, y: b.owner ? 24 : 33 }, cut(b.name, 22)), ...(b.owner ? [svg('text', { x: 14, y: 43, class: 'limn-owner' }, cut(b.owner, 24))] : []));
    if (view.can.connect) {
      const [x, y] = this.across ? [box.width, box.height / 2] : [box.width / 2, box.height];
      group.append(svg('g', { class: 'limn-port', transform: `translate(${x} ${y})` }, svg('circle', { r: 16, class: 'limn-reach' }), svg('circle', { r: 6 })));
    }
    return group;
  }

  // --- how near it is looked at ---

  /** Gives the picture its size. */
  size() {
    const { picture, plan, canvas } = this;
    if (!picture || !plan) return;
    this.scale = this.zoom ?? Math.max(legible, Math.min(1, (canvas.clientWidth || 640) / plan.width));
    picture.setAttribute('width', String(plan.width * this.scale));
    picture.setAttribute('height', String(plan.height * this.scale));
    put(this.buttons.level, 'textContent', `${Math.round(this.scale * 100)} %`);
  }

  /** @param {number} factor @param {MouseEvent} [at] what stays where it is */
  zoomBy(factor, at) { this.zoomTo(this.scale * factor, at); }

  /** @param {number} zoom @param {MouseEvent} [at] */
  zoomTo(zoom, at) {
    const { canvas } = this, frame = canvas.getBoundingClientRect(), was = this.scale;
    const [x, y] = at ? [at.clientX - frame.left, at.clientY - frame.top] : [canvas.clientWidth / 2, canvas.clientHeight / 2];
    const [left, top] = [canvas.scrollLeft + x, canvas.scrollTop + y];
    this.zoom = Math.max(least, Math.min(greatest, zoom));
    this.size();
    canvas.scrollTo({ left: left * this.scale / was - x, top: top * this.scale / was - y, behavior: 'instant' });
  }

  /** Shows all of it. */
  fit() {
    const { canvas, plan } = this;
    if (!plan) return;
    const tall = parseFloat(getComputedStyle(canvas).maxHeight) || 544;
    this.zoom = Math.max(least, Math.min(1, (canvas.clientWidth - 2) / plan.width, (tall - 4) / plan.height));
    this.size();
  }

  // --- what has the focus ---

  /** @param {Thing} thing */
  tab(thing) { return this.at?.in === thing.in && this.at.id === thing.id ? 0 : -1; }

  /** @param {Thing | undefined} thing */
  pointOf(thing) { return this.points.find((p) => p.in === thing?.in && p.id === thing.id); }

  /** @param {EventTarget | null} target @returns {Thing | undefined} */
  thingOf(target) {
    const found = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest('[data-step], [data-edge]')) : null;
    if (!found) return undefined;
    return found.dataset.step !== undefined ? { in: 'step', id: found.dataset.step } : { in: 'edge', id: found.dataset.edge ?? '' };
  }

  /** @param {Thing} thing @returns {SVGElement | null} */
  elementOf(thing) { return this.canvas.querySelector(`[data-${thing.in}="${CSS.escape(thing.id)}"]`); }

  /** Makes Tab come back to a thing. @param {Thing} thing */
  reach(thing) {
    for (const other of this.canvas.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    this.elementOf(thing)?.setAttribute('tabindex', '0');
    this.at = thing;
  }

  /** @param {Thing} thing */
  focus(thing) {
    const element = this.elementOf(thing);
    element?.focus();
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Something was removed: the focus goes to what is nearest. @param {Thing} thing */
  left(thing) {
    const from = this.pointOf(thing);
    const rest = this.points.filter((p) => p !== from).sort((a, b) => distance(a, from) - distance(b, from));
    const next = rest.find((p) => p.in === 'step');
    if (next) this.focus(next);
  }

  // --- keys ---

  /** @param {KeyboardEvent} event */
  key(event) {
    const { view, words = {} } = this;
    if (view.history.key(event)) return;
    const thing = this.thingOf(event.target);
    if (event.ctrlKey || event.metaKey || !thing) return;
    const arrow = keys[event.key];
    if (arrow && event.altKey) {
      if (thing.in !== 'step' || !this.lanes || !view.can.edit || (this.across ? arrow[0] : arrow[1]) !== 0) return;
      const lane = this.bands[this.bands.findIndex((b) => b.name === view.ownerOf(thing.id)) + arrow[0] + arrow[1]];
      if (lane) view.toLane(thing.id, lane.name);
    } else if (arrow) {
      const points = this.from === undefined ? this.points : this.points.filter((p) => p.in === 'step');
      const to = toward(points.map((p) => ({ ...p, id: `${p.in} ${p.id}` })), `${thing.in} ${thing.id}`, arrow[0], arrow[1])?.split(' ');
      if (to) this.focus({ in: /** @type {'step' | 'edge'} */ (to[0]), id: to.slice(1).join(' ') });
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (this.from !== undefined && thing.in === 'step') this.finish(thing.id);
      else this.press(event.target);
    } else if (event.key === 'Escape' && this.from !== undefined) {
      this.begin(undefined);
    } else if ((event.key === 'c' || event.key === 'C') && thing.in === 'step' && view.can.connect) {
      this.begin(thing.id);
      this.say(fill(words.connecting ?? '', { label: view.nameOf(thing.id) }));
    } else if ((event.key === 'n' || event.key === 'N') && view.can.follow) {
      if (thing.in === 'step') view.follow(thing.id);
      else view.insert(thing.id);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && view.can.edit) {
      view.remove(thing);
    } else if (event.key === '+' || event.key === '=') this.zoomBy(1.25);
    else if (event.key === '-') this.zoomBy(1 / 1.25);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
  }

  /** @param {string | undefined} from */
  begin(from) {
    this.from = from;
    this.say('');
    this.draw();
  }

  /** @param {string} to */
  finish(to) {
    const from = this.from;
    this.begin(undefined);
    if (from !== undefined && from !== to) this.view.connect(from, to);
  }

  // --- the pointer ---

  /** @param {EventTarget | null} target */
  press(target) {
    const thing = this.thingOf(target);
    const { view } = this;
    if (!thing || !view.can.edit) return;
    if (target instanceof Element && target.closest('.limn-insert')) view.insert(thing.id);
    else view.show(view.open?.in === thing.in && view.open.id === thing.id ? undefined : thing, true);
  }

  /** A press on a step connects it or takes it to another lane; beside them it moves the picture. @param {PointerEvent} event */
  pointer(event) {
    this.dragged = false;
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    const { view } = this, thing = this.thingOf(event.target), port = event.target.closest('.limn-port');
    const lifts = thing?.in === 'step' && this.lanes && view.can.edit;
    if (event.pointerType === 'touch' && !port && !lifts) return; // it scrolls
    if (!thing) this.follow(event, this.panning(event));
    else if (lifts && !port) this.follow(event, this.laning(thing.id, event));
    else if (thing.in === 'step' && view.can.connect) this.follow(event, this.connecting(thing.id));
  }

  /**
   * Follows the pointer until it is let go.
   * @param {PointerEvent} start
   * @param {{ move: (e: PointerEvent) => void; end: (e: PointerEvent | undefined) => void }} drag
   */
  follow(start, drag) {
    this.held = true;
    const move = (/** @type {PointerEvent} */ e) => {
      if (!this.dragged && Math.hypot(e.clientX - start.clientX, e.clientY - start.clientY) < far) return;
      this.dragged = true;
      drag.move(e);
    };
    const end = (/** @type {Event} */ e) => {
      if (e instanceof KeyboardEvent && e.key !== 'Escape') return;
      this.held = false;
      for (const type of ['pointermove', 'pointerup', 'pointercancel', 'keydown']) removeEventListener(type, type === 'pointermove' ? /** @type {any} */ (move) : end, true);
      if (this.dragged) drag.end(e.type === 'pointerup' ? /** @type {PointerEvent} */ (e) : undefined);
      if (e.type === 'keydown') e.preventDefault();
    };
    addEventListener('pointermove', move, true);
    for (const type of ['pointerup', 'pointercancel', 'keydown']) addEventListener(type, end, true);
  }

  /** @param {PointerEvent} start */
  panning(start) {
    const { canvas } = this, left = canvas.scrollLeft, top = canvas.scrollTop;
    canvas.classList.add('limn-panning');
    start.preventDefault();
    addEventListener('pointerup', () => canvas.classList.remove('limn-panning'), { once: true });
    return {
      move: (/** @type {PointerEvent} */ e) => canvas.scrollTo({ left: left + start.clientX - e.clientX, top: top + start.clientY - e.clientY, behavior: 'instant' }),
      end: () => {},
    };
  }

  /** @param {MouseEvent} e @returns {Point} in the picture */
  inside(e) {
    const frame = /** @type {SVGElement} */ (this.picture).getBoundingClientRect();
    return { x: (e.clientX - frame.left) / this.scale, y: (e.clientY - frame.top) / this.scale };
  }

  /** The step under a pointer. @param {MouseEvent} e */
  under(e) {
    const { x, y } = this.inside(e);
    return this.plan?.boxes.find((b) => x >= b.x && x <= b.x + box.width && y >= b.y && y <= b.y + box.height)?.id;
  }

  /** Scrolls on when a drag comes to the border. @param {MouseEvent} e */
  edge(e) {
    const { canvas } = this, frame = canvas.getBoundingClientRect(), by = (/** @type {number} */ before, /** @type {number} */ after) => (before < 24 ? -12 : after < 24 ? 12 : 0);
    canvas.scrollBy({ left: by(e.clientX - frame.left, frame.right - e.clientX), top: by(e.clientY - frame.top, frame.bottom - e.clientY), behavior: 'instant' });
  }

  /** @param {string} id */
  connecting(id) {
    const from = this.plan?.boxes.find((b) => b.id === id);
    const line = svg('path', { class: 'limn-arrow limn-drawn', 'marker-end': `url(#${this.id}-tip)` });
    const mark = (/** @type {string | undefined} */ to) => {
      for (const step of this.canvas.querySelectorAll('[data-step]')) step.classList.toggle('limn-target', /** @type {SVGElement} */ (step).dataset.step === to && to !== id);
    };
    return {
      move: (/** @type {PointerEvent} */ e) => {
        this.edge(e);
        const { x, y } = this.inside(e);
        if (!line.isConnected) this.picture?.append(line);
        if (from) line.setAttribute('d', `M${from.x + box.width / 2} ${from.y + box.height / 2}L${x} ${y}`);
        mark(this.under(e));
      },
      end: (/** @type {PointerEvent | undefined} */ e) => {
        line.remove();
        mark(undefined);
        const to = e && this.under(e);
        if (to !== undefined) this.view.connect(id, to);
        else if (e && this.view.can.follow && this.within(e)) this.view.follow(id);
      },
    };
  }

  /** @param {MouseEvent} e */
  within(e) {
    const frame = this.canvas.getBoundingClientRect();
    return e.clientX > frame.left && e.clientX < frame.right && e.clientY > frame.top && e.clientY < frame.bottom;
  }

  /** @param {string} id @param {PointerEvent} start */
  laning(id, start) {
    const at = this.plan?.boxes.find((b) => b.id === id), from = this.inside(start);
    const lane = (/** @type {PointerEvent} */ e) => {
      const { x, y } = this.inside(e);
      return this.bands.find((b) => (this.across ? y >= b.y && y < b.y + b.height : x >= b.x && x < b.x + b.width));
    };
    const mark = (/** @type {Lane | undefined} */ on) => {
      for (const band of this.canvas.querySelectorAll('.limn-lane')) band.classList.toggle('limn-target', on !== undefined && /** @type {SVGElement} */ (band).dataset.lane === on.name);
    };
    return {
      move: (/** @type {PointerEvent} */ e) => {
        this.edge(e);
        const { x, y } = this.inside(e), step = this.elementOf({ in: 'step', id });
        if (at) step?.setAttribute('transform', `translate(${at.x + x - from.x} ${at.y + y - from.y})`);
        step?.classList.add('limn-dragged');
        mark(lane(e));
      },
      end: (/** @type {PointerEvent | undefined} */ e) => {
        mark(undefined);
        this.drawn = '';
        const to = e && this.within(e) ? lane(e) : undefined;
        if (to) this.view.toLane(id, to.name);
        this.draw();
      },
    };
  }
}

/** @param {string} text @param {number} most */
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** @param {Point} a @param {Point | undefined} b */
const distance = (a, b) => Math.hypot(a.x - (b?.x ?? 0), a.y - (b?.y ?? 0));
