// Tabs of the HTML drawing: without script a list of links to panels that are all
// shown; here the links become tabs. The choice outlives a render.

const chosen = new Map<string, string>(); // id of the first tab → id of the chosen one

/** Shows one panel of every set of tabs below root. */
export function syncTabs(root: ParentNode): void {
  for (const list of root.querySelectorAll('.limn-tablist')) {
    const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
    const first = tabs[0];
    if (!first) continue;
    const invalid = tabs.find((tab) => panelOf(tab)?.querySelector('[aria-invalid="true"]'));
    select(tabs, tabs.find((tab) => tab.id === chosen.get(first.id)) ?? invalid ?? first);
  }
}

/** Takes clicks and arrow keys on tabs. */
export function listenTabs(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    const tab = (event.target as Element).closest<HTMLElement>('.limn-tablist [role="tab"]');
    if (!tab) return;
    event.preventDefault();
    event.stopPropagation();
    choose(tab);
  });
  root.addEventListener('keydown', (event) => {
    const tab = (event.target as Element).closest<HTMLElement>('.limn-tablist [role="tab"]');
    if (!tab) return;
    const tabs = siblings(tab);
    const at = tabs.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1, ' ': at }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length]!;
    choose(next);
    next.focus();
  });
}

function choose(tab: HTMLElement): void {
  const tabs = siblings(tab);
  chosen.set(tabs[0]!.id, tab.id);
  select(tabs, tab);
}

function select(tabs: HTMLElement[], tab: HTMLElement): void {
  for (const one of tabs) {
    const on = one === tab;
    one.setAttribute('aria-selected', String(on));
    one.tabIndex = on ? 0 : -1;
    const panel = panelOf(one);
    if (panel) panel.hidden = !on;
  }
}

/** Shows the panel an element is in. */
export function reveal(element: Element): void {
  const panel = element.closest('[role="tabpanel"][hidden]');
  const tab = panel && document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
  if (tab) choose(tab);
}

const siblings = (tab: HTMLElement): HTMLElement[] => [...tab.closest('.limn-tablist')!.querySelectorAll<HTMLElement>('[role="tab"]')];
const panelOf = (tab: HTMLElement): HTMLElement | null => document.getElementById(tab.getAttribute('aria-controls') ?? '');
