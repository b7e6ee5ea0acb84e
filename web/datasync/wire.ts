// The proposal's messages as JSON.

import { compare, member, parse, quote, SyncError, type Json } from './json.js';
import { actorOf, parseStamp, validActor, type Vector } from './stamp.js';
import { defaults, deleted, withValue, type Batch, type Limits } from './document.js';

/** The body of the messages updateDataModel and dataModelChanged. */
export function writeBatch(b: Batch): string {
  const updates = b.updates.map((u) => {
    let out = `{"path":${quote(u.path)}`;
    if (u.value) out += `,"value":${u.value}`;
    out += `,"hlc":"${u.stamp}"`;
    if (u.pos || (u.unplace && u.value !== deleted)) out += `,"pos":${quote(u.pos ?? '')}`;
    return `${out}}`;
  });
  const versions = [...b.versions.keys()].sort(compare).map((actor) => `${quote(actor)}:"${b.versions.get(actor)}"`);
  return `{"surfaceId":${quote(b.surface)},"actorId":${quote(b.actor)},"updates":[${updates.join()}],"versions":{${versions.join()}}}`;
}

const fault = (path: string, message: string): SyncError => new SyncError('SYNC_BATCH_INVALID', path, message);

/** Reads a text as one JSON value of at most the size of a message. */
export function parseMessage(text: string, limits: Partial<Limits> = {}): Json {
  const l = { ...defaults, ...limits };
  const v = parse(text, { bytes: l.bytes, depth: l.depth + 4, entries: 64 * l.updates, string: Math.max(l.value, l.path) });
  if (v === undefined) throw fault('', 'no JSON within the limits');
  return v;
}

/** Reads the body of a message. What a document refuses by its limits is not checked here. */
export function parseBatch(body: string | Json, limits: Partial<Limits> = {}): Batch {
  const l = { ...defaults, ...limits };
  const root = typeof body === 'string' ? parseMessage(body, l) : body;
  const surface = text(root, 'surfaceId'), actor = text(root, 'actorId');
  if (!validActor(actor)) throw new SyncError('SYNC_ACTOR_INVALID', '/actorId', 'no name of an actor');
  const list = member(root, 'updates'), had = member(root, 'versions');
  if (!Array.isArray(list)) throw fault('/updates', 'want an array of updates');
  if (list.length > l.updates) throw new SyncError('SYNC_LIMIT', '/updates', `more than ${l.updates} updates`);
  const updates = list.map(parseUpdate);
  if (!(had instanceof Map)) throw fault('/versions', 'want an object');
  const versions: Vector = new Map();
  for (const [name, value] of had) {
    const s = parseStamp(value);
    if (actorOf(s) !== name) throw new SyncError('SYNC_STAMP_INVALID', '/versions', 'want stamps by their actors');
    versions.set(name, s);
    if (versions.size > l.actors + 1) throw new SyncError('SYNC_LIMIT', '/versions', `more than ${l.actors} actors`);
  }
  return { surface, actor, updates, versions };
}

/** A member that has to be a string. */
function text(v: Json, key: string): string {
  const found = member(v, key);
  if (typeof found !== 'string' || !found) throw fault(`/${key}`, 'want a text');
  return found;
}

function parseUpdate(v: Json): Batch['updates'][number] {
  const path = member(v, 'path'), pos = member(v, 'pos'), value = member(v, 'value');
  if (typeof path !== 'string') throw new SyncError('SYNC_PATH_INVALID', '', 'want a text');
  const stamp = parseStamp(member(v, 'hlc'));
  if (pos !== undefined && typeof pos !== 'string') throw fault(path, 'want a text as pos');
  const u = { path, stamp, pos: pos ?? '', unplace: pos === '' };
  if (value !== undefined) return withValue(u, value);
  return pos === undefined ? { ...u, value: deleted } : u; // as the proposal says in words; its schema says null
}
