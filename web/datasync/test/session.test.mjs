// Sessions on the data model of the official renderers, with a clock and a network of their own.

import test from 'node:test';
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { DataModel } from '@a2ui/web_core/v0_9';
import { Hub } from './hub.mjs';
import { bundle, load } from './load.mjs';

const datasync = await load();
const { attach, attachForm, parseBatch, Session } = datasync;

const start = Date.UTC(2026, 0, 12, 16);
const live = [{ path: '/', mode: 'onChanged', quiet: 300 }];
const two = [{ actor: 'ann', name: 'Ann' }, { actor: 'bob', name: 'Bob' }];

class Store extends Map {
  getItem(key) { return this.get(key) ?? null; }
  setItem(key, value) { this.set(key, String(value)); }
  removeItem(key) { this.delete(key); }
}

/** A hub and tabs, whose messages arrive at once unless they are held, lost or refused. */
function world(t) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: start });
  const w = {
    tabs: new Map(), sent: [], lose: false, down: false,
    tick: (ms) => t.mock.timers.tick(ms),
    hub: new Hub(datasync, (name, message) => { if (!w.lose) w.tabs.get(name)?.session?.receive(message); }),
    tab(actor, options = {}, model = new DataModel({})) {
      const tab = { model, replaced: [], refused: [], others: [] };
      w.tabs.set(actor, tab);
      tab.session = attach({ id: 's', dataModel: model }, {
        actor, watch: live, storage: null,
        send(message) {
          if (w.down) throw new Error('no network');
          w.sent.push(`${actor} ${message}`);
          if (!w.lose) w.hub.take(actor, message);
        },
        onPresence: (others) => void (tab.others = others), onReplaced: (list) => tab.replaced.push(...list),
        onRefused: (e) => tab.refused.push(e.code), ...options,
      });
      if (!options.unknown) tab.session.setPeers([{ actor }]); // alone
      w.hub.join(actor);
      tab.session.connect();
      w.tick(500); // for the answer
      w.sent.length = 0;
      t.after(() => tab.session.close());
      return tab;
    },
  };
  return w;
}

/** The updates that were sent, as "actor path value". */
const sent = (w) => w.sent.splice(0).flatMap((line) => {
  const [actor, message] = [line.slice(0, line.indexOf(' ')), JSON.parse(line.slice(line.indexOf(' ')))];
  return message.dataModelChanged.updates.map((u) => `${actor} ${u.path} ${JSON.stringify(u.value)}`);
});

const both = (w) => {
  for (const tab of w.tabs.values()) tab.session.setPeers(two);
};

test('alone nothing is sent before an action, then all at once', (t) => {
  const w = world(t), ann = w.tab('ann');
  for (const text of ['A', 'An', 'Ann']) ann.model.set('/name', text);
  ann.model.set('/age', 41);
  w.tick(60_000);
  assert.deepEqual(w.sent, []);
  assert.equal(ann.session.flush(), true);
  assert.deepEqual(sent(w), ['ann /name "Ann"', 'ann /age 41']);
  assert.equal(ann.session.pending, 0);
  assert.equal(ann.session.flush(), true);
  assert.deepEqual(w.sent, []);
});

test('with two typing is sent after a pause, at the latest after five, and is shown without an echo', async (t) => {
  const w = world(t), ann = w.tab('ann'), bob = w.tab('bob');
  both(w);
  for (let i = 0; i < 8; i++) {
    ann.model.set('/name', 'x'.repeat(i + 1));
    await undefined; // a renderer's writes of one go are read together
    w.tick(200);
  }
  assert.deepEqual(sent(w), ['ann /name "xxxxxxxx"']);
  assert.equal(bob.model.get('/name'), 'xxxxxxxx');
  ann.model.set('/name', 'Ann');
  await undefined;
  w.tick(299);
  assert.deepEqual(w.sent, []);
  w.tick(1);
  assert.deepEqual(sent(w), ['ann /name "Ann"']);
  await undefined;
  w.tick(5000);
  assert.deepEqual(w.sent, []);
  assert.deepEqual([bob.model.get('/name'), bob.session.pending], ['Ann', 0]);
});

