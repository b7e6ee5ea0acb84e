// One data model in several browsers, agents and servers, that converges: the browser's side
// of the Go package datasync. See README.md.

export { SyncError, type Code } from './json.js';
export { parseStamp, type Stamp, type Vector } from './stamp.js';
export { keyBetween, keys, longKey } from './order.js';
export { Doc, type Applied, type Batch, type Limits, type Update } from './document.js';
export { load, snapshot } from './encode.js';
export { parseBatch, writeBatch } from './wire.js';
export { Watches, type Watch } from './watch.js';
export { Replica, type Received, type ReplicaOptions } from './replica.js';
export { Session, type Adapter, type Peer, type Replaced, type SessionOptions, type Wrote } from './session.js';
export { attach, type AttachOptions, type Surface } from './attach.js';
export { attachForm, type Control, type FormOptions } from './form.js';
