// The chat: the transcript and the box to write in.

import { asked, watch } from './arrive.js';
import { must, note, page, type Delta, type Entry, type Frame } from './page.js';
import { post, uuid } from './post.js';
import * as preferences from './preferences.js';
import { quiet, say, toast } from './status.js';

const log = must<HTMLOListElement>('limn-transcript');
const view = log.closest<HTMLElement>('[role="log"]') ?? log; // what scrolls and is read out
const form = must<HTMLFormElement>('limn-message');
const box = must<HTMLTextAreaElement>('limn-text');
const button = form.querySelector<HTMLButtonElement>('button');
const stop = document.getElementById('limn-cancel'); // shown while a model runs
const keptAs = `limn:message:${page.conversation}`; // what is in the box
const sentAs = `limn:sent:${page.conversation}`; // what was taken and is not answered

const shown = new Set<string>(); // seq:role:index of every entry on the page
const drafts = new Map<string, HTMLLIElement>(); // by event: what a running model has said so far
let working = false; // a message was taken, its frame has not come
let over = false; // the conversation has ended

/** Takes over the form and learns what the server rendered. */
export function start(): void {
  watch();
  preferences.start();
  const counts = new Map<string, number>();
  for (const item of log.querySelectorAll<HTMLLIElement>('li[data-seq]')) {
    const role = item.classList.contains('limn-user') ? 'user' : 'assistant';
    shown.add(key(Number(item.dataset.seq), role, counts));
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void send();
  });
  box.addEventListener('input', () => {
    grow();
    keep(box.value);
  });
  const suggestions = document.getElementById('limn-suggestions');
  suggestions?.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = ((event as SubmitEvent).submitter as HTMLButtonElement | null)?.value;
    if (text) void send(text);
  });
  works(false);
  restore();
  stop?.addEventListener('submit', (event) => {
    event.preventDefault();
    void post(`${page.api}/cancel`, {}).then((answer) => answer.ok || say(answer.message, 'error'));
  });
  box.value ||= kept();
  grow();
  toEnd();
}

/** Shows what a frame or snapshot says. */
export function apply(frame: Frame, fresh: boolean): void {
  for (const [event, draft] of drafts) {
    if (!fresh && event !== frame.event) continue;
    draft.remove();
    drafts.delete(event);
  }
  const atEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 80;
  if (fresh) {
    log.querySelectorAll('li[data-seq]').forEach((item) => item.remove());
    shown.clear();
  }
  const counts = new Map<string, number>();
  for (const entry of frame.transcript ?? []) {
    const id = key(entry.seq, entry.role, counts);
    if (shown.has(id)) continue;
    shown.add(id);
    if (entry.role === 'user') answered(entry.text);
    document.getElementById('limn-suggestions')?.remove();
    add(entry);
  }
  if (frame.failed || frame.kind === 'snapshot') offer(frame.failed ?? []);
  for (const text of frame.toasts ?? []) toast(text);
  if (frame.preferences || frame.kind === 'snapshot') void preferences.refresh();
  if (working && (frame.transcript?.length || frame.outcome?.kind)) {
    if (!drafts.size && !log.querySelector('li.limn-user.limn-pending')) {
      works(false);
      quiet();
    }
    const { kind, message } = frame.outcome ?? {};
    const inChat = frame.transcript?.some((entry) => entry.role === 'assistant' && message && entry.text.endsWith(message));
    if (kind && kind !== 'done' && message && !inChat) say(message, kind === 'asked' ? 'info' : 'error');
  }
  if (atEnd) toEnd();
}

/** Lists what could not be shown, each with a button that draws it anew. */
function offer(failed: { surface: string; title: string }[]): void {
  const list = document.getElementById('limn-failed');
  list?.replaceChildren(...failed.map(({ surface, title }) => {
    const li = document.createElement('li');
    const again = document.createElement('button');
    again.type = 'button';
    again.textContent = `${list.dataset.label}: ${title}`;
    again.addEventListener('click', () => {
      again.disabled = true;
      asked();
      void post(`${page.api}/surfaces/${encodeURIComponent(surface)}/regenerate`, {}).then((answer) => {
        again.disabled = false;
        if (!answer.ok) say(answer.message, 'error');
      });
    });
    li.append(again);
    return li;
  }));
}

/** Shows what a running model is saying; the frame of that event replaces it. */
export function delta({ event, at, text }: Delta): void {
  let draft = drafts.get(event);
  if (!draft) {
    draft = item('assistant', '');
    draft.classList.add('limn-pending');
    draft.setAttribute('aria-hidden', 'true'); // the finished text is read, not every piece
    drafts.set(event, draft);
    log.append(draft);
  }
  if (!working && !over) { // another tab asked, or this one before it was loaded anew
    works(true);
    say('Working…', 'busy');
  }
  const atEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 80;
  if (at === 0) draft.textContent = '';
  draft.append(text);
  if (atEnd) toEnd();
}