test('what comes never takes a character away, and a field that rests shows it', async (t) => {
  const w = world(t), ann = w.tab('ann'), bob = w.tab('bob');
  both(w);
  ann.model.set('/name', 'An');
  await undefined;
  w.tick(300); // sent, and she types on
  w.hub.write(['/name', 'Robot'], ['/city', 'Bern']);
  assert.deepEqual([ann.model.get('/name'), ann.model.get('/city')], ['An', 'Bern']);
  ann.model.set('/name', 'Ann');
  await undefined;
  w.tick(300);
  assert.deepEqual([ann.model.get('/name'), bob.model.get('/name')], ['Ann', 'Ann']);
  w.hub.write(['/name', 'Robot']); // having seen her words
  assert.equal(ann.model.get('/name'), 'Ann');
  w.tick(2000);
  assert.equal(ann.model.get('/name'), 'Robot');
  assert.deepEqual(ann.replaced, [{ path: '/name', was: 'An', now: 'Robot', by: { actor: 'agent', name: 'agent', time: start + 1300 } },
    { path: '/name', was: 'Ann', now: 'Robot', by: { actor: 'agent', name: 'agent', time: start + 1600 } }]);
});

test('words that the application or its agent replaces are told, though the server passes them on', async (t) => {
  const w = world(t), ann = w.tab('ann');
  w.tab('bob');
  both(w);
  const over = async (by) => {
    ann.model.set('/name', 'Ann');
    await undefined;
    w.tick(300); // sent
    const hlc = `${new Date().toISOString()}:0000:${by}`;
    ann.session.receive(JSON.stringify({ updateDataModel: { surfaceId: 's', actorId: 'limn', updates: [{ path: '/name', value: `of ${by}`, hlc }], versions: {} } }));
    w.tick(2000);
    assert.equal(ann.model.get('/name'), `of ${by}`);
  };
  for (const by of ['limn.app', 'limn.agent', 'limn.user.1', 'bob']) await over(by); // a person's are marked at the field, and not said each time
  assert.deepEqual(ann.replaced.map(({ was, now, by }) => [was, now, by.actor]), [['Ann', 'of limn.app', 'limn.app'], ['Ann', 'of limn.agent', 'limn.agent']]);
});

test('what is sent is what is seen', async (t) => {
  const w = world(t), ann = w.tab('ann');
  ann.model.set('/name', 'Ann');
  ann.session.flush();
  w.hub.write(['/name', 'Robot'], ['/city', 'Bern']); // the name comes while she has just typed
  assert.deepEqual(ann.model.get('/'), { name: 'Ann', city: 'Bern' });
  assert.equal(ann.session.flush(), true);
  assert.equal(w.hub.doc.json(), '{"city":"Bern","name":"Ann"}');
  w.tick(5);
  w.hub.write(['/name', 'Robot']);
  ann.model.set('/name', 'Anna'); // and types on
  assert.equal(ann.session.flush(), true);
  assert.equal(w.hub.doc.json(), '{"city":"Bern","name":"Anna"}');
  ann.session.edit('/city', 'Basel'); // by the page itself, for her
  ann.session.edit('/name', undefined);
  assert.deepEqual(ann.model.get('/'), { name: 'Anna', city: 'Basel' });
  w.tick(2000);
  assert.deepEqual(ann.model.get('/'), { city: 'Basel' });
});

test('an agent that has not seen the words gives way', async (t) => {
  const w = world(t), ann = w.tab('ann');
  both(w);
  w.lose = true;
  ann.model.set('/user/name', 'Ann');
  await undefined;
  w.tick(300);
  w.lose = false;
  w.hub.write(['/user', { name: 'Robot', city: 'Bern' }]);
  assert.deepEqual(ann.model.get('/user'), { name: 'Ann', city: 'Bern' });
  assert.equal(w.hub.doc.json(), '{"user":{"city":"Bern","name":"Ann"}}');
  assert.deepEqual(ann.replaced, []);
});

test('ten minutes offline and back', async (t) => {
  const w = world(t), ann = w.tab('ann'), bob = w.tab('bob');
  both(w);
  ann.session.disconnect();
  w.hub.leave('ann');
  ann.model.set('/name', 'Ann');
  ann.model.set('/bio', 'tall');
  await undefined;
  bob.model.set('/bio', 'old');
  bob.model.set('/city', 'Bern');
  await undefined;
  w.tick(600_000);
  assert.deepEqual(sent(w), ['bob /bio "old"', 'bob /city "Bern"']);
  assert.equal(ann.session.flush(), false);
  w.hub.join('ann');
  ann.session.connect();
  assert.deepEqual([ann.model.get('/city'), ann.model.get('/bio')], ['Bern', 'tall']);
  w.tick(500);
  assert.deepEqual(sent(w), ['ann /name "Ann"', 'ann /bio "tall"']);
  assert.equal(w.hub.doc.json(), '{"bio":"tall","city":"Bern","name":"Ann"}');
  w.tick(2000);
  assert.deepEqual(bob.model.get('/'), { bio: 'tall', city: 'Bern', name: 'Ann' });
  assert.deepEqual(bob.replaced.map(({ path, was, now, by }) => [path, was, now, by.name]), [['/bio', 'old', 'tall', 'Ann']]);
});

