// Hybrid logical clocks: times of writes that every place sorts the same.

import { SyncError } from './json.js';

/** The time of one write, with the actor that wrote. No two writes have the same. */
export interface Stamp {
  readonly time: number; // milliseconds since 1970, UTC
  readonly count: number; // of writes within the same millisecond, 0 to 9999
  readonly actor: string;
}

/** For each actor the stamp up to which a place has seen every write. */
export type Vector = Map<string, Stamp>;

export const maxCount = 9999;
export const maxTime = 253402300799999; // the end of the year 9999
export const zero: Stamp = { time: 0, count: 0, actor: '' };

export const isZero = (s: Stamp): boolean => s.time === 0 && s.count === 0 && s.actor === '';

/** Below 0 if s is before t. Names of actors are ASCII. */
export function order(s: Stamp, t: Stamp): number {
  return s.time - t.time || s.count - t.count || (s.actor < t.actor ? -1 : s.actor > t.actor ? 1 : 0);
}

export const after = (s: Stamp, t: Stamp): boolean => order(s, t) > 0;
export const covers = (v: Vector, s: Stamp): boolean => !after(s, v.get(s.actor) ?? zero);
export const contains = (v: Vector, w: Vector): boolean => [...w.values()].every((s) => covers(v, s));

/** 1 to 64 of A-Z a-z 0-9 . _ ~ - */
export const validActor = (name: string): boolean => /^[A-Za-z0-9._~-]{1,64}$/.test(name);

/** The text of a stamp, such as 2026-01-12T16:34:29.000Z:0001:agent-1. */
export const format = (s: Stamp): string => `${new Date(s.time).toISOString()}:${String(s.count).padStart(4, '0')}:${s.actor}`;

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d)):(\d{1,32}):([^:]*)$/;

/** Reads a stamp, also with other fractions of a second, another zone, or another width of the count. */
export function parseStamp(text: unknown): Stamp {
  const m = typeof text === 'string' && text.length <= 24 + 32 + 64 ? shape.exec(text) : null;
  const [year, month, day, hour, minute, second] = (m ?? []).slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const [zoneHour, zoneMinute, count] = [Number(m?.[9] ?? 0), Number(m?.[10] ?? 0), Number(m?.[11])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const real = m && month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    && hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute <= 60;
  const zone = (m?.[8] === '-' ? 1 : -1) * (zoneHour * 60 + zoneMinute);
  const time = date.getTime() + ((hour * 60 + minute + zone) * 60 + second) * 1000 + Number((m?.[7] ?? '').padEnd(3, '0').slice(0, 3));
  if (!real || time < 0 || time > maxTime || count > maxCount || !validActor(m[12]!)) {
    throw new SyncError('SYNC_STAMP_INVALID', '', 'the time of a write is no stamp', 'want a stamp such as 2026-01-12T16:34:29.000Z:0001:agent-1');
  }
  return { time, count, actor: m[12]! };
}

/** Gives the stamps of one actor: each later than those before, and than all that it has received. */
export class Clock {
  constructor(readonly actor: string, public last: Stamp = zero) {
    if (!validActor(actor)) {
      throw new SyncError('SYNC_ACTOR_INVALID', '', 'the name of an actor is invalid', 'want 1 to 64 of A-Z a-z 0-9 . _ ~ -');
    }
    this.last = { time: last.time, count: last.count, actor };
  }

  /** The next stamp. If the time of day goes back, stamps do not. */
  tick(now: number): Stamp {
    let time = now, count = 0;
    if (now <= this.last.time) [time, count] = [this.last.time, this.last.count + 1];
    if (count > maxCount) [time, count] = [time + 1, 0];
    if (time < 0 || time > maxTime) throw new SyncError('SYNC_STAMP_INVALID', '', 'the clock is at its end: stamps are from 1970 to 9999');
    return (this.last = { time, count, actor: this.actor });
  }

  /** Lets later stamps follow s. One that is more than bound milliseconds after now is refused. */
  receive(s: Stamp, now: number, bound: number): void {
    if (s.time - now > bound) {
      throw new SyncError('SYNC_CLOCK_AHEAD', '', `the time of a write is ${s.time - now} ms after the time here`,
        "set the sender's clock and send it again with a new stamp");
    }
    this.follow(s);
  }

  follow(s: Stamp): void {
    if (s.time > this.last.time || (s.time === this.last.time && s.count > this.last.count)) {
      this.last = { time: s.time, count: s.count, actor: this.actor };
    }
  }
}
