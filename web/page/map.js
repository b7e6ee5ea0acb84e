// A process is edited on its picture: loads the script for it once there is one, and keeps
// an editor for each. Without the script the picture is the server's, above its fields.

import { note, page } from './page.js';

/**
 * @typedef {object} Editor as process.ts makes it
 * @property {(canvas: HTMLElement) => void} attach
 * @property {() => void} update
 */

/** @type {Map<string, Editor>} by the id of the server's picture */
const editors = new Map();
/** @type {{ edit: (host: object) => Editor } | undefined} */
let script;
let due = false;
/** @type {HTMLElement} */
let place;
/** @type {(form: HTMLFormElement, component: string) => Promise<void>} */
let send;

/** @param {HTMLElement} root @param {typeof send} submit sends what is typed, with the button of a component */
export function startProcess(root, submit) {
  place = root;
  send = submit;
  for (const type of ['input', 'change']) place.addEventListener(type, changed);
}

/** What is typed or drawn shows in the editors, all of it at once. */
export function changed() {
  if (due || !editors.size) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    for (const editor of editors.values()) editor.update();
  });
}

/** Puts the editors where pictures of processes are; after every render. */
export function syncProcess() {
  const all = page.process ? /** @type {HTMLElement[]} */ ([...place.querySelectorAll('.limn-form .limn-canvas[data-steps]')]) : [];
  for (const id of editors.keys()) if (!all.some((canvas) => canvas.id === id)) editors.delete(id);
  if (!all.length) return;
  if (!script) {
    load();
    return;
  }
  for (const canvas of all) {
    const editor = editors.get(canvas.id) ?? script.edit({ words: JSON.parse(document.body.dataset.map ?? '{}'), send: (/** @type {HTMLFormElement} */ form, /** @type {string} */ component) => free(form).then(() => send(form, component)) });
    editors.set(canvas.id, editor);
    editor.attach(canvas);
  }
}

let asked = false;

function load() {
  if (asked) return;
  asked = true;
  import(page.process).then((loaded) => {
    script = loaded;
    syncProcess();
  }, (error) => note({ code: 'SCRIPT_ERROR', message: String(error) }));
}

/**
 * Resolves when no submission of a form is under way.
 * @param {HTMLFormElement} form
 * @returns {Promise<void>}
 */
const free = (form) => new Promise((done) => {
  const watch = new MutationObserver(look);
  watch.observe(form, { attributes: true, attributeFilter: ['data-pending'] });
  look();
  function look() {
    if ('pending' in form.dataset) return;
    watch.disconnect();
    done();
  }
});
