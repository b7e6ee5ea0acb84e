// Tabs of the HTML drawing: without script a list of links to panels that are all
// shown; here the links become tabs. The choice outlives a render.

import { goesBack } from './keys.js';
import { showSurface } from './workspace.js';

/** @type {Map<string, string>} */
const chosen = new Map(); // id of the first tab → id of the chosen one

/**
 * Shows one panel of every set of tabs below root.
 * @param {ParentNode} root
 */
export function syncTabs(root) {
  for (const list of root.querySelectorAll('.limn-tablist')) {
    const tabs = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[role="tab"]'))];
    const first = tabs[0];
    if (!first) continue;
    const invalid = tabs.find((tab) => panelOf(tab)?.querySelector('[aria-invalid="true"]'));
    select(tabs, tabs.find((tab) => tab.id === chosen.get(first.id)) ?? invalid ?? first);
  }
}

/**
 * Takes clicks and arrow keys on tabs.
 * @param {HTMLElement} root
 */
export function listenTabs(root) {
  root.addEventListener('click', (event) => {
    const tab = /** @type {HTMLElement | null} */ ((/** @type {Element} */ (event.target)).closest('.limn-tablist [role="tab"]'));
    if (!tab) return;
    event.preventDefault();
    event.stopPropagation();
    choose(tab);
  });
  root.addEventListener('keydown', (event) => {
    const tab = /** @type {HTMLElement | null} */ ((/** @type {Element} */ (event.target)).closest('.limn-tablist [role="tab"]'));
    if (!tab) return;
    const tabs = siblings(tab);
    const at = tabs.indexOf(tab);
    const step = goesBack(event, tab) ? -1 : 1;
    const to = { ArrowRight: at + step, ArrowLeft: at + step, Home: 0, End: tabs.length - 1, ' ': at }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
}

/** @param {HTMLElement} tab */
function choose(tab) {
  const tabs = siblings(tab);
  chosen.set(tabs[0].id, tab.id);
  select(tabs, tab);
}

/**
 * @param {HTMLElement[]} tabs
 * @param {HTMLElement} tab
 */
function select(tabs, tab) {
  for (const one of tabs) {
    const on = one === tab;
    one.setAttribute('aria-selected', String(on));
    one.tabIndex = on ? 0 : -1;
    const panel = panelOf(one);
    if (panel) panel.hidden = !on;
  }
}

/**
 * Shows the surface and the panel an element is in.
 * @param {Element} element
 */
export function reveal(element) {
  showSurface(element);
  for (let fold = element.closest('details:not([open])'); fold; fold = fold.closest('details:not([open])')) fold.setAttribute('open', '');
  const panel = element.closest('[role="tabpanel"][hidden]');
  const tab = panel && document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
  if (tab) choose(tab);
}

/**
 * @param {HTMLElement} tab
 * @returns {HTMLElement[]}
 */
const siblings = (tab) => [.../** @type {Iterable<HTMLElement>} */ (tab.closest('.limn-tablist')?.querySelectorAll('[role="tab"]') ?? [])];

/**
 * @param {HTMLElement} tab
 * @returns {HTMLElement | null}
 */
const panelOf = (tab) => document.getElementById(tab.getAttribute('aria-controls') ?? '');
