// Which changes are sent, and when.

import { below, member, Num, split, SyncError, type Json } from './json.js';

/** A rule for a path and all below it. Times are milliseconds. */
export interface Watch {
  path: string;
  mode: 'never' | 'onAction' | 'onChanged';
  quiet?: number; // of onChanged: how long nothing may have changed before it is sent
}

interface Rule extends Watch {
  quiet: number;
  since?: number; // the first change that waits
  changed: number; // the last one
}

/** How many times its quiet period a change waits at most while others follow. */
const waits = 5;

/** Of several rules the one with the longest path counts; without a rule nothing is sent. */
export class Watches {
  #rules: Rule[] = [];

  /** Replaces all rules. Changes that wait under a rule with the same path go on waiting. */
  set(rules: Watch[]): void {
    if (rules.length > 1000) throw new SyncError('SYNC_LIMIT', '', 'more than 1000 rules');
    this.#rules = rules.map(({ path, mode, quiet = 0 }) => {
      if (!split(path) || !(quiet >= 0)) throw new SyncError('SYNC_PATH_INVALID', path, 'want a JSON Pointer, and a time');
      const old = this.#rules.findLast((r) => r.path === (path || '/'));
      return { path: path || '/', mode, quiet, since: old?.since, changed: old?.changed ?? 0 };
    });
  }

  #rule(path: string): Rule | undefined {
    let found: Rule | undefined;
    for (const r of this.#rules) {
      if ((r.path === path || below(path, r.path)) && (!found || r.path.length >= found.path.length)) found = r;
    }
    return found;
  }

  /** Notes an edit. */
  changed(path: string, now: number): void {
    const r = this.#rule(path);
    if (r?.mode !== 'onChanged') return;
    r.since ??= now;
    r.changed = now;
  }

  /** When due has something to send; undefined: nothing waits. */
  next(): number | undefined {
    const at = Math.min(...this.#rules.map(dueAt));
    return at < Infinity ? at : undefined;
  }

  /** Which paths are to be sent now; undefined if there are none. Their rules wait for the next change. */
  due(now: number): ((path: string) => boolean) | undefined {
    const due = new Set(this.#rules.filter((r) => dueAt(r) <= now));
    for (const r of due) r.since = undefined;
    return due.size ? (path) => due.has(this.#rule(path)!) : undefined;
  }

  /** Which paths are sent before an action of the user, or a message: all that have a rule. Nothing waits after it. */
  action(): (path: string) => boolean {
    for (const r of this.#rules) r.since = undefined;
    return (path) => this.sends(path);
  }

  /** Whether a path is ever sent. */
  sends(path: string): boolean {
    return (this.#rule(path)?.mode ?? 'never') !== 'never';
  }
}

const dueAt = (r: Rule): number => (r.since === undefined ? Infinity : Math.min(r.changed + r.quiet, r.since + waits * r.quiet));

/** Reads the body of watchDataModel. */
export function parseWatches(body: Json): Watch[] {
  const list = member(body, 'configurations');
  if (!Array.isArray(list) || !list.length) throw new SyncError('SYNC_BATCH_INVALID', '/configurations', 'want a list of rules');
  return list.map((one, i) => {
    const path = member(one, 'path'), mode = member(one, 'mode'), timeout = member(one, 'timeoutMs');
    if (typeof path !== 'string' || (mode !== 'onAction' && mode !== 'onChanged') || (timeout !== undefined && !(timeout instanceof Num))) {
      throw new SyncError('SYNC_BATCH_INVALID', `/configurations/${i}`, 'want a path, and onAction or onChanged');
    }
    return { path, mode, quiet: Number(timeout?.text ?? 0) };
  });
}
