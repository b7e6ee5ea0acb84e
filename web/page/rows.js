// Tables of several pages. The server draws one page of rows; this script draws
// those around the place where the user looks, and asks for others as they scroll.
// Two spacers stand for the rows that are not there, so the region is as high as
// all of them. A row with unsent text, or with the focus, stays on the page, out of
// sight, wherever the user goes: it is kept, sent and marked as any other.

import { leaves } from './drafts.js';
import { lastSeq, note } from './page.js';
import { renderInto } from './render.js';
import { reveal } from './tabs.js';
import { word } from './words.js';

/**
 * @typedef {object} Table
 * @property {HTMLElement} region what scrolls
 * @property {HTMLTableSectionElement} body the rows that are there
 * @property {HTMLElement} above stands for the rows before them
 * @property {HTMLElement} below stands for the rows after them
 * @property {number} from place of the first row of the window, from 0
 * @property {number} to place after the last
 * @property {number} count rows of the table
 * @property {number} page first row of the server's page
 * @property {string} rev of the surface, when the window was drawn
 * @property {number} height px of a row; 0 while none was seen
 * @property {number} top px; how far the region is scrolled
 * @property {boolean} stale rows came, went or moved since the window was drawn
 * @property {Set<string>} gone ids of rows that the server has no more
 * @property {[from: number, count: number]} [want] the window to draw next
 * @property {number} [go] place of the row to scroll to then
 * @property {Promise<void>} [loading]
 * @property {boolean} [still] the window stays: all its rows are wanted
 * @property {boolean} [sending] what is typed is being sent, so that its rows need not stay
 * @property {number} [frame]
 *
 * @typedef {object} Page
 * @property {() => void} note keeps what is typed
 * @property {() => void} drawn follows every render of rows
 * @property {(row: HTMLTableRowElement) => boolean} typed whether a row holds unsent text
 * @property {(surface: string) => string[]} uploading the names of inputs whose files are not there yet
 * @property {(form: HTMLFormElement, component: string) => Promise<void>} send sends what is typed
 * @property {() => Promise<void>} idle resolves when no input method is at work
 * @property {() => boolean} asked whether the user has just pressed a button
 * @property {(text: string, tone?: 'info' | 'busy' | 'error') => void} say
 */

const span = 100; // rows of a window
const margin = 20; // rows beyond those in view that are there
const held = 100; // rows with unsent text that stay; more are sent
const most = 500; // rows that the server gives at once

/** @type {Map<string, Table>} by the id of the region */
const tables = new Map();
/** @type {HTMLElement} */
let place;
/** @type {Page} */
let page;

/** @param {HTMLElement} root @param {Page} host */
export function startTables(root, host) {
  place = root;
  page = host;
  addEventListener('online', () => tables.forEach((table) => table.stale && load(table, table.from)));
}

/** Finds the tables of several pages, and follows what the server said of them; after every render. */
export function syncTables() {
  for (const region of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('.limn-scroll[data-rows]'))) {
    const table = tables.get(region.id);
    if (table?.region === region) follow(table);
    else attach(region, table);
  }
  for (const [id, table] of tables) if (!table.region.isConnected) tables.delete(id);
}

/** Resolves when all rows are drawn that were asked for. */
export async function settled() {
  await Promise.all([...tables.values()].map((table) => table.loading));
}

/** Whether a table of several pages is on the page. */
export const paged = () => tables.size > 0;

/**
 * Whether a stream is left to this script: it adds, takes or moves rows of the
 * server's page, while the window may be elsewhere.
 * @param {Element} target
 * @param {string} action
 */
export function claims(target, action) {
  const table = action === 'replace' ? undefined : tableOf(target);
  if (!table || (target !== table.body && target.parentElement !== table.body)) return false;
  table.stale = true;
  return true;
}

/**
 * Tells whether a leaf of a surface belongs to a row that is there, but not on the page.
 * @param {string} surface
 * @returns {(leaf: string) => boolean}
 */
