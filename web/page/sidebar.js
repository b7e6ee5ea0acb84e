// The list of the user's conversations beside the page, where there is room. It is opened
// and closed by a button, and the browser remembers it.

import { must, note, page } from './page.js';
import { word } from './words.js';

/**
 * An entry of the list, as the server answers it.
 * @typedef {{ id: string; title: string; active: string }} Line
 */

const room = matchMedia('(min-width: 68.75rem)');
const plenty = matchMedia('(min-width: 90rem)'); // the list is open until the user closes it
const keptAs = 'limn:sidebar';

const bar = document.createElement('nav');
const lines = document.createElement('div');
const search = document.createElement('input');
const toggle = document.createElement('button');

let open = false;
let titled = false; // the list says how this conversation begins
let asked = 0; // requests so far: an answer to an older one does not count

/** Puts the button and the list on the page, but not on one inside another page. */
export function start() {
  if (document.body.dataset.embed !== undefined) return;
  bar.id = 'limn-sidebar';
  bar.setAttribute('aria-label', word('conversations'));
  search.type = 'search';
  search.maxLength = 50;
  search.setAttribute('aria-label', word('search'));
  search.placeholder = word('search');
  let timer = 0;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void refresh(), 250);
  });
  const all = document.createElement('a');
  all.href = `${up(page.at)}/conversations`;
  all.textContent = word('all');
  bar.append(search, lines, all);
  toggle.id = 'limn-list';
  toggle.type = 'button';
  toggle.setAttribute('aria-label', word('conversations'));
  toggle.setAttribute('aria-controls', bar.id);
  toggle.addEventListener('click', () => {
    keep(!open);
    show(!open);
  });
  const header = must('limn-header');
  header.prepend(toggle);
  header.after(bar);
  const fit = () => show(room.matches && (kept() ?? plenty.matches));
  room.addEventListener('change', fit);
  plenty.addEventListener('change', fit);
  addEventListener('focus', () => void refresh());
  fit();
}

/** The user has said something: the first message gives the conversation its title. */
export function said() {
  if (!titled) void refresh();
}

/** @param {boolean} on */
function show(on) {
  open = on;
  bar.hidden = !on;
  toggle.setAttribute('aria-expanded', String(on));
  document.body.classList.toggle('limn-listed', on);
  void refresh();
}

/** Two folders up: pages and addresses of the API are /c/ID and /v1/conversations/ID. @param {string} path */
const up = (path) => path.replace(/\/[^/]+\/[^/]+$/, '');

async function refresh() {
  if (!open) return;
  const mine = ++asked;
  const query = new URLSearchParams({ limit: '50', ...(search.value && { q: search.value }) });
  try {
    const answer = await fetch(`${page.api.replace(/\/[^/]+$/, '')}?${query}`, { credentials: 'same-origin' });
    if (!answer.ok) throw new Error(`the list: ${answer.status}`);
    const { conversations } = /** @type {{ conversations: Line[] }} */ (await answer.json());
    if (mine === asked) draw(conversations);
  } catch (error) { // the next change asks again
    note({ code: 'LIST', message: String(error) });
  }
}

let drawn = '';

/** @param {Line[]} list */
function draw(list) {
  titled = list.some((line) => line.id === page.conversation && line.title !== '');
  const today = new Date().toDateString();
  const newest = list.toSorted((a, b) => b.active.localeCompare(a.active));
  const isToday = (/** @type {Line} */ line) => new Date(line.active).toDateString() === today;
  const now = JSON.stringify([today, newest.map((line) => [line.id, line.title, isToday(line)])]);
  if (now === drawn) return; // a link that is pressed right now stays
  drawn = now;
  const at = document.activeElement instanceof HTMLAnchorElement && lines.contains(document.activeElement) ? document.activeElement.href : '';
  lines.replaceChildren(...group('today', newest.filter(isToday)), ...group('earlier', newest.filter((line) => !isToday(line))));
  if (!list.length) lines.textContent = word('nothing');
  if (at) [...lines.querySelectorAll('a')].find((a) => a.href === at)?.focus();
}

/**
 * @param {string} name
 * @param {Line[]} list
 */
function group(name, list) {
  if (!list.length) return [];
  const title = document.createElement('h2');
  title.textContent = word(name);
  const ul = document.createElement('ul');
  ul.append(...list.map(item));
  return [title, ul];
}

/** @param {Line} line */
function item(line) {
  const a = document.createElement('a');
  a.href = `${page.at.replace(/[^/]+$/, '')}${line.id}`;
  a.textContent = line.title || word('untitled');
  if (line.id === page.conversation) a.setAttribute('aria-current', 'page');
  const li = document.createElement('li');
  li.append(a);
  return li;
}

/** @returns {boolean | undefined} what the user chose */
function kept() {
  try {
    const chosen = localStorage.getItem(keptAs);
    return chosen === null ? undefined : chosen === 'open';
  } catch {
    return undefined; // storage is a comfort, never a need
  }
}

/** @param {boolean} on */
function keep(on) {
  try {
    localStorage.setItem(keptAs, on ? 'open' : 'closed');
  } catch {
    // as above
  }
}
