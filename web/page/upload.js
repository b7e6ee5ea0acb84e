// The page an A2UI drawing opens for a file: the file is sent as soon as it is
// chosen or dropped. Without this script its button sends it.

import { word } from './words.js';

start();

function start() {
  const form = document.querySelector('form');
  const input = /** @type {HTMLInputElement | null | undefined} */ (form?.querySelector('input[type="file"]'));
  const box = input?.parentElement;
  const button = form?.querySelector('button');
  const problem = document.getElementById('problem');
  if (!form || !input || !box || !button || !problem) return; // the file is taken
  button.hidden = true;
  const hint = document.createElement('span');
  hint.className = 'limn-drop-hint';
  hint.textContent = word('file.drop');
  box.append(hint);
  input.addEventListener('change', () => input.files?.length && send());
  form.addEventListener('submit', (event) => { // "Try again"
    event.preventDefault();
    send();
  });
  for (const name of /** @type {const} */ (['dragover', 'dragleave', 'drop'])) {
    form.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      box.classList.toggle('limn-drop', name === 'dragover');
      if (name !== 'drop' || !event.dataTransfer.files.length) return;
      input.files = event.dataTransfer.files;
      send();
    });
  }
  if (input.files?.length) send(); // chosen before this script was loaded

  function send() {
    const name = input?.files?.[0]?.name;
    if (!form || !input || !box || !button || !problem || !name) return;
    const request = new XMLHttpRequest();
    const progress = document.createElement('progress');
    progress.max = 100;
    progress.value = 0;
    progress.setAttribute('aria-label', word('file.progress', { label: name }));
    box.querySelector('progress')?.remove();
    box.append(progress);
    box.classList.add('limn-live');
    hint.textContent = name;
    hint.setAttribute('role', 'status');
    button.hidden = true;
    problem.textContent = '';
    request.upload.addEventListener('progress', (event) => { if (event.lengthComputable) progress.value = (100 * event.loaded) / event.total; });
    request.addEventListener('load', () => {
      const answer = new DOMParser().parseFromString(request.responseText, 'text/html');
      const main = answer.querySelector('main');
      if (!main) return failed(word('file.refused', { label: name }));
      document.title = answer.title;
      main.tabIndex = -1;
      document.querySelector('main')?.replaceWith(main);
      start();
      /** @type {HTMLElement} */ (main.querySelector('input[type="file"]') ?? main).focus();
    });
    request.addEventListener('error', () => failed(word('file.offline', { label: name })));
    request.open('POST', form.action);
    request.setRequestHeader('Accept', 'text/html');
    request.send(new FormData(form));

    /** @param {string} text */
    function failed(text) {
      progress.remove();
      if (problem) problem.textContent = text;
      if (button) {
        button.hidden = false;
        button.textContent = word('file.retry');
      }
    }
  }
}