export function away(surface) {
  const mine = [...tables.values()].filter((table) => surfaceOf(table) === surface);
  const ids = new Map(mine.map((table) => [table, new Set(rowsOf(table).map((row) => idOf(table, row)))]));
  return (leaf) => mine.some((table) => {
    const id = rowIn(table, leaf);
    return id !== '' && !ids.get(table)?.has(id) && !table.gone.has(id);
  });
}

/**
 * The row before or after a row; one that is not on the page is drawn first. Null
 * where there is none.
 * @param {Element} row
 * @param {number} step
 * @returns {Promise<Element | null>}
 */
export async function beside(row, step) {
  const table = tableOf(row);
  if (!table) return step < 0 ? row.previousElementSibling : row.nextElementSibling;
  const at = placeOf(row) + step;
  if (at < 0 || at >= table.count) return null;
  if (!rowAt(table, at)) await load(table, around(table, at));
  return rowAt(table, at) ?? null;
}

/**
 * A row and those below it that are on the page, or can be: as many as wanted, if
 * the table has them.
 * @param {Element} row
 * @param {number} wanted
 * @returns {Promise<Element[]>}
 */
export async function below(row, wanted) {
  const table = tableOf(row);
  if (!table) {
    const rows = [...(row.parentElement?.children ?? [])];
    return rows.slice(rows.indexOf(row));
  }
  const at = placeOf(row);
  const end = Math.min(at + wanted, table.count, at + most);
  if (at < table.from || end > table.to) {
    table.still = true;
    await load(table, at, Math.max(span, end - at));
    setTimeout(() => {
      table.still = false;
      look(table);
    });
  }
  const rows = Array.from({ length: end - at }, (_, i) => rowAt(table, at + i));
  return rows.filter((one) => one !== undefined);
}

/**
 * How many rows a table has from a row on.
 * @param {Element} row
 */
export function room(row) {
  const table = tableOf(row);
  if (table) return table.count - placeOf(row);
  const rows = [...(row.parentElement?.children ?? [])];
  return rows.length - rows.indexOf(row);
}

// --- the window --------------------------------------------------------------

/**
 * Makes a table of several pages scroll; old is the same table before it was drawn anew.
 * @param {HTMLElement} region
 * @param {Table} [old]
 */
function attach(region, old) {
  tables.delete(region.id);
  const pager = pagerOf(region);
  const body = /** @type {HTMLTableSectionElement | null} */ (region.querySelector('tbody'));
  if (!pager || !body) return;
  const first = Number(pager.dataset.first);
  /** @type {Table} */
  const table = {
    region, body, above: spacer(body, 'before'), below: spacer(body, 'after'),
    from: first, to: Number(pager.dataset.last), count: Number(pager.dataset.count), page: first, rev: revOf(region),
    height: 0, top: 0, stale: false, gone: old?.gone ?? new Set(),
  };
  tables.set(region.id, table);
  region.parentElement?.classList.add('limn-live');
  region.addEventListener('scroll', () => {
    table.frame ??= requestAnimationFrame(() => {
      table.frame = undefined;
      look(table);
    });
  }, { passive: true });
  pad(table);
  body.addEventListener('focusout', (event) => {
    const row = (/** @type {Element} */ (event.target)).closest('tr');
    if (row?.classList.contains('limn-away') && !row.contains(/** @type {Node | null} */ (event.relatedTarget))) conceal(row, true);
  });
  body.addEventListener('keydown', (event) => {
    const row = (/** @type {Element} */ (event.target)).closest('tr');
    if (!row?.classList.contains('limn-away')) return;
    table.go = placeOf(row);
    load(table, around(table, table.go));
  });
  if (old && old.page === first) {
    region.scrollTop = old.top;
    load(table, old.from, old.to - old.from);
    return;
  }
  if (first > 0) scrollTo(table, first);
  if (kept(table).length) load(table, table.from);
  look(table);
}

/**
 * Takes a row out of sight. The one with the focus would lose it if it were hidden.
 * @param {HTMLTableRowElement} row
 * @param {boolean} off
 */
function conceal(row, off) {
  const focused = row.contains(document.activeElement);
  row.hidden = off && !focused;
  row.classList.toggle('limn-away', off && focused);
}

/**
 * What a frame changed: the number of rows, the server's page, or anything of the
 * surface, which streams tell for the server's page only.
 * @param {Table} table
 */
