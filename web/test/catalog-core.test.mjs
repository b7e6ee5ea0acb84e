// The pure modules of Limn's components, without a browser: node --test test/catalog-core.test.mjs

import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { blankOf, cellOf, clipboardOf, sorted, spread, tableOf, textOf, wrongWith } from '../catalog-core/cells.js';
import { covers, has, kept, pressed } from '../catalog-core/selection.js';
import { box, layout, toward } from '../catalog-core/layout.js';
import { History } from '../catalog-core/history.js';
import { parts, within } from '../catalog-core/window.js';
import { figure, plot, scale } from '../catalog-core/chart.js';
import { ChartApi, DataGridApi, FoldApi, ProcessMapApi } from '../catalog-core/schema.js';
import { Rows } from '../catalog-core/bind.js';
import { Control } from '../catalog-core/control.js';
import { Table } from '../catalog-core/grid.js';

const column = (type, more = {}) => ({ name: 'a', label: 'A', type, ...more });
const levels = [{ label: 'High', value: 'h' }, { label: 'Low', value: 'l' }];

test('a cell is read from text as its column wants it', () => {
  for (const [type, text, want] of [
    ['text', '  a \n b ', 'a b'], ['longtext', ' a\r\nb ', ' a\nb '], ['number', ' 1,5 ', '1,5'],
    ['boolean', 'Yes', true], ['boolean', '', false], ['boolean', 'perhaps', undefined],
    ['slider', '4', 4], ['slider', 'many', undefined], ['choice', 'high', ['h']], ['choice', 'L', ['l']], ['choice', '', []],
    ['choice', 'middle', undefined], ['choices', 'Low; high', ['l', 'h']], ['choices', 'Low, middle', undefined], ['choices', '', []],
  ]) assert.deepEqual(cellOf(column(type, { options: levels }), text), want, `${type} ${text}`);
});

test('what is copied is what is pasted', () => {
  const rows = [['a', 'b\tc', ''], ['say "no"', 'two\nlines', '1']];
  assert.deepEqual(tableOf(clipboardOf(rows)), rows);
  assert.deepEqual(tableOf('a\tb\r\nc\td\r\n'), [['a', 'b'], ['c', 'd']]);
  assert.deepEqual(tableOf('5" pipe\t"open'), [['5" pipe', '"open']]);
  assert.deepEqual(tableOf('"q""x"\t'), [['q"x', '']]);
  assert.deepEqual(tableOf('one'), [['one']]);
  assert.deepEqual(tableOf(''), [['']]);
});

test('a paste spreads right and down, and says what found no row', () => {
  const columns = [column('text'), { ...column('choice', { options: levels }), name: 'b' }];
  const { cells, rest } = spread(columns, ['r1', 'r2'], 0, [['x', 'Low', 'too far'], ['y', 'nonsense'], ['z']]);
  assert.deepEqual(cells, [{ row: 'r1', column: 'a', value: 'x' }, { row: 'r1', column: 'b', value: ['l'] }, { row: 'r2', column: 'a', value: 'y' }]);
  assert.deepEqual(rest, [['z']]);
  assert.deepEqual(spread(columns, ['r1'], 1, [['High']]).cells, [{ row: 'r1', column: 'b', value: ['h'] }]);
});

test('texts, blanks and hints', () => {
  assert.equal(textOf(column('choices', { options: levels }), ['h', 'l', 'other']), 'High, Low, other');
  assert.equal(textOf(column('boolean'), true), '✓');
  assert.equal(textOf(column('text'), undefined), '');
  assert.deepEqual([blankOf(column('choice')), blankOf(column('boolean')), blankOf(column('slider', { min: '2' })), blankOf(column('date'))], [[], false, 2, '']);
  const email = column('email', { pattern: '^([^@]+@[^@]+)?$', message: 'no address' });
  assert.deepEqual(['', 'a@b', 'ab', 3].map((v) => wrongWith(email, v)), ['', '', 'no address', '']);
  assert.equal(wrongWith({ ...email, pattern: '(' }, 'ab'), '');
});

