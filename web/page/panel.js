// The inspector beside the conversation: a panel, where the link to it is on the page.

/** Lets the link open the panel, and close it again. */
export function start() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.getElementById('limn-inspect'));
  link?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own
    event.preventDefault();
    const menu = link.closest('details');
    if (menu) menu.open = false;
    const shown = document.getElementById('limn-inspector');
    if (shown) shown.remove();
    else open(link);
  });
}

/** @param {HTMLAnchorElement} link */
function open(link) {
  const panel = document.createElement('aside');
  panel.id = 'limn-inspector';
  panel.setAttribute('aria-label', link.textContent ?? '');
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = link.dataset.close ?? '';
  close.addEventListener('click', () => {
    panel.remove();
    /** @type {HTMLElement | null} */ (document.querySelector('#limn-developer > summary'))?.focus();
  });
  const frame = document.createElement('iframe');
  frame.title = link.textContent ?? '';
  frame.src = `${link.href}&panel`;
  panel.append(close, frame);
  document.body.append(panel);
  close.focus();
}
