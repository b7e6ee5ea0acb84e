// Files of the HTML drawing. A file is uploaded as soon as it is chosen or
// dropped, with progress, and can be removed or sent again. The form waits for it.
// Without this script the file goes with the form's own post.

import { away } from './rows.js';
import { word } from './words.js';

/**
 * @typedef {object} Transfer
 * @property {File} file
 * @property {string} key       Idempotency-Key: a retry is the same upload
 * @property {string} surface   id of the frame
 * @property {string} name      path of the input
 * @property {'sending' | 'failed'} state
 * @property {number} sent      percent
 * @property {string} [thumb]   data URL
 * @property {XMLHttpRequest} [request]
 *
 * @typedef {object} Page
 * @property {(html: string, seq: number) => void} render  shows the server's answer
 * @property {(text: string, tone?: 'info' | 'busy' | 'error') => void} say
 * @property {(text: string) => void} problem  notes a problem for the report
 */

const field = 'input[type="file"][data-uploads]';
const surfaceOf = (/** @type {Element} */ element) => element.closest('turbo-frame, [data-surface]')?.id ?? '';

/** @type {Map<string, Transfer>} by the id of the input */
const transfers = new Map();
/** @type {Map<string, {thumb?: string, size: number}>} by the id of the stored file */
const known = new Map();
/** @type {Map<string, string>} surface → value of the button that waits */
const waiting = new Map();
/** @type {HTMLElement} */
let place;
/** @type {Page} */
let page;
let removed = ''; // id of the input whose file is being removed: it gets the focus

/** @param {HTMLElement} root @param {Page} host */
export function startUploads(root, host) {
  place = root;
  page = host;
  const chosen = (/** @type {HTMLInputElement} */ input) => {
    if (input.matches(field) && input.files?.length) begin(input, input.files[0]);
  };
  place.addEventListener('change', (event) => chosen(/** @type {HTMLInputElement} */ (event.target)));
  place.addEventListener('click', clicked);
  place.addEventListener('submit', hold, { capture: true });
  for (const name of /** @type {const} */ (['dragover', 'dragleave', 'drop'])) document.addEventListener(name, drag);
  addEventListener('online', () => {
    for (const [id, transfer] of transfers) if (transfer.state === 'failed') send(id, transfer);
  });
  addEventListener('beforeunload', (event) => {
    if ([...transfers.values()].some((t) => t.state === 'sending')) event.preventDefault();
  });
  syncUploads();
  /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll(field)).forEach(chosen); // before this script was loaded
}

/** Draws what is known about files; after every render. */
export function syncUploads() {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (place.querySelectorAll(field))) {
    const wrapper = input.parentElement;
    if (wrapper && !wrapper.querySelector('.limn-drop-hint')) wrapper.append(make('span', 'limn-drop-hint', word('file.drop')));
    if (!transfers.has(input.id)) wrapper?.querySelector('.limn-transfer')?.remove();
    wrapper?.classList.add('limn-live');
    wrapper?.classList.toggle('limn-sending', transfers.has(input.id));
    const stored = storedOf(input);
    const about = stored && known.get(stored.value);
    const name = stored?.parentElement?.querySelector('.limn-file');
    if (about && name && !name.querySelector('small')) {
      if (about.thumb) name.prepend(image(about.thumb));
      name.append(make('small', '', ` ${sizeText(about.size)}`));
    }
    if (slotOf(input.id)?.dataset.server === undefined) mark(input.id, false);
    if (input.id === removed && !stored?.value) {
      removed = '';
      input.focus();
    }
  }
  summaries();
  for (const [id, transfer] of transfers) {
    if (document.getElementById(id)) draw(id);
    else if (!document.getElementById(transfer.surface)) forget(id); // the form is gone
    else if (!away(transfer.surface)(transfer.name)) { // its row is
      forget(id);
      page.say(word('file.removed', { label: transfer.file.name }));
    }
  }
}

/** The paths of the inputs of a surface whose files are on their way, or failed. @param {string} surface */
export const uploading = (surface) => [...transfers.values()].filter((t) => t.surface === surface).map((t) => t.name);

/** The hidden input with the id of the stored file. @param {HTMLInputElement} input */
function storedOf(input) {
  return [...(input.form?.querySelectorAll('input[type="hidden"]') ?? [])].map((i) => /** @type {HTMLInputElement} */ (i)).find((i) => i.name === input.name);
}