test('a message that is lost is asked for, a network that fails is tried again', async (t) => {
  const w = world(t), ann = w.tab('ann');
  both(w);
  w.lose = true;
  ann.model.set('/a', 1);
  assert.equal(ann.session.flush(), true);
  w.lose = false;
  ann.model.set('/b', 2);
  assert.equal(ann.session.flush(), true);
  assert.equal(w.hub.doc.json(), '{"a":1,"b":2}');
  w.tick(5);
  w.lose = true;
  w.hub.write(['/x', 1]);
  w.lose = false;
  w.hub.write(['/y', 2]);
  assert.deepEqual(ann.model.get('/'), { a: 1, b: 2, x: 1, y: 2 });
  w.down = true;
  ann.model.set('/c', 3);
  assert.deepEqual([ann.session.flush(), ann.session.online], [false, false]);
  w.tick(1000);
  assert.equal(ann.session.online, false); // tried and failed
  w.down = false;
  w.tick(1999);
  assert.equal(ann.session.online, false);
  w.tick(1);
  assert.equal(ann.session.online, true);
  assert.equal(w.hub.doc.json(), '{"a":1,"b":2,"c":3,"x":1,"y":2}');
});

test('what was typed offline waits for the answer, but not for ever', async (t) => {
  const w = world(t), ann = w.tab('ann');
  both(w);
  ann.session.disconnect();
  ann.model.set('/name', 'Ann');
  await undefined;
  w.tick(5000);
  w.lose = true;
  ann.session.connect();
  w.tick(499);
  assert.deepEqual(sent(w), []);
  w.tick(1);
  assert.deepEqual(sent(w), ['ann /name "Ann"']);
});

test('a promise that rejects is a failed message, too', async (t) => {
  const w = world(t), ann = w.tab('ann', { send: () => Promise.reject(new Error('no')) });
  await new Promise((done) => setImmediate(done));
  assert.equal(ann.session.online, false);
});

test('a reload loses nothing', async (t) => {
  const storage = new Store();
  const w = world(t), ann = w.tab('ann', { storage });
  both(w);
  w.hub.write(['/city', 'Bern']);
  ann.model.set('/sent', 'a');
  w.lose = true; // on the way when she leaves
  ann.session.flush();
  ann.model.set('/name', 'Ann');
  await undefined;
  ann.session.close();
  w.lose = false;
  w.tick(10);
  const again = w.tab('ann', { storage });
  assert.equal(again.session.actor, 'ann');
  assert.deepEqual(again.model.get('/'), { city: 'Bern', sent: 'a', name: 'Ann' });
  assert.equal(w.hub.doc.json(), '{"city":"Bern","sent":"a"}');
  assert.equal(again.session.flush(), true);
  assert.equal(w.hub.doc.json(), '{"city":"Bern","name":"Ann","sent":"a"}');
  again.session.close(true);
  assert.equal(storage.size, 0);
});

test('of two places with one name, the one that hears of the other takes another', async (t) => {
  const w = world(t), one = w.tab('ann'), two = w.tab('two', { actor: 'ann' });
  one.model.set('/name', 'One');
  one.session.flush();
  w.tick(1);
  two.model.set('/city', 'Bern');
  await undefined;
  two.session.flush();
  assert.match(`${one.session.actor} ${two.session.actor}`, /^ann ann~[0-9a-z]+$/);
  one.model.set('/age', 3);
  one.session.flush();
  w.tick(3000);
  const all = { name: 'One', city: 'Bern', age: 3 };
  assert.deepEqual([one.refused, two.refused], [[], ['SYNC_ACTOR_INVALID']]);
  assert.deepEqual([one.session.value(), two.session.value(), JSON.parse(w.hub.doc.json())], [all, all, all]);
});

test('a tab keeps its name, and a duplicate of it takes another', async (t) => {
  const { actorOf } = await import(`data:text/javascript,${encodeURIComponent(await bundle("export { actorOf } from '../src/actor.ts'"))}`);
  const { addEventListener, sessionStorage } = globalThis;
  t.after(() => Object.assign(globalThis, { addEventListener, sessionStorage }));
  const load = (storage) => {
    const heard = {};
    Object.assign(globalThis, { sessionStorage: storage, addEventListener: (type, run) => { heard[type] = run; } });
    return { name: actorOf('c'), storage, fire: (type) => { globalThis.sessionStorage = storage; heard[type](); } };
  };
  const first = load(new Store());
  assert.match(first.name, /^r-[0-9a-f]{16}$/);
  const twin = load(new Store(first.storage));
  assert.notEqual(twin.name, first.name);
  for (const tab of [first, twin]) {
    tab.fire('pagehide');
    assert.equal(load(new Store(tab.storage)).name, tab.name, 'after a reload');
    tab.fire('pageshow');
    assert.notEqual(load(new Store(tab.storage)).name, tab.name, 'it came back');
  }
});