test('sorting: numbers as numbers, empty last, equal ones stay', () => {
  const cells = { r1: '10', r2: '', r3: '9', r4: '9' };
  assert.deepEqual(sorted(['r1', 'r2', 'r3', 'r4'], column('number'), (id) => cells[id], false), ['r3', 'r4', 'r1', 'r2']);
  assert.deepEqual(sorted(['r1', 'r2', 'r3', 'r4'], column('number'), (id) => cells[id], true), ['r1', 'r3', 'r4', 'r2']);
  const names = { r1: 'b2', r2: 'B10', r3: 'a' };
  assert.deepEqual(sorted(['r1', 'r2', 'r3'], column('text'), (id) => names[id], false), ['r3', 'r1', 'r2']);
});

test('keys go from cell to cell', () => {
  const at = (row, col) => ({ anchor: { row, column: col }, head: { row, column: col } });
  const size = { rows: 3, columns: 2 };
  const cursor = { line: true, atStart: false, atEnd: false, changed: false };
  const press = (now, key, more = {}) => pressed(now, size, typeof key === 'string' ? { key } : key, { ...cursor, ...more });
  assert.deepEqual(press(at(0, 0), 'Enter'), { do: 'go', to: { row: 1, column: 0 } });
  assert.deepEqual(press(at(2, 1), 'Enter'), { do: 'add' });
  assert.deepEqual(press(at(1, 1), { key: 'Enter', shiftKey: true }), { do: 'go', to: { row: 0, column: 1 } });
  assert.equal(press(at(0, 1), { key: 'Enter', shiftKey: true }), undefined);
  assert.equal(press(at(0, 0), 'Enter', { line: false }), undefined);
  assert.deepEqual(press(at(0, 0), 'ArrowDown'), { do: 'go', to: { row: 1, column: 0 } });
  assert.equal(press(at(0, 0), 'ArrowUp'), undefined);
  assert.equal(press(at(0, 0), 'ArrowRight'), undefined, 'the caret moves within the text');
  assert.deepEqual(press(at(0, 0), 'ArrowRight', { atEnd: true }), { do: 'go', to: { row: 0, column: 1 } });
  assert.deepEqual(press(at(1, 1), { key: 'ArrowUp', shiftKey: true }), { do: 'extend', to: { row: 0, column: 1 } });
  assert.deepEqual(press(at(1, 1), { key: 'ArrowUp', altKey: true }), { do: 'up' });
  assert.equal(press(at(1, 0), 'Tab'), undefined, 'the browser goes to the next cell');
  assert.deepEqual(press(at(1, 1), 'Tab'), { do: 'leave' });
  assert.deepEqual(press(at(1, 1), 'Tab', { changed: true }), { do: 'go', to: { row: 2, column: 0 } });
  assert.deepEqual(press(at(2, 1), 'Tab', { changed: true }), { do: 'leave' });
  assert.deepEqual(press(at(0, 0), 'Escape'), { do: 'undo' });
  assert.equal(press(at(0, 0), 'Delete'), undefined);
  assert.deepEqual(press({ anchor: { row: 0, column: 0 }, head: { row: 1, column: 0 } }, 'Delete'), { do: 'clear' });
  assert.equal(press(at(0, 0), { key: 'Enter', ctrlKey: true }), undefined);
  const s = { anchor: { row: 2, column: 1 }, head: { row: 0, column: 0 } };
  assert.deepEqual(covers(s), { top: 0, bottom: 2, left: 0, right: 1 });
  assert.ok(has(s, { row: 1, column: 1 }) && !has(s, { row: 3, column: 0 }));
});

test('a selection stays on its cells when rows come, go and move', () => {
  const before = ['a', 'b', 'c', 'd'];
  const over = (s, ...now) => kept(s, before, now, new Map(now.map((id, i) => [id, i])));
  const one = { anchor: { row: 1, column: 2 }, head: { row: 1, column: 2 } };
  const two = { anchor: { row: 2, column: 0 }, head: { row: 1, column: 1 } };
  assert.equal(over(undefined, 'a'), undefined);
  assert.deepEqual(over(one, 'a', 'c', 'b', 'd'), { anchor: { row: 2, column: 2 }, head: { row: 2, column: 2 } });
  assert.equal(over(one, 'a', 'c'), undefined, 'its row is gone');
  assert.deepEqual(over(two, 'x', 'a', 'b', 'c', 'd'), { anchor: { row: 3, column: 0 }, head: { row: 2, column: 1 } });
  assert.deepEqual(over({ ...two, anchor: { row: 3, column: 0 } }, 'a', 'b', 'd'), { anchor: { row: 2, column: 0 }, head: { row: 1, column: 1 } });
  assert.equal(over(two, 'a', 'b', 'x', 'c', 'd'), undefined, 'a new row between');
  assert.equal(over(two, 'c', 'a', 'd', 'b'), undefined, 'sorted');
});

