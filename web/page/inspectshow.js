// What the pages of the inspector share: asking the server, with the token if there is one,
// and drawing values, tabs and lists.

const data = document.body.dataset;

/** What the server wrote on the body. */
export const page = { api: data.api ?? '', home: data.home ?? '', sheets: (data.sheets ?? '').split(' ').filter(Boolean) };

/** @typedef {{ where: string; code?: string; path?: string; message?: string; hint?: string; line?: number; column?: number }} Found */
/** @typedef {{ target: string; same?: string; count: number; bytes: number; messages: unknown[]; screen: string }} Rendering */
/** @typedef {Node | string | number | undefined | false} Child */

/**
 * An element with attributes and children; false and undefined are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, /** @type {EventListener} */ (value));
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== undefined && child !== false) node.append(child instanceof Node ? child : String(child));
  return node;
}

/** @param {string} id */
export function must(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

const line = must('inspect-say');

/**
 * Says a sentence; "" takes it away.
 * @param {string} text
 */
export function say(text) { line.textContent = text; }

const kept = 'limn:inspect';

/** What the server answers that is no success. */
export class Refused extends Error {
  /** @param {{ detail?: string; title?: string; code?: string; status?: number; hint?: string }} problem */
  constructor(problem) {
    super([problem.detail || problem.title, problem.hint].filter(Boolean).join('. '));
    this.code = problem.code;
    this.status = problem.status;
  }
}

/**
 * Asks the server; where it wants the token, the person is asked for it first.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function request(path, options = {}) {
  for (;;) {
    const headers = new Headers(options.headers);
    const token = sessionStorage.getItem(kept);
    if (token && /^[\x20-\x7e]+$/.test(token)) headers.set('Authorization', `Bearer ${token}`); // no header has other characters
    const answer = await fetch(page.api + path, { ...options, headers, credentials: 'same-origin', cache: 'no-store' });
    if (answer.ok) return answer;
    const problem = await answer.json().catch(() => ({ title: answer.statusText, status: answer.status }));
    if (answer.status !== 401) throw new Refused(problem);
    sessionStorage.setItem(kept, await askToken(token ? 'That token does not open it.' : ''));
  }
}

/**
 * Asks for JSON.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function ask(path, options) { return (await request(path, options)).json(); }

/** @type {Promise<string> | undefined} */
let asking;

/**
 * Asks the person for the token; several that need it wait for one answer.
 * @param {string} wrong
 * @returns {Promise<string>}
 */
function askToken(wrong) {
  return asking ??= new Promise((done) => {
    const input = el('input', { type: 'password', id: 'inspect-token', autocomplete: 'off', required: true });
    const form = el('form', { class: 'inspect-token', 'aria-label': 'Token' }, el('h2', {}, 'Token'),
      el('p', {}, 'This server was started with --inspect-token-file. The token in that file opens the inspector.'),
      wrong && el('p', { class: 'inspect-bad' }, wrong), el('label', { for: 'inspect-token' }, 'Token'), input, el('button', {}, 'Open'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      form.remove();
      asking = undefined;
      done(input.value.trim());
    });
    document.querySelector('header')?.after(form);
    input.focus();
  });
}

/**
 * A value as a tree that folds. What changed is marked, and open.
 * @param {unknown} value
 * @param {Map<string, string>} [changed] how, by JSON Pointer
 * @param {string} [path]
 * @param {string} [name]
 * @returns {HTMLElement}
 */
export function tree(value, changed = new Map(), path = '', name = '') {
  const how = changed.get(path);
  const mark = how && el('span', { class: `inspect-mark inspect-${how}` }, how === 'add' ? 'new' : 'changed');
  const key = name !== '' && el('span', { class: 'inspect-key' }, `${name}: `);
  if (value === null || typeof value !== 'object') {
    return el('div', { class: `inspect-leaf inspect-${value === null ? 'null' : typeof value}` }, key, el('span', { class: 'inspect-value' }, JSON.stringify(value)), mark);
  }
  const members = Object.entries(value);
  const list = Array.isArray(value);
  if (!members.length) return el('div', { class: 'inspect-leaf' }, key, list ? '[]' : '{}', mark);
  const fold = el('details', { class: 'inspect-node' });
  const below = [...changed.keys()].some((at) => at.startsWith(`${path}/`));
  fold.append(el('summary', {}, key, el('span', { class: 'inspect-size' }, list ? `[${members.length}]` : titleOf(value, members.length)), mark || (below && el('span', { class: 'inspect-mark inspect-below' }, 'changed inside'))));
  let drawn = false;
  const draw = () => {
    if (drawn) return;
    drawn = true;
    fold.append(el('div', { class: 'inspect-inside' }, ...members.map(([k, v]) => tree(v, changed, `${path}/${k.replaceAll('~', '~0').replaceAll('/', '~1')}`, k))));
  };
  fold.addEventListener('toggle', draw);
  if (path === '' || below) {
    draw();
    fold.open = true;
  }
  return fold;
}

/**
 * @param {object} value
 * @param {number} n
 */
function titleOf(value, n) {
  const named = /** @type {Record<string, unknown>} */ (value);
  const title = named.name ?? named.component ?? named.op ?? named.key ?? named.role;
  return typeof title === 'string' ? `{${n}} ${title}` : `{${n}}`;
}

/**
 * Panels of which one is shown, as tabs.
 * @param {{ name: string; badge?: number; draw: () => Child[] }[]} panels
 * @param {string} open the name of the first to show
 * @param {(name: string) => void} chosen
 */
export function tabs(panels, open, chosen) {
  const at = Math.max(0, panels.findIndex((p) => p.name === open));
  const place = el('div', { role: 'tabpanel', id: 'inspect-panel', tabindex: 0 });
  const list = panels.map((p, i) => el('button', { type: 'button', role: 'tab', id: `inspect-tab-${i}`, 'aria-controls': 'inspect-panel' },
    p.name, p.badge ? el('span', { class: 'inspect-badge' }, p.badge) : undefined));
  /** @param {number} n */
  const show = (n) => {
    list.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === n));
      tab.tabIndex = i === n ? 0 : -1;
    });
    place.setAttribute('aria-labelledby', list[n].id);
    const panel = panels[n];
    place.replaceChildren(...panel.draw().filter((c) => c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c))));
    chosen(panel.name);
  };
  list.forEach((tab, i) => {
    tab.addEventListener('click', () => show(i));
    tab.addEventListener('keydown', (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: list.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (to + list.length) % list.length;
      show(next);
      list[next].focus();
    });
  });
  show(at);
  return [el('div', { role: 'tablist', 'aria-label': 'Parts of the turn', class: 'inspect-tabs' }, ...list), place];
}

