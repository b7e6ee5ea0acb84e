// The one stream of a page: frames and snapshots in order, each once.

import { lastSeq, note, page, setSeq, type Delta, type Frame } from './page.js';
import { problemOf } from './post.js';
import { connectionSays } from './status.js';

/** What a drawing does with the stream. */
export interface Listener {
  frame(frame: Frame): void;
  reset(reason: string): void;
  delta(piece: Delta): void;
  /** The conversation has ended; nothing follows. */
  ended(): void;
}

let cursor = page.cursor;
let tries = 0;

/** Opens the stream and keeps it open until the conversation ends. */
export function follow(listener: Listener): void {
  const source = new EventSource(address());
  source.addEventListener('open', () => {
    tries = 0;
    connectionSays('');
  });
  source.addEventListener('message', (event) => {
    if (event.lastEventId) cursor = event.lastEventId;
    const frame = parse(event.data) as Frame | undefined;
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
  source.addEventListener('reset', (event) => {
    const body = parse((event as MessageEvent).data) as { reason?: string } | undefined;
    setSeq(0);
    listener.reset(body?.reason ?? '');
  });
  source.addEventListener('delta', (event) => {
    const body = parse((event as MessageEvent).data) as Delta | undefined;
    if (typeof body?.text === 'string') listener.delta(body);
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) {
      connectionSays('Connection lost. Trying again…'); // the browser does
      return;
    }
    void again(listener); // an answer the browser does not retry
  });
}

/** The browser gave up: ask why, then stop, or try again after a while. */
async function again(listener: Listener): Promise<void> {
  const stop = new AbortController();
  let status = 0;
  try {
    const answer = await fetch(address(), { headers: { Accept: 'text/event-stream' }, credentials: 'same-origin', signal: stop.signal });
    status = answer.status;
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
  connectionSays('Connection lost. Trying again…');
  const wait = status === 200 ? 0 : Math.min(30_000, 1000 * 2 ** tries++) * (0.5 + Math.random() / 2);
  setTimeout(() => follow(listener), wait);
}

function address(): string {
  const url = new URL(page.stream, location.href);
  url.searchParams.set('client', page.client); // an error it reports rebuilds this page, not the others
  if (cursor) url.searchParams.set('after', cursor);
  return url.href;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    note({ code: 'BAD_FRAME', message: `not JSON: ${text.slice(0, 80)}` });
    return undefined;
  }
}