/** A table without elements, which shows none of its rows. */
function bare(more = {}) {
  const element = { getAttribute: () => null, setAttribute: () => {}, removeAttribute: () => {}, replaceChildren: () => {} };
  return Object.assign(Object.create(Table.prototype), { shown: false, heading: () => {}, history: new History(), lines: new Map(), order: new Map(), ids: [], scroll: element, body: element, why: {} }, more);
}

test('a table keeps its selection on the row that moved', () => {
  const table = bare(), rows = (...ids) => ({ ids, columns: [] });
  table.update(rows('r1', 'r2', 'r3'), {}, '');
  table.selection = { anchor: { row: 0, column: 0 }, head: { row: 0, column: 0 } };
  table.update(rows('r2', 'r1', 'r3'), {}, '');
  assert.equal(table.selection.head.row, 1);
  table.update(rows('r2', 'r3'), {}, '');
  assert.equal(table.selection, undefined);
});

test('of the rows that come with a new one, only that is new', () => {
  const table = bare(), acts = [];
  const rows = (from) => ({ ids: Array.from({ length: 300 }, (_, i) => `r${from + i}`), columns: [], act: (action, about) => acts.push([action, about]) > 0, blank: () => false });
  table.update(rows(1), {}, '');
  let came;
  table.extend(1, (added) => { came = added; });
  table.update(rows(102), {}, '');
  assert.deepEqual(came, ['r401']);
  table.history.undo();
  assert.deepEqual(acts, [['add', { count: 1 }], ['remove', { row: 'r401' }]]);
});