/**
 * The problems of something.
 * @param {Found[]} list
 */
export function problems(list) {
  if (!list.length) return [el('p', { class: 'inspect-note' }, 'No problems.')];
  return [el('ul', { class: 'inspect-found' }, ...list.map((p) => el('li', {}, el('span', { class: 'inspect-where' }, p.where), ' ',
    p.code && el('code', {}, p.code), p.path && el('span', { class: 'inspect-path' }, ` ${p.path}`), p.message && el('p', {}, p.message), p.hint && el('p', { class: 'inspect-hint' }, p.hint))))];
}

/**
 * The messages of each version, and what its user sees, side by side.
 * @param {Rendering[]} list
 */
export function renderings(list) {
  return [el('div', { class: 'inspect-columns' }, ...list.map((r) => el('section', { 'aria-label': `A2UI ${r.target}` },
    el('h3', {}, `A2UI ${r.target}`),
    el('p', { class: 'inspect-note' }, `${r.count} message${r.count === 1 ? '' : 's'}, ${r.bytes.toLocaleString('en')} bytes`, r.same === 'same' && ', as they were sent', r.same === 'other' && el('strong', { class: 'inspect-bad' }, ', not as they were sent')),
    el('div', {}, ...r.messages.map(message)),
    el('h4', {}, 'What the user sees'),
    screen(r))))];
}

/** @param {Rendering} r */
export function screen(r) {
  const text = r.screen.split('\n').filter((l) => !l.startsWith('data ')).join('\n').trim();
  return text ? el('pre', { tabindex: 0, 'aria-label': `What the user of ${r.target} sees` }, text) : el('p', { class: 'inspect-note' }, 'Nothing.');
}

/** @param {unknown} m */
function message(m) {
  const kind = m && typeof m === 'object' ? Object.keys(m).find((k) => k !== 'version') ?? 'message' : 'message';
  const fold = el('details', { class: 'inspect-message' }, el('summary', {}, kind));
  fold.addEventListener('toggle', () => { if (fold.open && fold.children.length === 1) fold.append(el('pre', { tabindex: 0, 'aria-label': kind }, JSON.stringify(m, null, 1))); });
  return fold;
}

/**
 * The drawing in HTML, in a frame in which no script runs and no form is sent.
 * @param {string} html
 */
export function frame(html) {
  if (!html) return el('p', { class: 'inspect-note' }, 'There is no drawing in HTML.');
  const links = page.sheets.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  const drawn = new DOMParser().parseFromString(html, 'text/html').body;
  for (const input of drawn.querySelectorAll('[autofocus]')) input.removeAttribute('autofocus'); // the focus stays in the inspector
  return el('iframe', { class: 'inspect-frame', title: 'What the user of the HTML drawing sees', sandbox: 'allow-same-origin', // for the style sheets; without allow-scripts nothing runs
    srcdoc: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Drawing</title>${links}<body class="inspect-drawing"><main id="limn"><div id="limn-workspace"><section id="limn-surfaces">${drawn.innerHTML}</section></div></main>` });
}