test('a tab that was duplicated takes another name', async (t) => {
  const storage = new Store();
  const w = world(t), ann = w.tab('ann', { storage });
  ann.model.set('/name', 'Ann');
  await undefined;
  const copied = new Store(storage), twin = w.tab('twin', { storage: copied, actor: 'ann' });
  assert.match(twin.session.actor, /^ann~[0-9a-z]+$/);
  assert.equal(twin.model.get('/name'), 'Ann');
  assert.equal(ann.session.flush() && twin.session.flush(), true);
  assert.deepEqual([ann.refused, twin.refused, w.hub.doc.json()], [[], [], '{"name":"Ann"}']);
});

test('the next person in the tab gets nothing of the one before, who may come back under another name', async (t) => {
  const storage = new Store();
  const w = world(t), ann = w.tab('r-1', { storage, owner: 'ann' });
  ann.model.set('/name', 'Ann');
  await undefined;
  ann.session.close();
  const bob = w.tab('r-2', { storage, owner: 'bob' });
  assert.equal(bob.model.get('/name'), undefined);
  bob.session.close();
  const again = w.tab('r-3', { storage, owner: 'ann' });
  assert.deepEqual([again.model.get('/name'), again.session.pending], ['Ann', 1]);
});

test('storage that is full, forbidden or from another version does not stop anybody', (t) => {
  const full = new Store();
  full.setItem = () => { throw new Error('full'); };
  const old = new Store([['datasync:s:ann', '{"actor":"ann","last":"?","pending":[]}'], ['datasync:s:ann:doc', 'AAAA']]);
  const w = world(t);
  for (const storage of [full, old]) {
    const ann = w.tab('ann', { storage });
    ann.model.set('/name', 'Ann');
    assert.equal(ann.session.flush(), true);
  }
  assert.equal(full.size, 0);
});

test('who is there and who wrote', (t) => {
  const w = world(t), ann = w.tab('ann', { hold: 0 }), bob = w.tab('bob', { hold: 0 });
  both(w);
  assert.deepEqual(ann.others, [{ actor: 'bob', name: 'Bob' }]);
  bob.model.set('/user', { name: 'B', city: 'Bern' });
  bob.session.flush();
  ann.model.set('/user/name', 'A');
  assert.equal(ann.session.flush(), true);
  const by = (tab, path) => tab.session.wroteLast(path)?.name;
  assert.deepEqual([by(bob, '/user/name'), by(bob, '/user/city'), by(bob, '/user'), by(bob, '/other')], ['Ann', 'Bob', 'Ann', undefined]);
  bob.model.set('/user/name', 'B');
  bob.session.flush();
  bob.session.setPeers([two[1]]);
  assert.equal(by(bob, '/user/city'), 'Bob'); // names stay known
  assert.equal(bob.session.wroteLast('/user/name').actor, 'bob');
});

test('rules: the longest path counts, and those of the server replace the first ones', async (t) => {
  const w = world(t), ann = w.tab('ann');
  both(w);
  const rules = [{ path: '/', mode: 'onAction' }, { path: '/user/name', mode: 'onChanged', timeoutMs: 100 }];
  assert.equal(ann.session.receive({ watchDataModel: { surfaceId: 's', configurations: rules } }), true);
  ann.model.set('/user', { name: 'Ann', bio: 'tall' });
  await undefined;
  w.tick(100);
  assert.deepEqual(sent(w), ['ann /user/name "Ann"']);
  w.tick(10_000);
  ann.session.flush();
  assert.deepEqual(sent(w), ['ann /user/bio "tall"']);
  for (const configurations of [[], [{ path: 'x', mode: 'onAction' }], [{ path: '/', mode: 'always' }]]) {
    ann.session.receive({ watchDataModel: { surfaceId: 's', configurations } });
  }
  assert.deepEqual(ann.refused, ['SYNC_BATCH_INVALID', 'SYNC_PATH_INVALID', 'SYNC_BATCH_INVALID']);
  const quiet = w.tab('quiet', { watch: [] });
  quiet.model.set('/a', 1);
  assert.equal(quiet.session.flush(), true);
  assert.deepEqual([sent(w), quiet.session.pending], [[], 1]);
});

