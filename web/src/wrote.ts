// Who wrote last, beside an input that an official renderer has drawn. The renderers do not
// touch the element that says it, nor the attributes.

const marks = new WeakMap<HTMLElement, HTMLElement>();
let count = 0;

/** Every input below root, through open shadow roots. */
function* inputs(root: ParentNode): Generator<HTMLInputElement> {
  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    if (element.matches('input:not([type=hidden]), textarea, select')) yield element as HTMLInputElement;
    if (element.shadowRoot) yield* inputs(element.shadowRoot);
  }
}

/** Says beside each input below root who wrote there last: saidOf has the words, '' where nobody else did. */
export function markWrote(root: ParentNode, saidOf: (control: HTMLInputElement) => string): void {
  for (const control of inputs(root)) {
    const said = saidOf(control);
    if (said || control.dataset.wrote) mark(control, said);
  }
}

function mark(control: HTMLInputElement, said: string): void {
  let note = marks.get(control);
  control.style.boxShadow = said ? 'inset 3px 0 var(--limn-accent)' : '';
  if (said) control.dataset.wrote = said;
  else delete control.dataset.wrote;
  if (said && !note?.isConnected) {
    note = document.createElement('span');
    note.id = `limn-wrote-${++count}`;
    note.hidden = control.closest('td') !== null; // there is no room in rows; a description may be hidden
    Object.assign(note.style, { fontSize: '0.8rem', color: 'var(--limn-muted)' });
    marks.set(control, note);
    (control.closest('label') ?? control).after(note);
  }
  if (!note) return;
  if (note.textContent !== said) note.textContent = said;
  const described = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== note.id);
  if (said) described.push(note.id);
  if (described.length) control.setAttribute('aria-describedby', described.join(' '));
  else control.removeAttribute('aria-describedby');
}
