// Hybrid logical clocks: times of writes that every place sorts the same.

import { SyncError } from './json.js';

/**
 * The time of one write and the actor that wrote, as its canonical text, such as
 * 2026-01-12T16:34:29.000Z:0001:agent-1. Texts sort as times do. '' is before all.
 */
export type Stamp = string;

/** For each actor the stamp up to which a place has seen every write. */
export type Vector = Map<string, Stamp>;

export const timeOf = (s: Stamp): number => (s ? Date.parse(s.slice(0, 24)) : 0);
export const countOf = (s: Stamp): number => Number(s.slice(25, 29));
export const actorOf = (s: Stamp): string => s.slice(30);

/** A stamp of milliseconds since 1970 and a count of writes within the same one. */
export function stamp(time: number, count: number, actor: string): Stamp {
  return `${new Date(time).toISOString()}:${String(count).padStart(4, '0')}:${actor}`;
}

export const maxCount = 9999;
export const maxTime = 253402300799999; // the end of the year 9999
export const endOfTime = (count: number, actor: string): Stamp => stamp(maxTime, Math.min(count, maxCount), actor);

export const seenOf = (v: Vector, actor: string): Stamp => v.get(actor) ?? '';
export const covers = (v: Vector, s: Stamp): boolean => s <= seenOf(v, actorOf(s));
export const contains = (v: Vector, w: Vector): boolean => [...w.values()].every((s) => covers(v, s));

/** 1 to 64 of A-Z a-z 0-9 . _ ~ - */
export const validActor = (name: string): boolean => /^[\w.~-]{1,64}$/.test(name);
export const validStamp = (s: Stamp): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z:\d{4}:[\w.~-]{1,64}$/.test(s);

const shape = /^(\d{4}-(\d\d)-(\d\d))T(\d\d?)(:[0-5]\d:[0-5]\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d)):(\d{1,32}):([^:]*)$/;

/** Reads a stamp, also with other fractions of a second, another zone, or another width of the count. */
export function parseStamp(text: unknown): Stamp {
  const [whole, date, month, day, hour, rest, fraction = '', sign, zoneHour = 0, zoneMinute = 0, count, actor = ''] =
    (typeof text === 'string' && text.length <= 24 + 32 + 64 && shape.exec(text)) || [];
  const start = new Date(`${date}T00:00${rest}.${fraction.padEnd(3, '0').slice(0, 3)}Z`.replace('00:00:', '00:'));
  const zone = Number(zoneHour) * 60 + Number(zoneMinute);
  const time = start.getTime() + Number(hour) * 3_600_000 + zone * (sign === '-' ? 60_000 : -60_000);
  if (!whole || start.getUTCMonth() + 1 !== Number(month) || start.getUTCDate() !== Number(day) || Number(hour) > 23 || Number(zoneHour) > 24
    || Number(zoneMinute) > 60 || !(time >= 0 && time <= maxTime) || Number(count) > maxCount || !validActor(actor)) {
    throw new SyncError('SYNC_STAMP_INVALID', '', 'want a stamp such as 2026-01-12T16:34:29.000Z:0001:agent-1');
  }
  return stamp(time, Number(count), actor);
}

/** Gives the stamps of one actor: each later than those before, and than all that it has received. */
export class Clock {
  last: Stamp;

  constructor(readonly actor: string, last: Stamp = '') {
    if (!validActor(actor)) throw new SyncError('SYNC_ACTOR_INVALID', '', 'want a name of 1 to 64 of A-Z a-z 0-9 . _ ~ -');
    this.last = stamp(timeOf(last), countOf(last), actor);
  }

  /** The next stamp. If the time of day goes back, stamps do not. */
  tick(now: number): Stamp {
    let time = now, count = 0;
    if (now <= timeOf(this.last)) [time, count] = [timeOf(this.last), countOf(this.last) + 1];
    if (count > maxCount) [time, count] = [time + 1, 0];
    if (time < 0 || time > maxTime) throw new SyncError('SYNC_STAMP_INVALID', '', 'stamps are from 1970 to 9999');
    return (this.last = stamp(time, count, this.actor));
  }

  /** Lets later stamps follow s. One that is more than bound milliseconds after now is refused. */
  receive(s: Stamp, now: number, bound: number): void {
    const ahead = timeOf(s) - now;
    if (ahead > bound) throw new SyncError('SYNC_CLOCK_AHEAD', '', `a write is ${ahead} ms after the time here`);
    this.follow(s);
  }

  follow(s: Stamp): void {
    const time = s.slice(0, 29);
    if (time > this.last.slice(0, 29)) this.last = `${time}:${this.actor}`;
  }
}