test('other messages are left to the renderer, and what it writes then is no edit', async (t) => {
  const w = world(t), ann = w.tab('ann', { share: ['/draft'] });
  for (const message of ['', '[]', '{}', '{', { updateComponents: { surfaceId: 's' } }, { updateDataModel: { surfaceId: 's', path: '/', value: {} } },
    { updateDataModel: { surfaceId: 'other', actorId: 'a', updates: [], versions: {} } }]) assert.equal(ann.session.receive(message), false);
  ann.model.set('/draft/name', 'An');
  ann.session.absorb(() => ann.model.set('/', { draft: { name: 'An', city: 'Bern' }, rows: [1] }));
  ann.model.set('/rows', [1, 2]); // not shared
  await undefined;
  assert.equal(ann.session.flush(), true);
  assert.deepEqual(sent(w), ['ann /draft/name "An"']);
  ann.model.set('/draft/name', 'Anna'); // a snapshot comes while she types: what it has is older
  ann.session.absorb(() => ann.model.set('/', { draft: { name: 'An', city: 'Thun' }, rows: [1, 2] }));
  assert.deepEqual([ann.model.get('/draft'), ann.session.pending], [{ name: 'Anna', city: 'Thun' }, 1]);
  w.hub.write(['/draft/city', 'Bern']);
  ann.session.absorb(() => ann.model.set('/draft', { name: 'An', city: 'Thun' }));
  assert.deepEqual([ann.model.get('/draft'), ann.session.pending], [{ name: 'Anna', city: 'Bern' }, 1]);
  w.hub.write(['/draft/age', 41]);
  assert.deepEqual(ann.model.get('/'), { draft: { name: 'Anna', city: 'Bern', age: 41 }, rows: [1, 2] });
});

test('without a word of who is there the rules decide', async (t) => {
  const w = world(t), ann = w.tab('ann', { unknown: true });
  ann.model.set('/name', 'Ann');
  await undefined;
  w.tick(300);
  assert.deepEqual(sent(w), ['ann /name "Ann"']);
});

test('many edits are several messages', (t) => {
  const w = world(t), ann = w.tab('ann'), bob = w.tab('bob');
  ann.model.set('/', Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`f${i}`, i])));
  assert.equal(ann.session.flush(), true);
  assert.deepEqual(w.sent.map((line) => JSON.parse(line.slice(4)).dataModelChanged.updates.length), [1000, 1000, 500]);
  assert.equal(Object.keys(bob.model.get('/')).length, 2500);
});

test('an answer with many updates is several messages', (t) => {
  const w = world(t), ann = w.tab('ann');
  w.lose = true;
  for (let i = 0; i < 1001; i++) ann.session.edit(`/k${i}`, i);
  assert.equal(ann.session.flush(), true);
  w.lose = false;
  w.sent.length = 0;
  const { Doc } = datasync;
  w.hub.doc = new Doc({ updates: 1000 });
  w.hub.join('ann'); // asks
  assert.deepEqual(w.sent.map((line) => JSON.parse(line.slice(4)).dataModelChanged.updates.length).filter(Boolean), [1000, 1]);
  assert.equal(w.hub.doc.json(), JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, i]).sort(([a], [b]) => (a < b ? -1 : 1)))));
  w.sent.length = 0;
  w.hub.join('ann');
  assert.deepEqual(sent(w), []); // it has all
});

test('nothing is stamped before a question is answered, however long that takes', async (t) => {
  const w = world(t), answers = [], posts = [];
  const ann = w.tab('ann', { unknown: true, send: (message) => (posts.push(JSON.parse(message)), new Promise((done, fail) => answers.push([done, fail]))) });
  ann.model.set('/a', 1);
  await Promise.resolve();
  w.tick(60_000);
  assert.equal(posts.length, 1); // the question
  answers[0][0]();
  await Promise.resolve();
  w.tick(0);
  assert.deepEqual(posts.slice(1).map((m) => m.dataModelChanged.updates.map((u) => u.path)), [['/a']]);
  answers[1][1](new Error('no network'));
  await Promise.resolve();
  w.tick(1000);
  assert.equal(posts.length, 3); // asks again
});

test('a message of a clock that is ahead is asked for again', (t) => {
  const w = world(t), ann = w.tab('ann');
  const hlc = new Date(start + 90_000).toISOString();
  w.hub.doc.apply(parseBatch(`{"surfaceId":"s","actorId":"bob","versions":{},"updates":[{"path":"/a","value":1,"hlc":"${hlc}:0000:bob"}]}`));
  w.hub.join('ann');
  ann.session.connect();
  assert.deepEqual([...new Set(ann.refused)], ['SYNC_CLOCK_AHEAD']);
  assert.deepEqual(ann.model.get('/'), {});
  w.tick(60_000);
  assert.equal(ann.model.get('/a'), 1);
  w.sent.length = 0;
  w.tick(120_000);
  assert.equal(w.sent.length, 0); // and no more
});