test('a process is drawn in layers, whatever its connections', () => {
  const edge = (from, to) => ({ id: `${from}${to}`, from, to, label: '' });
  const chain = layout(['a', 'b', 'c'], [edge('a', 'b'), edge('b', 'c')], false);
  assert.deepEqual(chain.boxes.map((b) => b.y), [box.margin, box.margin + box.height + box.below, box.margin + 2 * (box.height + box.below)]);
  assert.equal(new Set(chain.boxes.map((b) => b.x)).size, 1);
  const fork = layout(['a', 'b', 'c', 'd'], [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')], true);
  assert.equal(fork.boxes.find((b) => b.id === 'b').x, fork.boxes.find((b) => b.id === 'c').x);
  assert.ok(fork.boxes.find((b) => b.id === 'd').x > fork.boxes.find((b) => b.id === 'b').x);
  const circle = layout(['a', 'b'], [edge('a', 'b'), edge('b', 'a'), edge('a', 'a'), edge('a', 'gone')], false);
  assert.deepEqual(circle.arrows.map((a) => a.back), [false, true]);
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 300; i++) {
    const steps = Array.from({ length: random(12) }, (_, n) => `s${n}`);
    const edges = steps.length ? Array.from({ length: random(20) }, (_, n) => ({ ...edge(`s${random(steps.length)}`, `s${random(steps.length)}`), id: `e${n}` })) : [];
    for (const across of [false, true]) {
      const plan = layout(steps, edges, across);
      assert.deepEqual(plan.boxes.map((b) => b.id).sort(), [...steps].sort());
      for (const [n, b] of plan.boxes.entries()) {
        assert.ok(b.x >= 0 && b.y >= 0 && b.x + box.width <= plan.width && b.y + box.height <= plan.height, 'within the picture');
        for (const other of plan.boxes.slice(n + 1)) assert.ok(Math.abs(b.x - other.x) >= box.width || Math.abs(b.y - other.y) >= box.height, 'boxes apart');
      }
      for (const a of plan.arrows) assert.ok(!/NaN/.test(a.path));
    }
  }
});

test('charts: round scales, marks in the plot', () => {
  assert.deepEqual(scale(0, 97), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(scale(-3, 5), [-4, -2, 0, 2, 4, 6]);
  assert.deepEqual(scale(0, 0.7), [0, 0.2, 0.4, 0.6, 0.8]);
  assert.equal(plot({ kind: 'bar', labels: [], series: [] }, String), undefined);
  assert.equal(plot({ kind: 'pie', labels: ['a'], series: [{ name: '', values: [0] }] }, String), undefined);
  const bars = plot({ kind: 'bar', labels: ['a', 'b'], series: [{ name: 'N', values: [1, -2] }, { name: 'S', values: [3, 4] }] }, String);
  assert.equal(bars.marks.length, 4);
  assert.deepEqual(bars.legend.map((l) => l.text), ['N', 'S']);
  for (const m of bars.marks) assert.ok(m.y >= 0 && m.y + m.height <= bars.height && m.x >= bars.left && m.x + m.width <= bars.width, JSON.stringify(m));
  const line = plot({ kind: 'line', labels: ['a', 'b'], series: [{ name: '', values: [1, 2] }] }, String);
  assert.deepEqual(line.marks.map((m) => m.shape), ['line', 'dot', 'dot']);
  const gaps = { labels: ['a', 'b', 'c', 'd'], series: [{ name: '', values: [3, null, 4, null] }] };
  assert.equal(plot({ kind: 'line', ...gaps }, String).marks.find((m) => m.shape === 'line').path.match(/[ML]/g).join(''), 'MM');
  assert.deepEqual(['bar', 'line', 'pie'].map((kind) => plot({ kind, ...gaps }, String).marks.filter((m) => m.shape !== 'line').length), [2, 2, 2]);
  assert.equal(plot({ kind: 'line', labels: ['a'], series: [{ name: '', values: [null] }] }, String), undefined);
  assert.equal(plot({ kind: 'line', labels: [], series: [{ name: '', values: [1, 2] }] }, String), undefined);
  assert.equal(plot({ kind: 'bar', labels: ['a', 'b'], series: [{ name: '', values: [1, Infinity] }] }, String).marks.length, 1);
  assert.deepEqual([null, 100 / 3, 0.1 + 0.2, 1234567890123.45, 0].map((v) => figure(v, String)), ['–', '33.3333333333333', '0.3', '1234567890123.45', '0']);
  const whole = plot({ kind: 'pie', labels: ['a', 'b'], series: [{ name: '', values: [5, 0] }] }, String);
  assert.equal(whole.marks.length, 1);
  assert.match(whole.marks[0].title, /a: 5 \(100 %\)/);
});

test('an action sends what its context binds, after what it is about was written', () => {
  const data = new Map([['/draft/t', { r1: { a: 'x' } }]]);
  const sent = [];
  const context = { dataContext: { dataModel: { get: (p) => data.get(p), set: (p, v) => data.set(p, v) } }, dispatchAction: (a) => sent.push(a) };
  const rows = new Rows(context, { cells: { path: '/draft/t' }, ids: ['r1'], columns: [column('text')], offers: ['remove'], row: { path: '/grid/row' },
    remove: { event: { name: 'limn.remove_row', context: { row: { path: '/grid/row' }, rows: { path: '/draft/t' }, nonce: 'n' } } }, add: { event: { name: 'limn.add_row' } } });
  assert.equal(rows.act('add'), false, 'not offered');
  assert.equal(rows.act('remove', { row: 'r1' }), true);
  assert.deepEqual(sent, [{ event: { name: 'limn.remove_row', context: { row: 'r1', rows: { r1: { a: 'x' } }, nonce: 'n' } } }]);
  assert.equal(rows.place('r/1', 'a~b'), '/draft/t/r~11/a~0b');
});

// --- the schemas of the packages are the catalog of the server ---
const catalog = JSON.parse(readFileSync(new URL('../../internal/components/limn.json', import.meta.url), 'utf8'));

/** The shape of a JSON schema, and of a Zod schema, in one form. */
function declared(schema) {
  if (schema.$ref?.startsWith('#')) return declared(catalog.$defs[schema.$ref.split('/').at(-1)]);
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.enum) return schema.enum;
  if (schema.type === 'array') return [declared(schema.items)];
  if (schema.type !== 'object') return schema.type === 'integer' ? 'number' : schema.type;
  if (!schema.properties) return 'record';
  return Object.fromEntries(Object.entries(schema.properties).sort().map(([k, v]) => [k + (schema.required?.includes(k) ? '' : '?'), declared(v)]));
}

function coded(type) {
  const def = type._def;
  const ref = /\$defs\/(\w+)/.exec(def.description ?? '');
  if (ref) return ref[1];
  switch (def.typeName) {
    case 'ZodObject': return Object.fromEntries(Object.entries(type.shape).filter(([k]) => k !== 'accessibility' && k !== 'weight').sort()
      .map(([k, v]) => [k + (v._def.typeName === 'ZodOptional' ? '?' : ''), coded(v)]));
    case 'ZodOptional': return coded(def.innerType);
    case 'ZodArray': return [coded(def.type)];
    case 'ZodEnum': return def.values;
    case 'ZodRecord': return 'record';
  }
  return def.typeName.replace('Zod', '').toLowerCase();
}

for (const { name, schema } of [DataGridApi, ProcessMapApi, FoldApi, ChartApi]) {
  test(`${name} takes what the catalog says`, () => assert.deepEqual(coded(schema), declared({ type: 'object', ...catalog.components[name] })));
}

test('what was done is taken back and done again, what is typed in one go at once', () => {
  const cells = { a: '', b: '' }, history = new History();
  const write = (cell, value) => {
    const before = cells[cell];
    cells[cell] = value;
    history.wrote(cell, before, value, (other) => { cells[cell] = other; return true; });
  };
  write('a', 'x');
  write('a', 'xy');
  write('b', 'z');
  write('a', 'xyz'); // after another cell: a deed of its own
  history.together(() => { write('a', ''); write('b', ''); });
  history.quietly(() => write('b', 'unseen'));
  const seen = [];
  while (history.undo()) seen.push(`${cells.a} ${cells.b}`);
  assert.deepEqual(seen, ['xyz z', 'xy z', 'xy ', ' ']);
  while (history.redo());
  assert.deepEqual(cells, { a: '', b: '' });
  history.undo();
  write('a', 'new');
  assert.equal(history.redo(), false, 'what was done since has no way back to it');
  history.push({ undo: () => false, redo: () => true });
  assert.equal(history.undo(), false);
  assert.equal(history.undo(), false, 'what cannot be taken back yet stays');
  for (let i = 0; i < 500; i++) history.push({ undo: () => true, redo: () => true });
  assert.equal(history.done.length, 200);
  history.renamed('r4', 'r5');
  history.renamed('r5', 'r4');
  assert.equal(history.now('r4'), 'r4');
  assert.equal(history.now('r5'), 'r4');
});

test('what another person wrote since is not taken back', () => {
  const data = new Map(), history = new History();
  const context = { dataContext: { dataModel: { get: (p) => data.get(p), set: (p, v) => data.set(p, v) } } };
  const rows = new Rows(context, { cells: { path: '/t' }, ids: ['r1'], columns: [column('text'), { ...column('text'), name: 'b' }] }, history);
  rows.set('r1', 'b', 'mine');
  rows.set('r1', 'a', 'a');
  data.set('/t/r1/a', 'theirs');
  assert.equal(history.undo(), true);
  assert.equal(data.get('/t/r1/a'), 'theirs');
  history.undo();
  assert.equal(data.get('/t/r1/b'), '', 'the deed before');
  data.set('/t/r1/b', 'theirs');
  history.redo();
  assert.equal(data.get('/t/r1/b'), 'theirs');
  data.delete('/t/r1/b');
  history.undo();
  history.redo();
  assert.equal(data.get('/t/r1/b'), 'mine', 'a row that is empty again');
});

test('Escape takes back what was typed here, unless another value came', () => {
  const data = new Map([['a', 'was']]);
  const table = bare({ before: { place: 'a', value: 'was', wrote: undefined }, rows: { get: (_, c) => data.get(c), set: (_, c, v) => data.set(c, v), place: (_, c) => c } });
  assert.equal(table.typed('r1', 'a'), false);
  table.set('r1', 'a', 'new');
  assert.equal(table.typed('r1', 'a'), true);
  data.set('a', 'theirs');
  assert.equal(table.typed('r1', 'a'), false);
  table.set('r1', 'b', 'theirs');
  assert.equal(table.typed('r1', 'a'), false, 'another cell was written');
});

/** What an input of a date is without a browser: it takes dates only. */
class DateInput {
  #value = '';
  type = 'text';
  classList = { add: () => {} };
  addEventListener() {}
  append() {}
  getAttribute() { return null; }
  setAttribute() {}
  removeAttribute() {}
  getRootNode() { return { activeElement: this.focused ? this : null }; }
  get value() { return this.type === 'date' && !/^\d{4}-\d\d-\d\d$/.test(this.#value) ? '' : this.#value; }
  set value(text) { this.#value = text; }
}

test('a date that its picker cannot show stands there as text', (t) => {
  const { document } = globalThis;
  globalThis.document = { createElement: () => new DateInput() };
  t.after(() => { globalThis.document = document; });
  const control = new Control(column('date'), () => {}), { field } = control;
  const show = (value) => {
    control.show(value, '', '', '', '');
    return `${field.type} ${field.value}`;
  };
  assert.equal(show('2026-12-31T08:00'), 'date 2026-12-31');
  assert.equal(show('31.12.2026'), 'text 31.12.2026');
  assert.equal(show('31.12.2026'), 'text 31.12.2026');
  assert.equal(control.value, '31.12.2026');
  field.focused = true;
  field.value = '2027-01-01';
  assert.equal(show('2027-01-01'), 'text 2027-01-01', 'while it is typed');
  field.focused = false;
  assert.equal(show('2027-01-01'), 'date 2027-01-01');
  assert.equal(show('soon'), 'text soon');
  assert.equal(show(''), 'date ');
});

test('rows in view, the one that is held, and spaces for the others', () => {
  const sizes = Array.from({ length: 100 }, () => 10);
  assert.deepEqual(within(sizes, 95, 130), { from: 9, to: 13 });
  assert.deepEqual(within(sizes, -50, 20), { from: 0, to: 2 });
  assert.deepEqual(within(sizes, 5000, 5100), { from: 100, to: 100 });
  const all = parts(sizes, { from: 9, to: 11 }, 50, 200, 30);
  assert.deepEqual(all, [{ px: 290 }, { row: 9 }, { row: 10 }, { px: 390 }, { row: 50 }, { px: 520 }]);
  assert.deepEqual(parts([10], { from: 0, to: 1 }, undefined, 0, 0), [{ row: 0 }]);
});

test('keys of a long table', () => {
  const s = { anchor: { row: 50, column: 1 }, head: { row: 50, column: 1 } }, size = { rows: 100, columns: 2, page: 20 };
  const go = (key, more = {}) => pressed(s, size, { key, ...more }, { line: true, atStart: false, atEnd: false, changed: false })?.to?.row;
  assert.deepEqual([go('PageDown'), go('PageUp'), go('End', { ctrlKey: true }), go('Home', { ctrlKey: true }), go('End')], [70, 30, 99, 0, undefined]);
});

test('lanes: steps of one owner side by side, nobody last, none over another', () => {
  const owner = { a: 'X', b: 'Y', c: 'X', d: '' };
  const edges = [['a', 'b'], ['a', 'c'], ['b', 'd']].map(([from, to], i) => ({ id: String(i), from, to, label: '' }));
  for (const across of [true, false]) {
    const plan = layout(['a', 'b', 'c', 'd'], edges, across, (id) => owner[id]);
    assert.deepEqual(plan.lanes.map((l) => l.name), ['X', 'Y', '']);
    for (const b of plan.boxes) {
      const lane = plan.lanes.find((l) => l.name === owner[b.id]);
      assert.ok(b.x >= lane.x && b.x + box.width <= lane.x + lane.width && b.y >= lane.y && b.y + box.height <= lane.y + lane.height, `${b.id} in its lane`);
      assert.ok(b.x + box.width <= plan.width && b.y + box.height <= plan.height, `${b.id} in the picture`);
      for (const o of plan.boxes) assert.ok(o === b || o.x >= b.x + box.width || b.x >= o.x + box.width || o.y >= b.y + box.height || b.y >= o.y + box.height, `${b.id} beside ${o.id}`);
    }
  }
});

test('an arrow key goes to the nearest in its direction', () => {
  const points = [{ id: 'a', x: 0, y: 0 }, { id: 'b', x: 100, y: 10 }, { id: 'c', x: 50, y: 90 }, { id: 'd', x: 300, y: 0 }];
  assert.deepEqual([toward(points, 'a', 1, 0), toward(points, 'b', 1, 0), toward(points, 'a', 0, 1), toward(points, 'a', -1, 0), toward(points, 'x', 1, 0)], ['b', 'd', 'c', undefined, undefined]);
});
