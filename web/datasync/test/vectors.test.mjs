// The replica of the browser makes the same bytes as the Go package datasync, which has written
// vectors.json. LIMN_VECTORS names another file (see datasync/vectors_test.go).

import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { load as sources } from './load.mjs';

const { Doc, Replica, Watches, SyncError, keyBetween, keys, load, parseBatch, parseStamp, snapshot, writeBatch } = await sources();
const vectors = JSON.parse(readFileSync(process.env.LIMN_VECTORS ?? new URL('vectors.json', import.meta.url), 'utf8'));

/** The result, or the code of the refusal. */
function outcome(run, refused = (code) => code) {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof SyncError)) throw e;
    return refused(e.code);
  }
}

const lists = ['/', '/a', '/b', '/c', '/a/b', '/b/c'];
const state = (doc) => doc.json() + lists.map((path) => `\n${path}[${doc.order(path).join(' ')}]`).join('');
const base64 = (bytes) => Buffer.from(bytes).toString('base64');

test('stamps', () => {
  for (const [text, want] of vectors.stamps) assert.equal(outcome(() => parseStamp(text), () => ''), want, text);
});

test('values', () => {
  for (const [text, want] of vectors.values) {
    const doc = new Doc();
    const got = outcome(() => (doc.apply({ updates: [{ path: '/', value: text, stamp: parseStamp('1970-01-01T00:00:00.001Z:0000:a') }], versions: new Map() }), text === 'null' ? '' : doc.json()), () => '');
    assert.equal(got, want, text);
  }
});

test('messages', () => {
  for (const { Body, Want = '', Code = '' } of vectors.messages) {
    let got = '';
    const code = outcome(() => {
      const b = parseBatch(Body);
      got = writeBatch(b);
      const doc = new Doc();
      doc.apply(b);
      got += `\n${state(doc)}`;
      return '';
    });
    assert.deepEqual([got, code], [Want, Code], Body);
  }
});

test('positions', () => {
  for (const [a, b, want] of vectors.keys) assert.equal(keyBetween(a, b) ?? '', want, `${a} ${b}`);
  for (const { A, B, Keys } of vectors.rows) assert.deepEqual(keys(A, B, Keys?.length ?? 0), Keys ?? []);
});

test('documents', () => {
  for (const v of vectors.docs) {
    const limits = { writes: v.Writes, bytes: v.Bytes, actors: v.Actors };
    const doc = new Doc(limits);
    v.Batches.forEach((body, i) => {
      const got = outcome(() => {
        const done = doc.apply(parseBatch(body));
        return `[${done.paths.join(' ')}] ${done.gap}`;
      });
      assert.equal(got, v.Results[i], body);
    });
    assert.equal(state(doc), v.State);
    assert.equal(base64(snapshot(doc)), v.Snapshot);
    assert.equal(writeBatch(doc.delta('s', 'p')), v.All);
    const seen = parseStamp(v.Seen);
    assert.equal(writeBatch(doc.delta('s', 'p', new Map([[seen.slice(30), seen]]))), v.Delta);
    const again = load(snapshot(doc), limits);
    assert.equal(base64(snapshot(again)), v.Snapshot);
    assert.deepEqual([again.writes, again.bytes, again.actors.size], [doc.writes, doc.bytes, doc.actors.size]);
  }
});

test('places', () => {
  for (const v of vectors.places) {
    let place = new Replica({ surface: 's', actor: v.Actor });
    for (const { Do, Now = 0, In = '', Out = '', Last, Shows } of v.Steps) {
      const got = {
        edit: () => outcome(() => (place.edit(JSON.parse(In)), 'NONE')),
        flush: () => writeBatch(place.flush(Now, (path) => path.startsWith(In))),
        hello: () => writeBatch(place.hello()),
        receive: () => outcome(() => {
          const r = place.receive(parseBatch(In), Now);
          return `[${r.paths.join(' ')}] ${r.gap} ${r.ask} [${r.kept.join(' ')}]${r.answer ? writeBatch(r.answer) : ''}`;
        }),
        restart: () => {
          place = new Replica({ surface: 's', actor: v.Actor, doc: load(Buffer.from(In, 'base64')), last: parseStamp(Out) });
          return Out;
        },
      }[Do]();
      assert.deepEqual([got, place.last, state(place.view)], [Out, Last, Shows], `${Do} ${In}`);
    }
    assert.equal(state(place.view), v.State);
  }
});

test('watches', () => {
  const paths = ['/', '/a', '/a/b', '/a/b/c', '/ab', '/c/d'];
  const sent = (send) => (send ? paths.filter(send).map((path) => `${path} `).join('') : 'nothing');
  for (const { Steps } of vectors.watches) {
    const w = new Watches();
    for (const { Do, Now, In, Rules, Out = '' } of Steps) {
      const got = {
        set: () => outcome(() => (w.set(Rules), '')),
        changed: () => (w.changed(In, Now), ''),
        next: () => String(w.next() ?? 'nothing'),
        due: () => sent(w.due(Now)),
        action: () => sent(w.action()),
      }[Do]();
      assert.equal(got, Out, `${Do} ${In}`);
    }
  }
});