test('a message that cannot be is refused, whole', (t) => {
  const w = world(t), ann = w.tab('ann');
  const say = (updates, more = {}) => ann.session.receive({ updateDataModel: { surfaceId: 's', actorId: 'agent', versions: {}, updates, ...more } });
  const ok = { path: '/ok', value: 1, hlc: '2026-01-12T16:00:00.000Z:0000:agent' };
  say([ok, { ...ok, hlc: '2026-01-12T16:01:00.501Z:0000:agent' }]);
  say([ok, { ...ok, hlc: '2026-01-12T16:00:30.000Z:0009:ann' }]);
  say([ok, { ...ok, value: [1] }]);
  say([ok, { ...ok, path: 'x' }]);
  say([ok], { actorId: 'a b' });
  say([ok, { ...ok, value: 'x'.repeat(300_000) }]);
  assert.deepEqual(ann.refused, ['SYNC_CLOCK_AHEAD', 'SYNC_ACTOR_INVALID', 'SYNC_VALUE_INVALID', 'SYNC_PATH_INVALID', 'SYNC_ACTOR_INVALID', 'SYNC_BATCH_INVALID']);
  assert.deepEqual(ann.model.get('/'), {});
  say([{ ...ok, path: '/__proto__/x' }, { ...ok, path: '/constructor', hlc: '2026-01-12T16:00:00.000Z:0001:agent' }, { ...ok, hlc: '2026-01-12T16:00:00.000Z:0002:agent' }]);
  assert.equal({}.x, undefined);
  assert.equal(ann.model.get('/ok'), 1);
  ann.model.set('/bad', '\ud800');
  ann.session.flush();
  assert.deepEqual(ann.refused.slice(6), ['SYNC_VALUE_INVALID']);
});

test('values of all kinds go there and back', async (t) => {
  const w = world(t), ann = w.tab('ann'), bob = w.tab('bob');
  const value = { text: 'é<&', yes: true, no: false, n: 1.5, choice: ['a', 'b'], none: [], deep: { x: { y: 'z' } }, empty: {} };
  for (const [key, v] of Object.entries(value)) ann.model.set(`/${key}`, v);
  ann.session.flush();
  assert.deepEqual(bob.model.get('/'), value);
  ann.model.set('/deep/x', 5); // an object gives way to a scalar, and to an object again
  ann.model.set('/choice', undefined);
  ann.session.flush();
  assert.deepEqual([bob.model.get('/deep'), 'choice' in bob.model.get('/')], [{ x: 5 }, false]);
  ann.model.set('/deep/x', undefined);
  ann.model.set('/deep/x/y', [1, [2]]);
  ann.session.flush();
  assert.deepEqual(bob.model.get('/deep'), { x: { y: [1, [2]] } });
  assert.deepEqual([ann.refused, bob.refused], [[], []]);
});

/** The rows of a list in a model. */
const rows = (tab) => tab.model.get('/rows')?.map(({ id, n }) => `${id}${n ?? ''}`).join(' ') ?? '';

test('lists: rows by id, added, edited, moved and deleted by two at once', async (t) => {
  const w = world(t), lists = { lists: ['/rows'], hold: 0 }, ann = w.tab('ann', lists), bob = w.tab('bob', lists);
  both(w);
  w.hub.write(...['r1', 'r2', 'r3', 'r4', 'r5'].map((id, i) => [`/rows/${id}`, { n: i }, `a${i}`]));
  assert.equal(rows(ann), 'r10 r21 r32 r43 r54');
  const order = (tab, ...ids) => tab.model.set('/rows', ids.map((id) => tab.model.get('/rows').find((row) => row.id === id)));
  order(ann, 'r2', 'r3', 'r4', 'r1', 'r5'); // r1 moves down
  order(bob, 'r5', 'r1', 'r2', 'r3', 'r4'); // r5 moves up
  bob.model.set('/rows/2/n', 7); // of r2
  await undefined;
  assert.deepEqual([ann.session.pending, bob.session.pending], [1, 2]);
  ann.session.flush();
  bob.session.flush();
  assert.deepEqual([rows(ann), rows(bob)], ['r54 r27 r32 r43 r10', 'r54 r27 r32 r43 r10']);
  order(ann, 'r5', 'r3', 'r4', 'r1'); // r2 is deleted
  bob.model.set('/rows/1/n', 8); // and edited
  bob.model.set('/rows', [{ n: 9 }, ...bob.model.get('/rows')]); // one that has no id yet
  await undefined;
  bob.session.flush();
  ann.session.flush();
  const id = bob.model.get('/rows')[0].id;
  assert.deepEqual([rows(ann), rows(bob)], [`${id}9 r54 r32 r43 r10`, `${id}9 r54 r32 r43 r10`]);
  bob.model.set('/rows/1/n', undefined);
  bob.session.flush();
  assert.equal(rows(ann), `${id}9 r5 r32 r43 r10`);
  ann.model.set('/rows', [...ann.model.get('/rows'), { ...ann.model.get('/rows')[0] }]); // a copy, with its id
  ann.session.flush();
  assert.equal(rows(bob).replace(/\S+9$/, 'copy9'), `${id}9 r5 r32 r43 r10 copy9`);
  ann.model.set('/rows', []);
  ann.session.flush();
  assert.deepEqual([rows(bob), ann.refused, bob.refused], ['', [], []]);
});

