// The one stream of a page: frames and snapshots in order, each once.

import { lastSeq, note, page, setSeq } from './page.js';
/** @import { Delta, Frame } from './page.js' */
import { problemOf } from './post.js';
import { back } from './queue.js';
import { connectionSays } from './status.js';
import { word } from './words.js';

/**
 * What a drawing does with the stream.
 * @typedef {object} Listener
 * @property {(frame: Frame) => void} frame
 * @property {(reason: string) => void} reset
 * @property {(piece: Delta) => void} delta
 * @property {() => void} ended The conversation has ended; nothing follows.
 * @property {(event: { clients: number; messages: object[] }) => void} [watch] Who shares drafts, and when they are sent.
 * @property {string[]} [catalogs] The A2UI catalogs that the drawing knows; without them the server takes the basic one.
 */

let cursor = page.cursor;
let tries = 0;
/** @type {EventSource | undefined} */
let current;
const caught = 1000; // ms in which a stream that is open again brings the frames that were missed
addEventListener('online', () => current?.readyState === EventSource.OPEN && void back());

/** @type {(() => void)[]} what came while the page had not drawn yet */
const waiting = [];
let busy = false;
const { port1, port2 } = new MessageChannel();
port2.onmessage = () => {
  busy = false;
  const run = waiting.shift();
  if (run) inTurn(run);
};

/**
 * Handles an event of the stream; those that come with it, each in a task of its own, so
 * that the browser can draw between them and no frame takes as long as all of them.
 * @param {() => void} run
 */
function inTurn(run) {
  if (busy) {
    waiting.push(run);
    return;
  }
  busy = true;
  port1.postMessage(0);
  run();
}

/**
 * Opens the stream and keeps it open until the conversation ends.
 * @param {Listener} listener
 */
export function follow(listener) {
  const source = new EventSource(address(listener));
  current = source;
  source.addEventListener('open', () => {
    tries = 0;
    connectionSays('');
    if (!page.share) setTimeout(() => void back(), caught);
  });
  /** @param {string} type @param {(event: MessageEvent) => void} run */
  const on = (type, run) => source.addEventListener(type, (event) => inTurn(() => run(/** @type {MessageEvent} */ (event))));
  on('message', (event) => {
    if (event.lastEventId) cursor = event.lastEventId;
    const frame = /** @type {Frame | undefined} */ (parse(event.data));
    if (!frame || typeof frame.seq !== 'number') return;
    if (frame.kind === 'frame' && frame.seq <= lastSeq()) return; // seen
    try {
      listener.frame(frame);
    } finally {
      setSeq(frame.seq);
      document.body.dataset.seq = String(frame.seq); // for tests, and for people with an inspector
    }
    if (frame.ended) {
      source.close();
      listener.ended();
    }
  });
  on('reset', (event) => {
    const body = /** @type {{ reason?: string } | undefined} */ (parse(event.data));
    setSeq(0);
    listener.reset(body?.reason ?? '');
  });
  on('delta', (event) => {
    const body = /** @type {Delta | undefined} */ (parse(event.data));
    if (typeof body?.text === 'string') listener.delta(body);
  });
  on('watch', (event) => {
    const body = /** @type {{ clients: number; messages: object[] } | undefined} */ (parse(event.data));
    if (body) listener.watch?.(body);
    void back(); // it comes after the frames that were missed
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) {
      connectionSays(word('lost')); // the browser does
      return;
    }
    void again(listener); // an answer the browser does not retry
  });
}

/**
 * The browser gave up: ask why, then stop, or try again after a while.
 * @param {Listener} listener
 */
async function again(listener) {
  const stop = new AbortController();
  let ours = false; // it answers: the next try comes at once
  try {
    const answer = await fetch(address(listener), { headers: { Accept: 'text/event-stream' }, credentials: 'same-origin', signal: stop.signal });
    const { status } = answer;
    ours = status === 200 && /event-stream/.test(answer.headers.get('Content-Type') ?? '');
    if (status === 204) {
      connectionSays('');
      listener.ended();
      return;
    }
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
      const problem = await problemOf(answer);
      note(problem);
      connectionSays(problem.message);
      return;
    }
  } catch {
    // not reachable: wait and try
  } finally {
    stop.abort();
  }
  connectionSays(word('lost'));
  const wait = ours ? 0 : Math.min(30_000, 1000 * 2 ** tries++) * (0.5 + Math.random() / 2);
  setTimeout(() => follow(listener), wait);
}

/**
 * @param {Listener} listener
 * @returns {string}
 */
function address({ catalogs = [] }) {
  const url = new URL(page.stream, location.href);
  for (const id of catalogs) url.searchParams.append('catalog', id);
  url.searchParams.set('client', page.client); // an error it reports rebuilds this page, not the others
  if (cursor) url.searchParams.set('after', cursor);
  return url.href;
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    note({ code: 'BAD_FRAME', message: `not JSON: ${text.slice(0, 80)}` });
    return undefined;
  }
}