/** Says that nothing can be sent any more. What was typed stays, to be copied. */
export function ended(): void {
  over = true;
  works(false);
  quiet();
  preferences.lock();
  document.getElementById('limn-suggestions')?.remove();
  const notice = must('limn-ended');
  notice.className = 'limn-notice';
  notice.textContent = notice.dataset.words ?? '';
  const focused = form.contains(document.activeElement);
  box.readOnly = true;
  if (box.value) button?.remove();
  else form.remove();
  if (focused && !form.contains(document.activeElement)) {
    notice.tabIndex = -1;
    notice.focus();
  }
}

function add(entry: Entry): void {
  const li = item(entry.role, entry.text);
  li.dataset.seq = String(entry.seq);
  const pending = log.querySelector('li.limn-pending');
  log.insertBefore(li, pending);
}

function item(role: Entry['role'], text: string): HTMLLIElement {
  const li = document.createElement('li');
  li.className = role === 'user' ? 'limn-user' : 'limn-assistant';
  li.textContent = text;
  return li;
}

/** Takes the echo of a sent message away when the server's own entry is there. */
function answered(text: string): void {
  const echoes = [...log.querySelectorAll<HTMLLIElement>('li.limn-user.limn-pending')];
  (echoes.find((li) => li.textContent?.trim() === text.trim()) ?? echoes[0])?.remove();
  const list = sent();
  const i = list.findIndex((one) => one.text === text);
  if (i >= 0) remember(list.toSpliced(i, 1));
}

interface Sent {
  text: string;
  seq: number; // of the last entry when it was taken
  at: number; // ms
}

const answerTime = 600_000; // ms; longer than any answer takes

function sent(): Sent[] {
  try {
    const list = JSON.parse(sessionStorage.getItem(sentAs) ?? '[]') as Sent[];
    return list.filter((one) => Date.now() - one.at < answerTime);
  } catch {
    return [];
  }
}

function remember(list: Sent[]): void {
  try {
    if (list.length) sessionStorage.setItem(sentAs, JSON.stringify(list));
    else sessionStorage.removeItem(sentAs);
  } catch {
    // storage is a comfort, never a need
  }
}

/** Shows again what was taken before the page was loaded anew and is not answered. */
function restore(): void {
  const there = [...log.querySelectorAll<HTMLLIElement>('li.limn-user[data-seq]')];
  const list = sent().filter((one) => {
    const i = there.findIndex((li) => Number(li.dataset.seq) > one.seq && li.textContent?.trim() === one.text.trim());
    return i < 0 || !there.splice(i, 1);
  });
  remember(list);
  for (const one of list) echo(one.text);
  if (list.length) {
    works(true);
    say('Working…', 'busy');
  }
}

function newest(): number {
  return Math.max(0, ...[...log.querySelectorAll<HTMLLIElement>('li[data-seq]')].map((li) => Number(li.dataset.seq)));
}

/** Shows a message whose own entry has not come yet. */
function echo(text: string): HTMLLIElement {
  const li = item('user', text);
  li.classList.add('limn-pending');
  log.append(li);
  return li;
}

let sending = false;
let attempt: { text: string; key: string } | undefined; // the same text after a failure keeps its key

/** Sends a message; what is in the box stays until it was taken. */
async function send(text = box.value): Promise<void> {
  if (sending || over || !text.trim()) return;
  sending = true;
  asked();
  if (attempt?.text !== text) attempt = { text, key: uuid() };
  busy(true);
  say('Sending…', 'busy');
  const shownAs = echo(text);
  toEnd();
  const answer = await post(`${page.api}/messages`, { text }, { 'Idempotency-Key': attempt.key });
  sending = false;
  busy(false);
  if (document.activeElement === document.body) box.focus(); // a suggestion that was clicked is gone
  if (!answer.ok) {
    shownAs.remove();
    note(answer);
    say(answer.message, 'error');
    if (answer.status !== 0 && answer.status < 500) attempt = undefined; // refused: another try is another message
    return;
  }
  attempt = undefined;
  document.getElementById('limn-suggestions')?.remove();
  if (box.value === text) {
    box.value = '';
    keep('');
    grow();
  }
  if (shownAs.isConnected) {
    remember([...sent(), { text, seq: newest(), at: Date.now() }]);
    works(true);
    say('Working…', 'busy');
  } else {
    quiet(); // its frame was faster than the answer
  }
}

function works(on: boolean): void {
  working = on;
  if (stop) stop.hidden = !on;
}

function busy(on: boolean): void {
  form.setAttribute('aria-busy', String(on));
  box.readOnly = on || over;
  button?.setAttribute('aria-disabled', String(on));
}

function key(seq: number, role: string, counts: Map<string, number>): string {
  const base = `${seq}:${role}`;
  const n = counts.get(base) ?? 0;
  counts.set(base, n + 1);
  return `${base}:${n}`;
}

function grow(): void {
  box.rows = Math.min(8, Math.max(2, box.value.split('\n').length));
}

function toEnd(): void {
  view.scrollTop = view.scrollHeight;
}

function keep(text: string): void {
  try {
    if (text) sessionStorage.setItem(keptAs, text);
    else sessionStorage.removeItem(keptAs);
  } catch {
    // storage is a comfort, never a need
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(keptAs) ?? '';
  } catch {
    return '';
  }
}
