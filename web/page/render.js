// Applies <turbo-stream> elements, at once and in order. The element the user
// types in is never replaced: it is set aside, and put back where the new HTML
// has its id, so focus, caret, a half-composed word and the choice of a select
// stay. The stream format is Turbo's; its script is not used.

/**
 * What each action does with its target and the new content.
 * @type {Record<string, (target: Element, content: DocumentFragment) => void>}
 */
const actions = {
  append: (target, content) => target.append(moved(content)),
  prepend: (target, content) => target.prepend(moved(content)),
  before: (target, content) => target.before(moved(content)),
  after: (target, content) => target.after(moved(content)),
  replace: (target, content) => target.replaceWith(content),
  update: (target, content) => target.replaceChildren(content),
  remove: (target) => target.remove(),
};

/**
 * New content takes the place of elements that have its ids: they move.
 * @param {DocumentFragment} content
 */
function moved(content) {
  for (const element of content.children) if (element.id) document.getElementById(element.id)?.remove();
  return content;
}

/**
 * Applies every turbo-stream of html. An unknown action, or one whose target is
 * not on the page, is left out, and so is one that claimed says is seen to already.
 * @param {string} html
 * @param {(target: Element, action: string) => boolean} claimed
 */
export function renderStreams(html, claimed) {
  const parsed = document.createElement('template');
  parsed.innerHTML = html;
  const focus = remember();
  const folds = unfolded();
  for (const stream of parsed.content.querySelectorAll('turbo-stream')) {
    const action = stream.getAttribute('action') ?? '';
    const act = actions[action];
    const target = document.getElementById(stream.getAttribute('target') ?? '');
    if (!act || !target || claimed(target, action)) continue;
    const content = stream.querySelector('template')?.content ?? document.createDocumentFragment();
    const only = content.children.length === 1 ? content.firstElementChild : null;
    if (action === 'replace' && only && target instanceof HTMLElement && stemOf(only) && stemOf(only) === stemOf(target) && shared(target)) {
      target.id = only.id; // what it shows comes in another way
      continue;
    }
    keeping(content, () => act(target, document.importNode(content, true)));
  }
  folds();
  focus();
}

/**
 * Replaces what is in place, keeping permanent elements.
 * @param {HTMLElement} place
 * @param {string} html
 */
export function renderInto(place, html) {
  const parsed = document.createElement('template');
  parsed.innerHTML = html;
  const focus = remember();
  const folds = unfolded();
  keeping(parsed.content, () => place.replaceChildren(document.importNode(parsed.content, true)));
  folds();
  focus();
}

/**
 * Remembers what the user has unfolded; the result unfolds it again.
 * @returns {() => void}
 */
function unfolded() {
  const open = [...document.querySelectorAll('details[open][id]')].map((fold) => fold.id);
  return () => {
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  };
}

/** @type {(wrapper: HTMLElement) => boolean} */
let shared = () => false;

/**
 * Says which permanent elements stay although the server wrote to what is in them: others
 * than a stream write there, and leave alone what is being typed.
 * @param {typeof shared} test
 */
export function keepShared(test) {
  shared = test;
}

/**
 * The id of a permanent element without the count of the server's writes, its end; else ''.
 * @param {Element} element
 * @returns {string}
 */
function stemOf(element) {
  return element.hasAttribute('data-turbo-permanent') ? element.id.replace(/N\d+$/, '') : '';
}

/**
 * Finds the permanent element that was drawn for the same, with another count.
 * @returns {(fresh: HTMLElement) => HTMLElement | undefined}
 */
function finder() {
  /** @type {Map<string, HTMLElement> | undefined} */
  let all;
  return (fresh) => {
    all ??= new Map([.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-turbo-permanent][id]'))].map((one) => [stemOf(one), one]));
    const old = all.get(stemOf(fresh));
    return old && shared(old) ? old : undefined;
  };
}

/**
 * @param {DocumentFragment | undefined} content
 * @param {() => void} run
 */
function keeping(content, run) {
  /** @type {Map<string, HTMLElement>} */
  const kept = new Map();
  const before = finder();
  const park = document.createElement('div');
  park.hidden = true;
  for (const fresh of /** @type {NodeListOf<HTMLElement>} */ (content?.querySelectorAll('[data-turbo-permanent][id]')) ?? []) {
    const current = document.getElementById(fresh.id) ?? before(fresh);
    if (!current?.hasAttribute('data-turbo-permanent') || kept.has(fresh.id)) continue;
    kept.set(fresh.id, current);
    current.id = fresh.id;
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
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('limn-kept'))) {
      const element = kept.get(place.dataset.id ?? '');
      if (element && place.parentNode) move(element, place.parentNode, place);
      place.remove();
    }
    park.remove();
  }
}

/**
 * Moves a connected element; where the browser can, without disturbing it.
 * @param {HTMLElement} element
 * @param {ParentNode & Node} parent
 * @param {Node | null} before
 */
function move(element, parent, before) {
  const able = /** @type {typeof parent & { moveBefore?: (node: Node, child: Node | null) => void }} */ (parent);
  if (able.moveBefore && element.isConnected) able.moveBefore(element, before);
  else parent.insertBefore(element, before);
}

/**
 * Remembers the focus and the caret; the result puts them back if a render lost
 * them. A button that is gone, such as "Remove" of the removed row, hands the
 * focus to the one that took its place, or the last of its kind.
 * @returns {() => void}
 */
function remember() {
  const active = /** @type {HTMLInputElement | null} */ (document.activeElement);
  if (!active || active === document.body) return () => {};
  const place = active.matches('button') ? active.closest('turbo-frame')?.id : undefined;
  const index = place ? peers(place, active.textContent).indexOf(active) : -1;
  /** @type {[number, number] | undefined} */
  let caret;
  try {
    if (active.selectionStart !== null && active.selectionEnd !== null) caret = [active.selectionStart, active.selectionEnd];
  } catch {
    // this type of input has no caret
  }
  return () => {
    if (document.activeElement === active) return;
    const same = active.isConnected ? active : active.id ? document.getElementById(active.id) : null;
    const rest = same || !place ? [] : peers(place, active.textContent);
    const target = /** @type {HTMLInputElement | null} */ ((same ?? rest[Math.min(index, rest.length - 1)] ?? (place && document.querySelector(`#${CSS.escape(place)} .limn-add button, #${CSS.escape(place)} button.limn-add`)) ?? null));
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

/**
 * The buttons of a surface that say the same.
 * @param {string} surface
 * @param {string | null} text
 * @returns {Element[]}
 */
function peers(surface, text) {
  return [...(document.getElementById(surface)?.querySelectorAll('button') ?? [])].filter((b) => b.textContent === text);
}
