// Drafts that several people fill in at once: a session of web/datasync for each open surface
// of a page, over the page's stream and posts. The page loads it when the application offers
// the extension.

import { listed } from '../datasync/plain.js';
import { attach, attachForm, type Replaced, type Session, type SessionOptions } from '../datasync/index.js';
import type { AttachOptions, Surface } from '../datasync/attach.js';
import type { FormOptions } from '../datasync/form.js';
import { actorOf } from './actor.js';
import { lost, short, tellLost } from './lost.js';
import { markWrote } from './wrote.js';

/** What the page lends. */
export interface Page {
  api: string;
  conversation: string;
  word(key: string, values?: Record<string, string | number>): string;
  say(text: string, kind: 'info' | 'error'): void;
  note(problem: { code: string; message: string }): void;
  /** What was typed before a session began, by surface. */
  typed(): Map<string, { values: [path: string, value: unknown][] }>;
}

type Common = Omit<SessionOptions, 'surface'>;
type Message = Record<string, { surfaceId?: string } | undefined>;

export interface Live {
  /** Takes a message of the stream, or reports false: it is for the renderer. */
  receive(message: object): boolean;
  /** Takes the event watch of the stream. */
  watch(event: { clients: number; messages: object[] }): void;
  /** The names of actors, as a frame has them. */
  names(list: Record<string, string>): void;
  /** The surfaces that take input now, by wire id. */
  surfaces(open: string[]): void;
  /** Runs what writes to a surface for the server: this is no edit. */
  absorb(surface: string, run: () => void): void;
  /** Whether a surface has a session, which writes to its inputs. */
  shares(surface: string): boolean;
  /** Sends what is typed, before an action or a message. */
  flush(): void;
}

/** Shares inputs: place holds the surfaces, surfaceOf says which one an input belongs to. */
export function shareForm(page: Page, place: HTMLElement, surfaceOf: (control: Element) => string | undefined, written: FormOptions['onWrite']): Live {
  const controls = (surface: string, path: string) => ([...place.querySelectorAll('input, textarea, select')] as HTMLInputElement[]).filter((c) => c.name === path && surfaceOf(c) === surface);
  return share(page, (surface, common, label) => attachForm(place, {
    ...common, surface, onWrite: written, label,
    shown: (control) => !control.closest('td, .limn-step') && controls(surface, control.name).at(-1) === control, // there is no room in rows
    path: (control) => (control.name.startsWith('/draft/') && surfaceOf(control) === surface ? control.name : undefined),
  }), (surface, path) => {
    const control = controls(surface, path).find((c) => c.type !== 'hidden');
    const group = control?.closest('fieldset')?.querySelector(':scope > legend');
    return (control?.type === 'radio' || control?.value !== 'true' && control?.type === 'checkbox' ? group?.textContent : nameOf(control)) ?? '';
  }, (surface) => {
    const control = active();
    return control && place.contains(control) && surfaceOf(control) === surface ? (control as HTMLInputElement).name : undefined;
  });
}

/** The name of an input. */
const nameOf = (control: HTMLInputElement | undefined): string => control?.ariaLabel || control?.labels?.[0]?.textContent || '';

/** What has the focus, inside open shadow roots. */
function active(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element as HTMLElement | null;
}

/** A component of the official renderer. */
interface Component { properties: { label?: unknown; value?: { path?: string } } }

/** Shares the data models of the official renderers of v0.9. */
export function shareModels(page: Page, model: (surface: string) => (Surface & { componentsModel: { entries: Iterable<readonly [string, Component]> } }) | undefined): Live {
  const components = (surface: string): Component[] => [...(model(surface)?.componentsModel.entries ?? [])].map(([, c]) => c);
  return share(page, (surface, common) => {
    const found = model(surface);
    return found && attach(found, { ...common, share: ['/draft'] } as AttachOptions);
  }, (surface, path) => String(components(surface).find((c) => c.properties.value?.path === path)?.properties.label ?? ''),
  (surface) => { // a renderer does not say what an input is bound to: its label does
    const label = nameOf(active() as HTMLInputElement).trim();
    if (!label || document.activeElement?.closest<HTMLElement>('.limn-surface')?.dataset.surface !== surface) return undefined;
    return components(surface).find((c) => c.properties.label === label)?.properties.value?.path;
  }, (surface, saidOf) => {
    const root = [...document.querySelectorAll<HTMLElement>('.limn-surface')].find((one) => one.dataset.surface === surface);
    const paths = new Map<unknown, string | undefined>(); // by label; one that is there twice says nothing
    for (const { properties: { label, value } } of components(surface)) if (value?.path) paths.set(label, paths.has(label) ? undefined : value.path);
    if (root) markWrote(root, (control) => saidOf(control.dataset.path ?? paths.get(nameOf(control).trim())));
  });
}

const typingTime = 4000; // milliseconds after the last change
const own = 10_000; // milliseconds in which a surface that closes was closed by what this person just did
const noted = 500; // fields of which it is known who changed them, and what was typed

interface Change { surface: string; path: string; by: string; at: number }