test('lists: a late edit of a deleted row makes no half row', async (t) => {
  const w = world(t), lists = { lists: ['/rows'], hold: 0 }, ann = w.tab('ann', lists), bob = w.tab('bob', lists);
  w.hub.write(['/rows/r1', { n: 1 }, 'a0'], ['/rows/r2', { n: 2 }, 'a1']);
  bob.session.disconnect();
  w.hub.leave('bob');
  ann.session.remove('/rows', 'r1');
  ann.session.flush();
  w.tick(5);
  bob.model.set('/rows/0/n', 5);
  w.hub.join('bob');
  bob.session.connect();
  bob.session.flush();
  assert.deepEqual([rows(ann), rows(bob)], ['r22', 'r22']);
});

test('positions that leave no room are given anew', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: start });
  const s = new Session({ surface: 's', actor: 'ann', storage: null, send() {} });
  for (const [id, pos] of [['a', 'same'], ['b', 'same'], ['c', 'same'], ['d', undefined]]) s.edit(`/l/${id}`, {}, pos);
  assert.equal(s.insert('/l', 'x', {}, 'b'), true);
  assert.equal(s.insert('/l', 'y', {}), true);
  assert.equal(s.move('/l', 'a', 'd'), true);
  assert.deepEqual(s.order('/l'), ['x', 'b', 'c', 'a', 'd', 'y']);
  for (let i = 0; i < 500; i++) s.insert('/m', `i${i}`, {}, i > 1 ? `i${i - 1}` : undefined); // always before the last one
  assert.deepEqual(s.order('/m'), ['i0', ...Array.from({ length: 499 }, (_, i) => `i${499 - i}`)]);
  s.close();
});

test('with rows above and a person in one of them the list waits', async (t) => {
  const w = world(t), ann = w.tab('ann', { lists: ['/rows'] });
  w.hub.write(['/rows/r1', { n: 1 }, 'a1']);
  ann.model.set('/rows/0/n', 5);
  await undefined;
  w.hub.write(['/rows/r0', { n: 0 }, 'a0']);
  assert.equal(rows(ann), 'r15');
  w.tick(2000);
  assert.equal(rows(ann), 'r00 r15');
});

test('a place that was away too long starts again, with its words', async (t) => {
  const w = world(t), ann = w.tab('ann');
  ann.model.set('/known', 1);
  ann.session.flush();
  w.hub.write(['/known', 2]); // has seen it
  w.tick(3000);
  w.lose = true;
  ann.model.set('/lost', 1);
  ann.session.flush();
  ann.model.set('/typed', 1);
  w.lose = false;
  w.hub.write(['/known', 3]);
  ann.session.restart('ann-2');
  assert.equal(ann.session.actor, 'ann-2');
  assert.equal(ann.session.flush(), true);
  w.tick(3000);
  assert.equal(w.hub.doc.json(), '{"known":3,"lost":1,"typed":1}');
  assert.deepEqual(ann.model.get('/'), { known: 3, lost: 1, typed: 1 });
});

test('a clock that is wrong can be set right', (t) => {
  const w = world(t);
  let wrong = 3_600_000;
  const ann = w.tab('ann', { now: () => Date.now() + wrong }), bob = w.tab('bob');
  ann.model.set('/name', 'Ann');
  ann.session.flush();
  assert.deepEqual([bob.refused, bob.model.get('/')], [['SYNC_CLOCK_AHEAD'], {}]);
  w.hub = new Hub(datasync, w.hub.say); // which refuses it, too
  for (const actor of w.tabs.keys()) w.hub.join(actor);
  wrong = 0;
  ann.session.restart('ann-2');
  assert.equal(ann.session.flush(), true);
  assert.deepEqual(bob.model.get('/'), { name: 'Ann' });
});