function follow(table) {
  const pager = pagerOf(table.region);
  if (!pager) { // few rows are left, and the server draws all of them
    load(table, 0);
    return;
  }
  const [first, last, count, rev] = [Number(pager.dataset.first), Number(pager.dataset.last), Number(pager.dataset.count), revOf(table.region)];
  const grew = count > table.count;
  const elsewhere = table.from !== first || table.to !== last;
  let stale = table.stale || count !== table.count || (rev !== table.rev && elsewhere);
  let from = table.from;
  if (first !== table.page && !table.sending && (page.asked() || !table.body.contains(document.activeElement))) {
    const [top, bottom] = inView(table);
    const low = Math.max(last, bottom) - span;
    const high = Math.min(first, top);
    if (grew && last === count) { // the new row
      table.go = count - 1;
      from = around(table, count, count);
      stale = true;
    } else if (first < table.from || last > table.to) { // a window with both, or the page
      if (low > high) table.go = first;
      from = Math.max(0, low > high ? around(table, first, count) : Math.floor((low + high) / 2));
      stale = true;
    }
  }
  Object.assign(table, { page: first, count, rev });
  if (stale && !table.want) load(table, from, from === table.from ? Math.max(span, table.to - table.from) : span);
  else look(table);
}

/**
 * Asks for the rows around those in view where some of them are not there.
 * @param {Table} table
 */
function look(table) {
  const { region, from, to, count } = table;
  if (!region.isConnected || !region.clientHeight || table.still) return;
  if (!table.height) pad(table);
  table.top = region.scrollTop;
  const [first, last] = inView(table);
  tell(table, first, last);
  if ((from > 0 && first < from + margin) || (to < count && last > to - margin)) {
    const start = around(table, Math.floor((first + last) / 2));
    if (start !== from || to - from < Math.min(span, count)) load(table, start);
  }
}

/**
 * The place of the first row in view, and the place after the last.
 * @param {Table} table
 * @returns {[first: number, last: number]}
 */
function inView(table) {
  const { region, height, count } = table;
  const seen = firstSeen(table);
  const edge = region.getBoundingClientRect().bottom;
  const guess = Math.max(0, Math.min(Math.floor(region.scrollTop / (height || 1)), count - 1));
  const first = seen && seen.getBoundingClientRect().top < edge ? placeOf(seen) : guess;
  return [first, Math.min(first + Math.ceil(region.clientHeight / (height || 1)), count)];
}

/** The first row of the window that is not above what is in view. @param {Table} table */
function firstSeen(table) {
  const top = table.region.getBoundingClientRect().top + (table.region.querySelector('thead')?.offsetHeight ?? 0);
  return inSight(table).find((row) => row.getBoundingClientRect().bottom > top);
}

/**
 * Draws a window, after the one that is being drawn.
 * @param {Table} table
 * @param {number} from
 * @param {number} [count]
 * @returns {Promise<void>}
 */
function load(table, from, count = span) {
  table.want = [from, Math.min(count, most)];
  table.loading ??= run(table).finally(() => {
    table.loading = undefined;
  });
  return table.loading;
}

/** @param {Table} table */
async function run(table) {
  for (let tries = 0; table.want && table.region.isConnected; tries++) {
    let ids = kept(table);
    const form = table.region.closest('form');
    if (ids.length > held && form) {
      table.sending = true;
      await page.send(form, `c#${table.region.dataset.at}/${ids[0]}/!show:Button`);
      table.sending = false;
      ids = kept(table);
    }
    if (ids.length > most) { // they could not be sent, and none of them may go
      table.want = undefined;
      return;
    }
    const [from, count] = table.want;
    const answer = await ask(table, from, count, ids);
    if (!answer) {
      table.want = undefined;
      return;
    }
    await page.idle();
    if (!table.region.isConnected) return;
    const wanted = table.want[0] === from && table.want[1] === count;
    if (!wanted || (answer.seq < lastSeq() && tries < 5)) continue;
    table.want = undefined;
    draw(table, from, count, answer, ids);
  }
}

/**
 * @typedef {object} Answer
 * @property {string} html
 * @property {number} seq the frame it is of
 * @property {number} count rows of the table
 */