/** @param {HTMLInputElement} input @param {File} file */
function begin(input, file) {
  input.value = ''; // the upload carries the file; the form sends its id
  transfers.get(input.id)?.request?.abort();
  transfers.delete(input.id);
  const most = Number(input.dataset.max ?? 0);
  const refusal = file.size === 0 ? input.dataset.empty : most && file.size > most ? input.dataset.large : '';
  if (refusal) {
    complain(input.id, refusal.replace('{label}', () => file.name));
    syncUploads();
    return;
  }
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');
  /** @type {Transfer} */
  const transfer = { file, key: `upload-${key}`, surface: surfaceOf(input), name: input.name, state: 'sending', sent: 0 };
  transfers.set(input.id, transfer);
  send(input.id, transfer);
  void thumbOf(file).then((thumb) => {
    transfer.thumb = thumb;
    if (transfers.get(input.id) === transfer) draw(input.id);
  });
}

/** @param {string} id @param {Transfer} transfer */
function send(id, transfer) {
  const input = inputOf(id);
  const form = input?.form;
  if (!input || !form) return;
  complain(id, '');
  Object.assign(transfer, { state: 'sending', sent: 0 });
  const body = new FormData();
  for (const name of ['limn_surface', 'limn_nonce']) {
    body.append(name, /** @type {HTMLInputElement} */ (form.querySelector(`input[name="${name}"]`)).value);
  }
  body.append('limn_path', input.name);
  body.append('file', transfer.file, transfer.file.name);
  const request = new XMLHttpRequest();
  transfer.request = request;
  request.open('POST', /** @type {string} */ (input.dataset.uploads));
  request.setRequestHeader('Accept', 'text/vnd.turbo-stream.html, application/problem+json');
  request.setRequestHeader('Idempotency-Key', transfer.key);
  request.upload.addEventListener('progress', (event) => {
    if (event.lengthComputable) transfer.sent = Math.floor((100 * event.loaded) / event.total);
    draw(id);
  });
  request.addEventListener('load', () => answered(id, transfer, request));
  for (const name of ['error', 'timeout']) request.addEventListener(name, () => failed(id, transfer, word('file.offline', { label: transfer.file.name })));
  request.send(body);
  page.say(word('file.sending', { label: transfer.file.name }), 'busy');
  draw(id);
}

/** @param {string} id @param {Transfer} transfer @param {XMLHttpRequest} request */
function answered(id, transfer, request) {
  if (transfers.get(id) !== transfer) return;
  if (request.status === 200 && /turbo-stream/.test(request.getResponseHeader('Content-Type') ?? '')) {
    const focused = inputOf(id)?.closest('.limn-field, td')?.contains(document.activeElement);
    transfers.delete(id);
    page.say(''); // before: the answer may write the status line
    const seq = Number(request.getResponseHeader('Limn-Seq') ?? Infinity);
    page.render(request.responseText, seq);
    uncomplain(id);
    const input = inputOf(id);
    const stored = input && storedOf(input);
    const done = request.getResponseHeader('Limn-Outcome') === 'done';
    if (done && stored?.value) known.set(stored.value, { thumb: transfer.thumb, size: transfer.file.size });
    syncUploads();
    if (focused && input && !input.closest('.limn-field, td')?.contains(document.activeElement)) input.focus();
    go(transfer.surface, done);
    return;
  }
  const label = transfer.file.name;
  let text = word('file.refused', { label });
  try {
    const problem = JSON.parse(request.responseText);
    page.problem(String(problem.code));
    const list = problem.message || problem.detail || problem.title;
    if (list) text = word('file.why', { label, list });
  } catch {
    // no problem document
  }
  failed(id, transfer, text);
}

/** @param {string} id @param {Transfer} transfer @param {string} text */
function failed(id, transfer, text) {
  if (transfers.get(id) !== transfer) return;
  transfer.state = 'failed';
  page.say(text, 'error');
  complain(id, text);
  draw(id);
  go(transfer.surface, false);
}

/** @param {string} id */
function forget(id) {
  const transfer = transfers.get(id);
  transfers.delete(id);
  transfer?.request?.abort();
  if (transfer) waiting.delete(transfer.surface);
}

// --- the form waits ---------------------------------------------------------

