// The playground: a source that is compiled while it is typed, and what becomes of it.

import { Drawings } from './inspectdraw.js';
import { ask, el, must, page, renderings, say, tabs, tree } from './inspectshow.js';
/** @import { Found, Rendering } from './inspectshow.js' */

/** @typedef {{ group: string; name: string; kind: string; text: string }} Story */
/** @typedef {{ found: Found[]; surfaces?: string[]; shown?: string; state?: unknown; renderings: Rendering[]; html?: string; cut?: string[] }} Compiled */

const pause = 300; // milliseconds after a key until the source is compiled
const story = /** @type {HTMLSelectElement} */ (must('inspect-story'));
const kind = /** @type {HTMLSelectElement} */ (must('inspect-kind'));
const surface = /** @type {HTMLSelectElement} */ (must('inspect-surface'));
const box = /** @type {HTMLTextAreaElement} */ (must('inspect-text'));
const out = must('inspect-out');
const found = must('inspect-found');
const result = must('inspect-result');
const notes = el('div');
const kept = 'limn:playground';
/** @type {Compiled | undefined} */
let latest;

/** @type {Story[]} */
let stories = [];
let tab = 'Screen';
const screens = new Drawings();
let waiting = 0;
let asked = 0; // counts, so that a late answer is dropped

async function start() {
  ({ stories } = await ask('/stories'));
  /** @type {Map<string, HTMLOptGroupElement>} */
  const groups = new Map();
  stories.forEach((s, i) => {
    let group = groups.get(s.group);
    if (!group) {
      group = el('optgroup', { label: s.group });
      groups.set(s.group, group);
      story.append(group);
    }
    group.append(el('option', { value: i }, s.name));
  });
  const before = JSON.parse(sessionStorage.getItem(kept) ?? 'null');
  if (before) [kind.value, box.value] = [before.kind, before.text];
  else if (stories.length) tell(0);
  await compile();
}

/** @param {number} i */
function tell(i) {
  story.value = String(i);
  [kind.value, box.value] = [stories[i].kind, stories[i].text];
  surface.replaceChildren();
}

story.addEventListener('change', () => {
  if (story.value !== '') tell(Number(story.value));
  soon(0);
});
kind.addEventListener('change', () => soon(0));
surface.addEventListener('change', () => soon(0));
box.addEventListener('input', () => {
  story.value = '';
  soon(pause);
});
box.addEventListener('keydown', (event) => { // Tab stays what it is: it leaves the box
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  soon(0);
});

/** @param {number} ms */
function soon(ms) {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => void compile(), ms);
}

async function compile() {
  sessionStorage.setItem(kept, JSON.stringify({ kind: kind.value, text: box.value }));
  const mine = ++asked;
  try {
    /** @type {Compiled} */
    const c = await ask('/compile', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ kind: kind.value, text: box.value, show: surface.value }) });
    if (mine !== asked) return;
    say('');
    show(c);
  } catch (error) {
    if (mine === asked) say(error instanceof Error ? error.message : String(error));
  }
}

/** @param {Compiled} c */
function show(c) {
  must('inspect-surface-label').hidden = !c.surfaces?.length;
  surface.replaceChildren(...(c.surfaces ?? []).map((name) => el('option', { value: name, selected: name === c.shown }, name)));
  result.textContent = c.found.length ? `${c.found.length} problem${c.found.length === 1 ? '' : 's'}` : 'No problems';
  found.replaceChildren(...c.found.map(problem));
  if (!c.renderings.length) { // the last result that there was stays, so that the page does not jump while one types
    out.classList.add('inspect-old');
    if (out.childElementCount) result.textContent += '. What is shown is the last result without them.';
    return;
  }
  out.classList.remove('inspect-old');
  const cut = (c.cut ?? []).map((line) => el('p', { class: 'inspect-note' }, `Shortened: ${line}`));
  latest = c;
  notes.replaceChildren(...cut);
  if (tab === 'Screen' && screens.element.isConnected) { // the renderers are there, and draw again
    screens.show(c.html, c.renderings);
    return;
  }
  out.replaceChildren(el('h2', { class: 'limn-hidden' }, 'Result'), notes, ...tabs([
    { name: 'Screen', draw: () => {
      screens.show(latest?.html, latest?.renderings ?? []);
      return [screens.element];
    } },
    { name: 'Messages', draw: () => renderings(latest?.renderings ?? []) },
    { name: 'State', draw: () => [latest?.state ? tree(latest.state) : el('p', { class: 'inspect-note' }, 'Messages have no state of a server.')] },
  ], tab, (name) => { tab = name; }));
}

/** @param {Found} p */
function problem(p) {
  const at = p.line ? `${p.line}:${p.column || 1}` : '';
  const place = at && el('button', { type: 'button', title: 'Go there' }, at);
  if (place) place.addEventListener('click', () => go(p.line ?? 1, p.column || 1));
  return el('li', {}, place, ' ', el('span', { class: 'inspect-where' }, p.where), ' ', p.code && el('code', {}, p.code), ' ', p.message, p.hint && el('p', { class: 'inspect-hint' }, p.hint));
}

/**
 * Puts the caret to a line and a column, counted in characters from 1.
 * @param {number} line
 * @param {number} column
 */
function go(line, column) {
  const lines = box.value.split('\n');
  const before = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
  const at = before + [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  box.focus();
  box.setSelectionRange(at, at + 1);
}

if (page.api) start().catch((error) => say(error.message));