const surfaceOf = (message: string): string => (JSON.parse(message) as { dataModelChanged: { surfaceId: string } }).dataModelChanged.surfaceId;

/** Shares what make ties to a surface. labelOf is the label of a field, focusOf the path of the one with the focus. mark marks the fields that somebody else wrote, where an adapter does not. */
function share(page: Page, make: (surface: string, common: Common, label: (actor: string, path: string) => string) => Session | undefined, labelOf: (surface: string, path: string) => string, focusOf: (surface: string) => string | undefined, mark?: (surface: string, saidOf: (path?: string) => string) => void): Live {
  const sessions = new Map<string, Session>();
  const waiting = new Map<string, object[]>(); // messages for surfaces that are not drawn yet
  const rules = new Map<string, object>(); // the last watchDataModel
  const typing = new Map<string, { surface: string; path: string; by: string; until: number }>(); // the last is the newest
  const changes = new Map<string, Change>(); // the fields that somebody else changed last
  const typed = new Map<string, Map<string, unknown>>(); // what was typed here, by surface and path
  let acted = 0; // when this person last sent something
  let clients = 1;
  let met = false; // somebody else was here
  let ahead = 0; // milliseconds that the server's clock is ahead of this one, which may be wrong
  let people: Record<string, string> = {};
  const actor = actorOf(page.conversation);

  async function send(message: string): Promise<void> {
    const response = await fetch(`${page.api}/events`, {
      method: 'POST', credentials: 'same-origin', headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: message, keepalive: new TextEncoder().encode(message).length < 60_000,
    });
    const at = Date.parse(response.headers.get('Date') ?? '');
    if (at) ahead = Math.abs(at - Date.now()) > 2000 ? at - Date.now() : 0;
    const body = (await response.json().catch(() => ({}))) as { messages?: object[]; outcome?: { message?: string }; code?: string; title?: string };
    if (response.ok) {
      if (body.outcome?.message) page.say(body.outcome.message, 'info'); // of a row that is gone
      for (const m of body.messages ?? []) receive(m);
    } else if (response.status === 429 || response.status >= 500) {
      throw new Error(body.code); // tried again
    } else if (body.code === 'SYNC_CLOCK_AHEAD') { // the clock was set meanwhile; it is right by now
      sessions.get(surfaceOf(message))?.restart(`${actor.slice(0, 58)}~${Math.random().toString(36).slice(2, 7)}`);
      throw new Error(body.code);
    } else {
      page.note({ code: body.code ?? `HTTP_${response.status}`, message: body.title ?? '' });
    }
  }

  const named = (name: string): string => {
    if (people[name]) return page.word('share.by', { label: people[name] });
    return page.word(name === 'limn.agent' ? 'share.agent' : name === 'limn.app' ? 'share.app' : 'share.other');
  };

  const somebody = (name: string): string => people[name] ?? page.word(name === 'limn.agent' ? 'share.assistant' : name === 'limn.app' ? 'share.application' : 'share.somebody');

  const isTyping = (by: string, path: string): boolean => [...typing.values()].some((one) => one.by === by && one.path === path);
  const said = (by: string, path: string): string => (isTyping(by, path) ? page.word('share.typing', { label: people[by] ?? page.word('share.somebody') }) : named(by));

  /** Notes who is typing: whose words have just come. */
  function noteTyping(surface: string, session: Session, paths: string[]): void {
    for (const path of paths) {
      const wrote = session.wroteLast(path);
      typing.delete(`${surface} ${path}`);
      changes.delete(`${surface} ${path}`);
      if (wrote && wrote.actor !== session.actor) set(changes, `${surface} ${path}`, { surface, path, by: wrote.actor, at: wrote.time });
      if (!wrote || wrote.actor === session.actor || wrote.actor.startsWith('limn.') || Math.abs(Date.now() + ahead - wrote.time) > 10_000) continue;
      typing.set(`${surface} ${path}`, { surface, path, by: wrote.actor, until: Date.now() + typingTime });
      setTimeout(tell, typingTime + 50);
    }
    if (paths.length) tell();
  }

  /** Says how many are there, and who is typing what. */
  function tell(): void {
    for (const [key, one] of typing) if (one.until <= Date.now()) typing.delete(key);
    for (const session of sessions.values()) session.draw();
    tellPeople();
  }

  function tellPeople(): void {
    const place = document.getElementById('limn-people'), [now] = [...typing.values()].slice(-1);
    if (!place) return;
    const label = now && labelOf(now.surface, now.path).trim();
    const parts = [clients > 1 ? page.word('share.people', { n: clients }) : '', label ? page.word('share.at', { other: people[now.by] ?? page.word('share.somebody'), label }) : lastChange()];
    const text = parts.filter(Boolean).join(' ');
    if (place.textContent !== text) place.textContent = text;
    for (const surface of mark ? sessions.keys() : []) {
      mark?.(surface, (path) => {
        const change = changes.get(`${surface} ${path}`);
        return change ? said(change.by, change.path) : '';
      });
    }
  }

  /** Who changed the field with the focus last, else the one that was changed last. */
  function lastChange(): string {
    const focused = [...sessions.keys()].map((surface) => changes.get(`${surface} ${focusOf(surface)}`)).find(Boolean);
    const newest = [...changes.values()].reduce<Change | undefined>((a, b) => (a && a.at > b.at ? a : b), undefined);
    const change = focused ?? newest, label = change && labelOf(change.surface, change.path).trim();
    return label ? page.word('share.last', { other: somebody(change.by), label }) : '';
  }

  for (const event of ['focusin', 'keyup', 'pointerup']) document.addEventListener(event, () => changes.size && tellPeople()); // a shadow root keeps focusin to itself

  /** Notes what this person types. */
  function noteTyped(surface: string, path: string, value: unknown): void {
    changes.delete(`${surface} ${path}`);
    const here = typed.get(surface) ?? new Map<string, unknown>();
    set(here, path, value);
    typed.set(surface, here);
  }

  /** A surface takes no more input: says which words of this person are not what was submitted. */
  async function compare(surface: string, mine: Map<string, unknown>, mineToo: boolean): Promise<void> {
    const response = await fetch(`${page.api}/state`, { credentials: 'same-origin', headers: { Accept: 'application/json' } });
    const found = response.ok ? lost(page, await response.json(), surface, mine) : undefined;
    if (found?.fields.length && (found.submitted || !mineToo)) tellLost(page, found.submitted, found.fields);
  }

  /** Says what somebody else wrote over words of this person. */
  function tellReplaced(surface: string, list: Replaced[]): void {
    const shown = list.slice(0, 3).map(({ path, was, now, by }) => page.word('share.replaced', {
      other: somebody(by?.actor ?? ''), label: labelOf(surface, path).trim() || '…', own: short(page, was), raw: short(page, now),
    }));
    if (list.length > shown.length) shown.push(page.word('share.more', { n: list.length - shown.length }));
    page.say(shown.join(' '), 'info');
  }

  function receive(message: object): boolean {
    const body = Object.values(message as Message).find((value) => value?.surfaceId);
    const m = message as { updateDataModel?: { actorId?: string; updates?: { path: string }[] }; watchDataModel?: object };
    if (!body?.surfaceId || !(m.updateDataModel?.actorId || m.watchDataModel)) return false;
    if (m.watchDataModel) rules.set(body.surfaceId, message);
    const session = sessions.get(body.surfaceId);
    if (session) {
      session.receive(message);
      noteTyping(body.surfaceId, session, (m.updateDataModel?.updates ?? []).map((u) => u.path));
    } else if (!m.watchDataModel) waiting.set(body.surfaceId, [...(waiting.get(body.surfaceId) ?? []), message].slice(-64));
    return true;
  }

  function peers(session: Session): void {
    const others = Array.from({ length: clients - 1 }, (_, i) => ({ actor: `~${i}` }));
    session.setPeers([{ actor: session.actor }, ...others]);
  }

  function open(surface: string): void {
    const session = make(surface, {
      actor, owner: page.conversation, send, now: () => Date.now() + ahead,
      onReplaced: (list) => tellReplaced(surface, list),
      onTyped: (path, value) => noteTyped(surface, path, value),
      onRefused: (error) => page.note({ code: error.code, message: error.message }),
    }, said);
    if (!session) return;
    sessions.set(surface, session);
    for (const [path, value] of page.typed().get(surface)?.values ?? []) {
      session.edit(path, listed(value));
      noteTyped(surface, path, listed(value));
    }
    for (const message of waiting.get(surface) ?? []) session.receive(message);
    waiting.delete(surface);
    const rule = rules.get(surface);
    if (rule) session.receive(rule);
    peers(session);
    session.connect();
  }

  return {
    receive,
    watch(event) {
      clients = event.clients;
      met ||= clients > 1;
      for (const m of event.messages) receive(m);
      for (const session of sessions.values()) peers(session);
      tell();
    },
    names: (list) => {
      people = { ...people, ...list };
    },
    surfaces(now) {
      for (const [surface, session] of sessions) {
        if (now.includes(surface)) continue;
        session.close(true);
        sessions.delete(surface);
        for (const map of [typing, changes]) for (const [key, one] of map) if (one.surface === surface) map.delete(key);
        const mine = typed.get(surface);
        typed.delete(surface);
        if (mine && met) void compare(surface, mine, Date.now() - acted < own).catch(() => undefined);
        tellPeople();
      }
      for (const surface of now) if (!sessions.has(surface)) open(surface);
      if (changes.size) requestAnimationFrame(tellPeople); // a renderer may have drawn an input anew
    },
    absorb(surface, run) {
      const session = sessions.get(surface);
      if (session) session.absorb(run);
      else run();
    },
    shares: (surface) => sessions.has(surface),
    flush() {
      acted = Date.now();
      for (const session of sessions.values()) session.flush();
    },
  };
}

/** Sets a value as the newest; the oldest goes if there are too many. */
function set<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > noted) map.delete(map.keys().next().value!);
}