/** Buttons that leave files alone: rows, Remove, and what needs no valid form, as Cancel. */
const free = '.limn-row-buttons button, .limn-add button, .limn-pager button, .limn-show, .limn-detach, [formnovalidate]';

/** Holds a submit back while its files are on their way. @param {SubmitEvent} event */
function hold(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const surface = surfaceOf(form);
  if (button?.matches('.limn-detach')) removed = form.querySelector(`${field}[name="${CSS.escape(storedName(button))}"]`)?.id ?? '';
  if (button?.matches(free)) return;
  const mine = [...transfers].filter(([, t]) => t.surface === surface);
  if (!mine.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const bad = mine.find(([, t]) => t.state === 'failed');
  if (bad) {
    const text = word('file.failed', { label: bad[1].file.name });
    complain(bad[0], text);
    page.say(text, 'error');
    /** @type {HTMLElement | null} */ (inputOf(bad[0])?.parentElement?.querySelector('[data-transfer="retry"]') ?? null)?.focus();
    return;
  }
  waiting.set(surface, button?.value ?? '');
  page.say(word('file.waiting', { list: mine.map(([, t]) => t.file.name).join(', ') }), 'busy');
}

/** @param {HTMLButtonElement} button */
function storedName(button) {
  return /** @type {HTMLInputElement | null} */ (button.parentElement?.querySelector('input[type="hidden"]'))?.name ?? '';
}

/** Sends the form that waited for the last of its files. @param {string} surface @param {boolean} good */
function go(surface, good) {
  const value = waiting.get(surface);
  if (value === undefined) return;
  if (!good) {
    waiting.delete(surface);
    return;
  }
  if ([...transfers.values()].some((t) => t.surface === surface)) return;
  waiting.delete(surface);
  const form = document.getElementById(surface)?.querySelector('form');
  const buttons = /** @type {HTMLButtonElement[]} */ ([...(form?.querySelectorAll('button[name="limn_component"]') ?? [])]);
  const button = buttons.find((b) => b.value === value && !b.matches('.limn-default')) ?? buttons.find((b) => b.value === value);
  form?.requestSubmit(button ?? null);
}

// --- choosing ---------------------------------------------------------------

/** @param {MouseEvent} event */
function clicked(event) {
  const button = /** @type {Element} */ (event.target).closest?.('[data-transfer]');
  const input = /** @type {HTMLInputElement | null | undefined} */ (button?.closest('.limn-input')?.querySelector(field));
  const transfer = input && transfers.get(input.id);
  if (!button || !input || !transfer) return;
  if (button.getAttribute('data-transfer') === 'retry') {
    send(input.id, transfer);
  } else {
    forget(input.id);
    complain(input.id, '');
    page.say(word('file.removed', { label: transfer.file.name }));
    syncUploads();
  }
  input.focus();
}

/** @param {DragEvent} event */
function drag(event) {
  if (!event.dataTransfer?.types.includes('Files')) return;
  if (event.type !== 'dragleave') event.preventDefault(); // beside a field the browser would open the file instead of this page
  const over = /** @type {Element} */ (event.target).closest?.('.limn-field, td');
  const input = /** @type {HTMLInputElement | null | undefined} */ (over?.querySelector(`${field}:enabled`));
  for (const old of place.querySelectorAll('.limn-drop')) old.classList.remove('limn-drop');
  if (event.type === 'dragover') {
    event.dataTransfer.dropEffect = input ? 'copy' : 'none';
    input?.parentElement?.classList.add('limn-drop');
  }
  if (event.type === 'drop' && input && event.dataTransfer.files.length) {
    begin(input, event.dataTransfer.files[0]);
    if (event.dataTransfer.files.length > 1) page.say(word('file.one'));
  }
}

// --- drawing ----------------------------------------------------------------

/** Draws one transfer beside its input. @param {string} id */
function draw(id) {
  const transfer = transfers.get(id);
  const wrapper = inputOf(id)?.parentElement;
  if (!transfer || !wrapper) return;
  wrapper.classList.add('limn-sending');
  let box = /** @type {HTMLElement | null} */ (wrapper.querySelector('.limn-transfer'));
  if (!box || box.dataset.key !== transfer.key || box.dataset.state !== transfer.state) {
    const had = box?.contains(document.activeElement);
    box?.remove();
    box = make('div', 'limn-transfer');
    box.dataset.key = transfer.key;
    box.dataset.state = transfer.state;
    const { name, size } = transfer.file;
    const file = make('span', 'limn-file', name);
    file.append(make('small', '', ` ${sizeText(size)}`));
    box.append(file);
    if (transfer.state === 'sending') {
      const progress = document.createElement('progress');
      progress.max = 100;
      progress.setAttribute('aria-label', word('file.progress', { label: name }));
      box.append(progress, make('span', 'limn-transfer-text'));
    } else {
      box.append(button('retry', word('file.retry'), name));
    }
    box.append(button('remove', word(transfer.state === 'sending' ? 'file.cancel' : 'file.remove'), name));
    wrapper.append(box);
    if (had) box.querySelector('button')?.focus();
  }
  const file = box.querySelector('.limn-file');
  if (transfer.thumb && file && !file.querySelector('img')) file.prepend(image(transfer.thumb));
  const progress = box.querySelector('progress');
  if (progress) {
    progress.value = transfer.sent;
    /** @type {HTMLElement} */ (progress.nextElementSibling).textContent = transfer.sent < 100 ? `${transfer.sent} %` : word('file.checking');
  }
}

/** @param {string} act @param {string} label @param {string} name */
function button(act, label, name) {
  const b = /** @type {HTMLButtonElement} */ (make('button', 'limn-button', label));
  b.type = 'button';
  b.dataset.transfer = act;
  b.append(make('span', 'limn-hidden', ` ${name}`));
  return b;
}

/** Shows a text in the error slot of an input instead of what the server says there.
 *  @param {string} id @param {string} text */
function complain(id, text) {
  const slot = slotOf(id);
  if (!slot) return;
  slot.dataset.server ??= slot.textContent ?? '';
  slot.textContent = text;
  mark(id, true);
}

/** Shows again what the server says, unless it has said something new. @param {string} id */
function uncomplain(id) {
  const slot = slotOf(id);
  if (slot?.dataset.server && !slot.textContent) slot.textContent = slot.dataset.server;
  delete slot?.dataset.server;
  mark(id, false);
}

/** @param {string} id @param {boolean} own */
function mark(id, own) {
  if (slotOf(id)?.textContent) inputOf(id)?.setAttribute('aria-invalid', 'true');
  else inputOf(id)?.removeAttribute('aria-invalid');
  const link = [...place.querySelectorAll('.limn-summary a')].find((a) => a.getAttribute('href') === `#${id}`);
  const item = link?.closest('li');
  if (item) item.hidden = own;
  summaries();
}

/** Hides a summary of which nothing is left. */
function summaries() {
  for (const summary of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('.limn-summary'))) {
    const items = [...summary.querySelectorAll('li')];
    summary.hidden = items.length > 0 && items.every((li) => li.hidden);
  }
}