test('whatever happens, in the end all have the same', async (t) => {
  const w = world(t), lists = { lists: ['/rows'], hold: 500 };
  let seed = 7;
  const random = (n) => { // a small generator: the same run each time
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  for (let run = 0; run < 40; run++) {
    w.tabs.clear();
    w.hub = new Hub(datasync, (name, message) => { if (random(4)) w.tabs.get(name)?.session?.receive(message); });
    const names = ['ann', 'bob', 'cy'], stores = names.map(() => new Store());
    const open = (i) => {
      const tab = w.tab(names[i], { ...lists, storage: stores[i], send(message) { if (random(4)) w.hub.take(names[i], message); } });
      tab.session.setPeers(names.map((actor) => ({ actor })));
    };
    names.forEach((_, i) => open(i));
    w.hub.write(['/rows/r0', { n: 0 }, 'a0'], ['/rows/r1', { n: 1 }, 'a1'], ['/f', { a: 'x' }]);
    for (let step = 0; step < 60; step++) {
      const i = random(3), { model, session } = w.tabs.get(names[i]);
      const list = model.get('/rows') ?? [];
      switch (random(12)) {
        case 0: session.disconnect(); break;
        case 1: session.connect(); break;
        case 2: session.close(); open(i); break;
        case 3: session.flush(); break;
        case 4: w.hub.write([['/f/a', '/f/b', '/f'][random(3)], random(3) ? `agent ${step}` : undefined]); break;
        case 5: model.set('/rows', list.slice(1)); break;
        case 6: model.set('/rows', [...list, { n: step }]); break;
        case 7: model.set('/rows', [...list].reverse()); break;
        case 8: if (list.length) model.set(`/rows/${random(list.length)}/n`, step); break;
        default:
          if (typeof model.get('/f') === 'string') model.set('/f', { a: 'new' });
          else model.set(`/f/${'abc'[random(3)]}`, `${names[i]} ${step}`);
      }
      await undefined;
      w.tick(random(400));
    }
    w.hub.say = (name, message) => w.tabs.get(name)?.session?.receive(message);
    for (const name of names) w.tabs.get(name).session.close();
    names.forEach((name, i) => {
      w.tabs.delete(name);
      w.tab(name, { ...lists, storage: stores[i] });
    });
    for (let round = 0; round < 3; round++) {
      for (const { session } of w.tabs.values()) {
        session.connect();
        session.flush();
      }
      w.tick(3000);
      await undefined;
    }
    const want = w.hub.doc.json();
    for (const { model, session } of w.tabs.values()) {
      assert.deepEqual([session.pending, JSON.stringify(session.value())], [0, JSON.stringify(JSON.parse(want))], `run ${run}`);
      const { rows: list = [], f } = model.get('/') ?? {};
      assert.deepEqual(list.map((row) => row.id), w.hub.doc.order('/rows'), `run ${run}`);
      assert.deepEqual(f, JSON.parse(want)?.f, `run ${run}`);
    }
    for (const tab of w.tabs.values()) assert.deepEqual(tab.refused, []);
    for (const name of names) w.tabs.get(name).session.close(true);
  }
});

test('a batch of the package is one that it reads', () => {
  const body = '{"surfaceId":"s","actorId":"a","updates":[{"path":"/x","value":1.50,"hlc":"2026-01-12T16:00:00.000Z:0001:a"}],"versions":{}}';
  assert.equal(datasync.writeBatch(parseBatch(body)), body);
});

test('what a page bundles stays small', async (t) => {
  const bytes = gzipSync(await bundle("export { attach, attachForm } from './index.ts'"), { level: 9 }).length;
  t.diagnostic(`${bytes} bytes as gzip`);
  assert.ok(bytes <= 12_800, `${bytes} bytes as gzip`);
});

test('checkboxes are a list, and a single one is yes or no only if it has no value of its own', (t) => {
  const w = world(t), { HTMLSelectElement } = globalThis;
  globalThis.HTMLSelectElement ??= class {};
  t.after(() => { globalThis.HTMLSelectElement = HTMLSelectElement; });
  const box = (name, value) => ({
    type: 'checkbox', name, value: value ?? 'on', checked: false, dataset: {}, matches: () => true,
    getAttribute: () => value ?? null, getRootNode: () => ({ getElementById: () => null }),
  });
  const boxes = [box('/plain'), box('/yes', 'true'), box('/one', 'red'), box('/some', 'a'), box('/some', 'b')], heard = {};
  const form = { addEventListener: (type, run) => { heard[type] = run; }, querySelectorAll: () => boxes };
  const session = attachForm(form, { surface: 's', actor: 'ann', storage: null, send() {} });
  t.after(() => session.close());
  for (const control of boxes) {
    control.checked = true;
    heard.change({ target: control });
  }
  assert.deepEqual(session.value(), { plain: true, yes: true, one: { '@list': ['red'] }, some: { '@list': ['a', 'b'] } });
  boxes[2].checked = false;
  heard.change({ target: boxes[2] });
  assert.deepEqual(session.value('/one'), { '@list': [] });
});