/**
 * @param {Table} table
 * @param {number} first
 * @param {number} count
 * @param {string[]} ids
 * @returns {Promise<Answer | undefined>}
 */
async function ask(table, first, count, ids) {
  const { rows = '', path = '' } = table.region.dataset;
  const query = new URLSearchParams({ surface: surfaceOf(table), path, first: String(first), count: String(count) });
  if (ids.length) query.set('row', ids.join(','));
  try {
    const response = await fetch(`${rows}?${query}`, { headers: { Accept: 'text/html' }, credentials: 'same-origin' });
    const total = response.headers.get('Limn-Rows');
    if (response.ok && total) return { html: await response.text(), seq: Number(response.headers.get('Limn-Seq')), count: Number(total) };
    note({ code: 'ROWS', message: String(response.status) });
    if (response.ok) page.say(word('offline'), 'error'); // of a sign-in or a network in between
    else if (response.status < 500 && response.status !== 429) return undefined; // the surface is gone: its frame is on the way
  } catch (error) {
    note({ code: 'OFFLINE', message: String(error) });
    page.say(word('offline'), 'error');
  }
  table.stale = true;
  setTimeout(() => table.stale && load(table, first, count), 3000);
  return undefined;
}

/**
 * @param {Table} table
 * @param {number} from
 * @param {number} count
 * @param {Answer} answer
 * @param {string[]} ids of rows that were asked for
 */
function draw(table, from, count, answer, ids) {
  const { region, body } = table;
  page.note();
  const seen = firstSeen(table);
  const was = seen?.getBoundingClientRect().top ?? 0;
  renderInto(body, answer.html);
  Object.assign(table, { from: Math.min(from, answer.count), to: Math.min(from + count, answer.count), count: answer.count, stale: false });
  for (const row of rowsOf(table)) conceal(row, placeOf(row) < table.from || placeOf(row) >= table.to);
  const there = new Set(rowsOf(table).map((row) => idOf(table, row)));
  for (const id of ids) if (!there.has(id)) table.gone.add(id);
  for (const id of there) table.gone.delete(id); // it was put back
  pad(table);
  page.drawn();
  const stays = seen?.id ? document.getElementById(seen.id) : null;
  if (table.go !== undefined) scrollTo(table, table.go);
  else if (stays && body.contains(stays) && !stays.hidden) region.scrollTop += stays.getBoundingClientRect().top - was;
  table.go = undefined;
  if (pagerOf(region)) look(table);
  else detach(table);
}

/**
 * All rows are there: the table is one as any other.
 * @param {Table} table
 */
function detach(table) {
  table.above.remove();
  table.below.remove();
  table.region.parentElement?.classList.remove('limn-live');
  for (const row of rowsOf(table)) conceal(row, false);
  tables.delete(table.region.id);
}

/**
 * @param {Table} table
 * @param {number} at
 */
function scrollTo(table, at) {
  const row = rowAt(table, at);
  const head = table.region.querySelector('thead')?.offsetHeight ?? 0;
  if (row) table.region.scrollTop += row.getBoundingClientRect().top - table.region.getBoundingClientRect().top - head;
  else table.region.scrollTop = at * table.height;
}

/**
 * Where a window with the row at its middle begins.
 * @param {Table} table
 * @param {number} at
 * @param {number} [count]
 */
function around(table, at, count = table.count) {
  return Math.max(0, Math.min(at - span / 2, count - span));
}

/** @param {Table} table */
function pad(table) {
  table.height ||= table.body.offsetHeight / Math.max(1, inSight(table).length); // 0 in a closed tab
  table.above.style.height = `${table.from * table.height}px`;
  table.below.style.height = `${(table.count - table.to) * table.height}px`;
}

/**
 * @param {Element} body
 * @param {'before' | 'after'} where
 */
function spacer(body, where) {
  const part = document.createElement('tbody');
  part.className = 'limn-space';
  part.setAttribute('aria-hidden', 'true');
  const cell = part.insertRow().insertCell();
  cell.colSpan = 1000;
  body[where](part);
  return cell;
}