/** @param {string} id */
function slotOf(id) {
  return /** @type {HTMLElement | undefined} */ ([...place.querySelectorAll('.limn-error[data-for]')].find((s) => s.getAttribute('data-for') === id));
}

/** @param {string} id */
function inputOf(id) {
  return /** @type {HTMLInputElement | null} */ (document.getElementById(id));
}

/** @param {string} tag @param {string} name @param {string} [text] */
function make(tag, name, text = '') {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.textContent = text;
  return element;
}

/** @param {string} url */
function image(url) {
  const img = document.createElement('img');
  img.className = 'limn-thumb';
  img.alt = '';
  img.src = url;
  return img;
}

/** A small picture of an image file. It is never sent. @param {File} file @returns {Promise<string | undefined>} */
async function thumbOf(file) {
  if (!file.type.startsWith('image/')) return undefined;
  try {
    const bitmap = await createImageBitmap(file, { resizeHeight: 96, resizeQuality: 'medium' });
    const canvas = document.createElement('canvas');
    canvas.width = Math.min(bitmap.width, 192);
    canvas.height = bitmap.height;
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return canvas.toDataURL('image/png');
  } catch {
    return undefined; // no image that this browser can draw
  }
}

/** @param {number} bytes */
function sizeText(bytes) {
  for (const [unit, size] of /** @type {const} */ ([['MiB', 1 << 20], ['KiB', 1 << 10]])) {
    if (bytes >= size) return `${Math.round((10 * bytes) / size) / 10} ${unit}`;
  }
  return word('file.bytes', { n: bytes });
}
