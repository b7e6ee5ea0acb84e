// Applies <turbo-stream> elements, at once and in order, with Turbo's own
// actions. Turbo's renderer is not used: around a render it swaps permanent
// elements for clones (focus, caret, a half-composed word and the choice of a
// select are lost), waits for the next repaint, and looks ids up as CSS
// selectors, which throws for a wire id such as form:customer#e=1. Here the very
// element the user types in is set aside, and put back where the new HTML has
// its id.

import { StreamActions } from '@hotwired/turbo';

type Stream = HTMLElement & { templateElement: HTMLTemplateElement };

/** Applies every turbo-stream of html. An unknown action is left out. */
export function renderStreams(html: string): void {
  const parsed = document.createElement('template');
  parsed.innerHTML = html;
  const focus = remember();
  const folds = unfolded();
  for (const found of parsed.content.querySelectorAll('turbo-stream')) {
    const stream = document.importNode(found, true) as Stream;
    const action = StreamActions[stream.getAttribute('action') ?? ''];
    if (!action || stream.getAttribute('action') === 'refresh') continue;
    const content = stream.querySelector('template')?.content;
    keeping(content, () => action.call(stream));
  }
  folds();
  focus();
}

/** Replaces what is in place, keeping permanent elements. */
export function renderInto(place: HTMLElement, html: string): void {
  const parsed = document.createElement('template');
  parsed.innerHTML = html;
  const focus = remember();
  const folds = unfolded();
  keeping(parsed.content, () => place.replaceChildren(document.importNode(parsed.content, true)));
  folds();
  focus();
}

/** Remembers what the user has unfolded; the result unfolds it again. */
function unfolded(): () => void {
  const open = [...document.querySelectorAll('details[open][id]')].map((fold) => fold.id);
  return () => {
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  };
}

function keeping(content: DocumentFragment | undefined, run: () => void): void {
  const kept = new Map<string, HTMLElement>();
  const park = document.createElement('div');
  park.hidden = true;
  for (const fresh of content?.querySelectorAll<HTMLElement>('[data-turbo-permanent][id]') ?? []) {
    const current = document.getElementById(fresh.id);
    if (!current?.hasAttribute('data-turbo-permanent') || kept.has(fresh.id)) continue;
    kept.set(fresh.id, current);
    const place = document.createElement('limn-kept');
    place.dataset.id = fresh.id;
    fresh.replaceWith(place);
  }
  if (!kept.size) {
    run();
    return;
  }
  document.body.append(park);
  for (const element of kept.values()) move(element, park, null);
  try {
    run();
  } finally {
    for (const place of document.querySelectorAll<HTMLElement>('limn-kept')) {
      const element = kept.get(place.dataset.id ?? '');
      if (element && place.parentNode) move(element, place.parentNode, place);
      place.remove();
    }
    park.remove();
  }
}

/** Moves a connected element; where the browser can, without disturbing it. */
function move(element: HTMLElement, parent: ParentNode & Node, before: Node | null): void {
  const able = parent as typeof parent & { moveBefore?: (node: Node, child: Node | null) => void };
  if (able.moveBefore && element.isConnected) able.moveBefore(element, before);
  else parent.insertBefore(element, before);
}

/** Remembers the focus and the caret; the result puts them back if a render lost
 *  them. A button that is gone, such as "Remove" of the removed row, hands the
 *  focus to the one that took its place, or the last of its kind. */
function remember(): () => void {
  const active = document.activeElement as HTMLInputElement | null;
  if (!active || active === document.body) return () => {};
  const place = active.matches('button') ? active.closest('turbo-frame')?.id : undefined;
  const index = place ? peers(place, active.textContent).indexOf(active) : -1;
  let caret: [number, number] | undefined;
  try {
    if (active.selectionStart !== null && active.selectionEnd !== null) caret = [active.selectionStart, active.selectionEnd];
  } catch {
    // this type of input has no caret
  }
  return () => {
    if (document.activeElement === active) return;
    const same = active.isConnected ? active : active.id ? document.getElementById(active.id) : null;
    const rest = same || !place ? [] : peers(place, active.textContent);
    const target = (same ?? rest[Math.min(index, rest.length - 1)] ?? (place && document.querySelector(`#${CSS.escape(place)} .limn-add button, #${CSS.escape(place)} button.limn-add`)) ?? null) as HTMLInputElement | null;
    target?.focus({ preventScroll: true });
    if (target && target === document.activeElement && caret && target.setSelectionRange) {
      try {
        target.setSelectionRange(...caret);
      } catch {
        // no caret
      }
    }
  };
}

/** The buttons of a surface that say the same. */
function peers(surface: string, text: string | null): Element[] {
  return [...(document.getElementById(surface)?.querySelectorAll('button') ?? [])].filter((b) => b.textContent === text);
}