/**
 * Says which rows are in view.
 * @param {Table} table
 * @param {number} first
 * @param {number} last
 */
function tell(table, first, last) {
  const text = pagerOf(table.region)?.querySelector('span');
  const said = word('rows', { min: first + 1, max: last, n: table.count });
  if (text && text.textContent !== said) text.textContent = said;
}

/**
 * Follows the link of an error to its row, which is drawn first where it is not on the
 * page. Returns whether the link is one of these.
 * @param {MouseEvent} event
 * @returns {boolean}
 */
export function jumped(event) {
  const link = /** @type {HTMLElement | null} */ ((/** @type {Element} */ (event.target)).closest?.('.limn-summary [data-row]'));
  const table = [...tables.values()].find(({ region }) => region.dataset.at === link?.dataset.at && region.closest('turbo-frame')?.contains(link));
  if (!link || !table) return false;
  event.preventDefault();
  void show(table, Number(link.dataset.row), link.dataset.target ?? decodeURIComponent((link.getAttribute('href') ?? '').slice(1)));
  return true;
}

/**
 * @param {Table} table
 * @param {number} at
 * @param {string} id of a control of the row
 */
async function show(table, at, id) {
  if (!rowAt(table, at)) await load(table, around(table, at));
  scrollTo(table, at);
  const control = document.getElementById(id);
  if (control) reveal(control);
  control?.focus();
  control?.scrollIntoView({ block: 'center' });
}

// --- rows ----------------------------------------------------------------------

/**
 * The ids of rows that stay whatever the window is: they hold unsent text, on the
 * page or kept from before it was loaded, a file that is on its way, or the focus.
 * @param {Table} table
 */
function kept(table) {
  const rows = rowsOf(table);
  const here = new Set(rows.map((row) => idOf(table, row)));
  const ids = new Set(rows.filter((row) => row.contains(document.activeElement) || page.typed(row)).map((row) => idOf(table, row)));
  for (const leaf of leaves(surfaceOf(table))) {
    const id = rowIn(table, leaf);
    if (id && !here.has(id) && !table.gone.has(id)) ids.add(id);
  }
  for (const name of page.uploading(surfaceOf(table))) {
    const id = rowIn(table, name);
    if (!table.gone.has(id)) ids.add(id);
  }
  ids.delete('');
  return [...ids];
}

/**
 * The id of the row that a leaf, or the name of a control, is of; '' of none in this table.
 * @param {Table} table
 * @param {string} leaf
 */
function rowIn(table, leaf) {
  const path = `${table.region.dataset.path}/`;
  return leaf.startsWith(path) ? leaf.slice(path.length).split('/')[0] : '';
}

/**
 * @param {Table} table
 * @param {Element} row
 */
function idOf(table, row) {
  for (const control of row.querySelectorAll('[name]')) {
    const id = rowIn(table, control.getAttribute('name') ?? '');
    if (id) return id;
  }
  return '';
}

/** @param {Table} table */
function rowsOf(table) {
  return [...table.body.rows];
}

/** The rows of the window. @param {Table} table */
function inSight(table) {
  return rowsOf(table).filter((row) => !row.hidden && !row.classList.contains('limn-away'));
}

/**
 * @param {Table} table
 * @param {number} at
 */
function rowAt(table, at) {
  return inSight(table).find((row) => placeOf(row) === at);
}

/** The place of a row, from 0: its title is its number. @param {Element} row */
function placeOf(row) {
  return Number(row.firstElementChild?.textContent) - 1;
}

/** @param {Element} element */
function tableOf(element) {
  const table = tables.get(element.closest('.limn-scroll')?.id ?? '');
  return table?.body.contains(element) ? table : undefined;
}

/** @param {Element} region */
function pagerOf(region) {
  return /** @type {HTMLElement | null} */ (region.parentElement?.querySelector(':scope > .limn-pager') ?? null);
}

/** @param {Table} table */
function surfaceOf(table) {
  return table.region.closest('turbo-frame')?.id ?? '';
}

/** @param {Element} region */
function revOf(region) {
  return /** @type {HTMLInputElement | null | undefined} */ (region.closest('form')?.querySelector('input[name="limn_rev"]'))?.value ?? '';
}
