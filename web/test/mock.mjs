// A tiny stand-in for a limn server: the page contract, the stream and one
// table form in all three drawings, in memory. For working on the browser side
// alone; the scenarios are written for the real server.
//
//   node test/mock.mjs [port]

import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const basic = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';
const rows = ['r1', 'r2', 'r3', 'r4'];
const columns = [['name', 'Name', true], ['role', 'Role', false]];
const wire = 'table:stakeholders#e=1';
const esc = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

// The policies under test: one for each kind of page.
export const policy = {
  html: "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'v0.9': "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'v0.8': "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

export function mock() {
  const conversations = new Map();
  const errors = []; // envelopes of client errors, for the tests

  const fresh = (id) => ({ id, log: randomUUID().slice(0, 8), seq: 0, frames: [], transcript: [], form: null, streams: new Set() });

  function commit(c, { text, transcript = [], draw = () => ({}), toasts = [], outcome = {} }) {
    c.seq++;
    const entries = transcript.map((e) => ({ seq: c.seq, ...e }));
    c.transcript.push(...entries);
    const drawn = draw();
    const frame = { seq: c.seq, text, transcript: entries, toasts, outcome, drawn };
    c.frames.push(frame);
    for (const s of c.streams) s.send(frame);
    return frame;
  }

  function message(c, text) {
    if (!c.form && /stakeholder|\b\d+\b/.test(text)) {
      c.form = { values: Object.fromEntries(rows.map((r) => [r, { name: '', role: '' }])), errors: {}, rev: 1, status: 'open', note: '' };
      return commit(c, {
        text: 'I have opened a table for that.', transcript: [{ role: 'user', text }, { role: 'assistant', text: 'I have opened a table for that.' }],
        draw: () => ({ html: [`<turbo-stream action="append" target="limn-surfaces"><template>${html(c)}</template></turbo-stream>`], 'v0.9': v09(c), 'v0.8': v08(c) }),
      });
    }
    if (c.form && /^nudge/.test(text)) {
      c.form.note = `Note ${c.seq + 1}: ${text}`;
      c.form.rev++;
      return commit(c, { text: 'Nudged.', transcript: [{ role: 'user', text }, { role: 'assistant', text: 'Nudged.' }], toasts: ['Updated'], draw: () => update(c) });
    }
    return commit(c, { text: 'I am here.', transcript: [{ role: 'user', text }, { role: 'assistant', text: 'I am here.' }] });
  }

  function submit(c, values) {
    const f = c.form;
    if (!f || f.status !== 'open') return null;
    for (const r of rows) for (const [k] of columns) f.values[r][k] = String(values?.[r]?.[k] ?? '');
    f.errors = {};
    rows.forEach((r, i) => { if (!f.values[r].name.trim()) f.errors[`${r}/name`] = `Name, row ${i + 1} is required.`; });
    f.rev++;
    const wrong = Object.entries(f.errors);
    if (wrong.length) {
      const message = `Please check: ${wrong.map(([, m]) => m).join(' ')}`;
      return commit(c, { text: message, transcript: [{ role: 'assistant', text: message }], draw: () => update(c), outcome: { kind: 'asked', surface: 'table:stakeholders', path: `/draft/stakeholders/${wrong[0][0]}`, message } });
    }
    f.status = 'submitted';
    return commit(c, { text: 'Saved. Thank you.', transcript: [{ role: 'assistant', text: 'Saved. Thank you.' }], draw: () => update(c), outcome: { kind: 'done', surface: 'table:stakeholders', message: 'Saved. Thank you.' } });
  }

  // --- HTML ---
  const pre = 'limn-tableCstakeholdersE1';
  function cell(f, r, k, label, i) {
    const id = `${pre}ISstakeholdersS${r}S${k}`;
    return `<td><div class="limn-input" id="${pre}WSstakeholdersS${r}S${k}-0" data-turbo-permanent><label class="limn-hidden" for="${id}">${label}, row ${i + 1}</label><input id="${id}" name="/draft/stakeholders/${r}/${k}" aria-describedby="${pre}RSstakeholdersS${r}S${k}" value="${esc(f.values[r][k])}" autocomplete="off"></div>` +
      `<p class="limn-error" id="${pre}RSstakeholdersS${r}S${k}" data-for="${id}">${esc(f.errors[`${r}/${k}`] ?? '')}</p></td>`;
  }
  function html(c) {
    const f = c.form;
    const body = `<table><thead><tr><th scope="col">#</th>${columns.map(([, l]) => `<th scope="col">${l}</th>`).join('')}</tr></thead><tbody>` +
      rows.map((r, i) => `<tr><th scope="row">${i + 1}</th>${columns.map(([k, l]) => cell(f, r, k, l, i)).join('')}</tr>`).join('') + '</tbody></table>';
    const inner = f.status === 'open'
      ? `<form class="limn-form" method="post" action="/c/${c.id}/actions" novalidate><input type="hidden" name="limn_surface" value="${wire}"><input type="hidden" name="limn_nonce" value="n1">` +
        `<div class="limn-summary" role="alert" id="${pre}M"></div><div class="limn-column"><p id="${pre}note">${esc(f.note)}</p><div class="limn-table">${body}</div><button class="limn-button limn-primary" name="limn_component" value="c#submit:Button">Submit</button></div>` +
        `<input type="hidden" autocomplete="off" name="limn_rev" id="${pre}V" value="${f.rev}"></form>`
      : `<p class="limn-answered">✓ Answered</p><fieldset class="limn-locked" disabled>${body}</fieldset>`;
    return `<turbo-frame id="${wire}" target="_top"><section class="limn-surface limn-${f.status}" aria-labelledby="${pre}T"><h2 class="limn-title" id="${pre}T">Stakeholders</h2>${inner}</section></turbo-frame>`;
  }
  function update(c) {
    const f = c.form;
    const stream = (action, target, body) => `<turbo-stream action="${action}" target="${target}"><template>${body}</template></turbo-stream>`;
    const out = [];
    if (f.status !== 'open' || /whole/.test(f.note)) out.push(stream('replace', wire, html(c)));
    else {
      out.push(stream('update', `${pre}note`, esc(f.note)));
      for (const r of rows) for (const [k] of columns) out.push(stream('update', `${pre}RSstakeholdersS${r}S${k}`, esc(f.errors[`${r}/${k}`] ?? '')));
      const list = Object.values(f.errors);
      out.push(stream('update', `${pre}M`, list.length ? `<p>Please check:</p><ul>${Object.entries(f.errors).map(([k, m]) => `<li><a href="#${pre}ISstakeholdersS${k.replace('/', 'S')}">${esc(m)}</a></li>`).join('')}</ul>` : ''));
      out.push(stream('replace', `${pre}V`, `<input type="hidden" autocomplete="off" name="limn_rev" id="${pre}V" value="${f.rev}">`));
    }
    return { html: out, 'v0.9': v09(c, true), 'v0.8': v08(c, true) };
  }

  // --- A2UI v0.9 ---
  function v09(c, isUpdate) {
    const f = c.form;
    const open = f.status === 'open';
    const components = [
      { id: 'root', component: 'Column', children: ['c#title:Text', 'c#note:Text', ...rows.map((r) => `c#${r}:Row`), ...(open ? ['c#submit:Button'] : ['c#done:Text'])] },
      { id: 'c#title:Text', component: 'Text', text: 'Stakeholders', variant: 'h2' },
      { id: 'c#note:Text', component: 'Text', text: f.note, variant: 'body' },
      ...(open ? [
        { id: 'c#submit:Button', component: 'Button', child: 'c#submit/l:Text', variant: 'primary', action: { event: { name: 'submit', context: { limn_nonce: 'n1', limn_rev: { path: '/ui_state/rev' }, ...Object.fromEntries(rows.flatMap((r) => columns.map(([k]) => [`${r}_${k}`, { path: `/draft/stakeholders/${r}/${k}` }]))) } } } },
        { id: 'c#submit/l:Text', component: 'Text', text: 'Submit', variant: 'body' },
      ] : [{ id: 'c#done:Text', component: 'Text', text: '✓ Answered', variant: 'body' }]),
    ];
    rows.forEach((r, i) => {
      const cells = columns.map(([k]) => `c#${r}/${k}:${open ? 'TextField' : 'Text'}`);
      const err = f.errors[`${r}/name`];
      components.push({ id: `c#${r}:Row`, component: 'Column', children: [`c#${r}/in:Row`, ...(err ? [`c#${r}/err:Text`] : [])] });
      components.push({ id: `c#${r}/in:Row`, component: 'Row', children: cells });
      if (err) components.push({ id: `c#${r}/err:Text`, component: 'Text', text: err, variant: 'caption' });
      for (const [k, l] of columns) {
        components.push(open
          ? { id: `c#${r}/${k}:TextField`, component: 'TextField', label: `${l}, row ${i + 1}`, value: { path: `/draft/stakeholders/${r}/${k}` }, variant: 'shortText' }
          : { id: `c#${r}/${k}:Text`, component: 'Text', text: `${l}: ${f.values[r][k]}`, variant: 'body' });
      }
    });
    const v = { version: 'v0.9' };
    const data = (path, value) => ({ ...v, updateDataModel: { surfaceId: wire, path, value } });
    return [
      ...(isUpdate ? [] : [{ ...v, createSurface: { surfaceId: wire, catalogId: basic } }, data('/draft', { stakeholders: f.values }), data('/ui_state', { rev: f.rev })]),
      { ...v, updateComponents: { surfaceId: wire, components } },
      ...(isUpdate ? [data('/ui_state/rev', f.rev)] : []),
    ];
  }

  // --- A2UI v0.8 ---
  function v08(c, isUpdate) {
    const f = c.form;
    const open = f.status === 'open';
    const text = (id, s, usageHint) => ({ id, component: { Text: { text: { literalString: s }, ...(usageHint ? { usageHint } : {}) } } });
    const list = (id, type, children) => ({ id, component: { [type]: { children: { explicitList: children } } } });
    const path = (r, k) => ({ path: `/draft/stakeholders/${r}/${k}/v` });
    const components = [
      list('c#root', 'Column', ['c#title', 'c#note', ...rows.map((r) => `c#${r}`), open ? 'c#submit' : 'c#done']),
      text('c#title', 'Stakeholders', 'h2'), text('c#note', f.note || 'Who should be heard?'),
    ];
    if (open) {
      components.push({ id: 'c#submit', component: { Button: { child: 'c#submit/l', primary: true, action: { name: 'submit', context: [
        { key: 'limn_nonce', value: { literalString: 'n1' } }, { key: 'limn_rev', value: { path: '/ui_state/rev/v' } },
        ...rows.flatMap((r) => columns.map(([k]) => ({ key: `${r}_${k}`, value: path(r, k) })))] } } } }, text('c#submit/l', 'Submit'));
    } else components.push(text('c#done', '✓ Answered'));
    rows.forEach((r, i) => {
      const err = f.errors[`${r}/name`];
      components.push(list(`c#${r}`, 'Column', [`c#${r}/in`, ...(err ? [`c#${r}/err`] : [])]), list(`c#${r}/in`, 'Row', columns.map(([k]) => `c#${r}/${k}/${open ? 'i' : 't'}`)));
      if (err) components.push(text(`c#${r}/err`, err, 'caption'));
      for (const [k, l] of columns) {
        components.push(open
          ? { id: `c#${r}/${k}/i`, component: { TextField: { label: { literalString: `${l}, row ${i + 1}` }, text: path(r, k), textFieldType: 'shortText' } } }
          : text(`c#${r}/${k}/t`, `${l}: ${f.values[r][k]}`));
      }
    });
    const data = (p, contents) => ({ dataModelUpdate: { surfaceId: wire, path: p, contents } });
    return [
      { surfaceUpdate: { surfaceId: wire, components } },
      ...(isUpdate ? [] : rows.flatMap((r) => columns.map(([k]) => data(`/draft/stakeholders/${r}/${k}`, [{ key: 'v', valueString: f.values[r][k] }])))),
      data('/ui_state/rev', [{ key: 'v', valueNumber: f.rev }]),
      ...(isUpdate ? [] : [{ beginRendering: { surfaceId: wire, root: 'c#root' } }]),
    ];
  }

  // --- pages ---
  const script = { html: 'html.js', 'v0.9': 'v09.js', 'v0.8': 'v08.js' };
  function pageOf(c, draw) {
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Limn</title>
<link rel="stylesheet" href="/assets/limn.css"><link rel="icon" href="data:,"><script type="module" src="/assets/${script[draw]}"></script></head>
<body data-conversation="${c.id}" data-draw="${draw}" data-stream="/v1/conversations/${c.id}/stream?format=limn&amp;version=${draw}" data-cursor="${draw === 'html' ? `${c.log}.${c.seq}.mock` : ''}" data-api="/v1/conversations/${c.id}">
<header><h1>Limn</h1><nav aria-label="Drawing"><ul>${Object.keys(script).map((d) => `<li><a href="/c/${c.id}?draw=${d}"${d === draw ? ' aria-current="page"' : ''}>${d === 'html' ? 'HTML' : `A2UI ${d}`}</a></li>`).join('')}</ul></nav><form method="post" action="/c"><button>New conversation</button></form></header>
<main id="limn"><section id="limn-chat" aria-label="Chat"><div role="log" aria-label="Conversation" tabindex="0"><ol id="limn-transcript">${c.transcript.map((e) => `<li class="limn-${e.role}" data-seq="${e.seq}">${esc(e.text)}</li>`).join('')}</ol></div>
<p id="limn-status" role="status"></p><p id="limn-ended" role="status"></p><form id="limn-message" method="post" action="/c/${c.id}/messages"><label for="limn-text">Message</label><textarea id="limn-text" name="text" rows="2"></textarea><button>Send</button></form></section>
<section id="limn-surfaces" aria-label="Forms and views">${draw === 'html' && c.form ? html(c) : ''}</section></main></body></html>`;
  }

  const server = createServer(async (req, res) => {
    const url = new URL(req.url, 'http://mock');
    const parts = url.pathname.split('/').filter(Boolean);
    let body = '';
    for await (const chunk of req) body += chunk;
    const json = (status, value, type = 'application/json') => { res.writeHead(status, { 'Content-Type': type }); res.end(JSON.stringify(value)); };
    const redirect = (to) => { res.writeHead(303, { Location: to }); res.end(); };
    if (parts[0] === 'assets') {
      try {
        const bytes = await readFile(join(dist, parts[1]));
        res.writeHead(200, { 'Content-Type': parts[1].endsWith('.css') ? 'text/css' : 'text/javascript' });
        return res.end(bytes);
      } catch { res.writeHead(404); return res.end(); }
    }
    if (!parts.length || (parts[0] === 'c' && parts.length === 1)) {
      const c = fresh(randomUUID());
      conversations.set(c.id, c);
      return redirect(`/c/${c.id}`);
    }
    if (parts[0] === 'mock') return json(200, errors);
    const c = conversations.get(parts[0] === 'c' ? parts[1] : parts[2]);
    if (!c) return json(404, { title: 'Not found', detail: 'There is no such conversation.', code: 'NOT_FOUND' }, 'application/problem+json');
    const what = parts[0] === 'c' ? `page ${parts[2] ?? ''}`.trim() : parts[3];
    if (what === 'page') {
      const draw = url.searchParams.get('draw') ?? 'html';
      res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'Content-Security-Policy': policy[draw] });
      return res.end(pageOf(c, draw));
    }
    if (what === 'page messages') { message(c, new URLSearchParams(body).get('text')); return redirect(`/c/${c.id}`); }
    if (what === 'page actions') {
      const form = new URLSearchParams(body);
      const values = {};
      for (const [name, value] of form) { const m = name.match(/^\/draft\/stakeholders\/(\w+)\/(\w+)$/); if (m) (values[m[1]] ??= {})[m[2]] = value; }
      const frame = submit(c, values);
      if (!/turbo-stream/.test(req.headers.accept ?? '')) return redirect(`/c/${c.id}`);
      if (!frame) return json(409, { title: 'Closed', detail: 'This form was answered already.', code: 'CLOSED' }, 'application/problem+json');
      res.writeHead(200, { 'Content-Type': 'text/vnd.turbo-stream.html; charset=utf-8', 'Limn-Seq': String(frame.seq) });
      return res.end(frame.drawn.html.join(''));
    }
    if (what === 'messages') { message(c, JSON.parse(body).text); return json(202, { event: randomUUID(), cursor: `${c.log}.${c.seq}.mock` }); }
    if (what === 'events') {
      const event = JSON.parse(body);
      if (event.error) { errors.push(event); return json(202, { event: randomUUID() }); }
      const action = event.action ?? event.userAction;
      const values = {};
      for (const [key, value] of Object.entries(action?.context ?? {})) { const m = key.match(/^(r\d+)_(\w+)$/); if (m) (values[m[1]] ??= {})[m[2]] = value; }
      const frame = submit(c, values);
      if (!frame) return json(409, { title: 'Closed', detail: 'This form was answered already.', code: 'CLOSED' }, 'application/problem+json');
      return json(200, { event: randomUUID(), seq: frame.seq, outcome: frame.outcome });
    }
    if (what === 'stream') {
      const draw = url.searchParams.get('version');
      const after = req.headers['last-event-id'] ?? url.searchParams.get('after') ?? '';
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      res.flushHeaders();
      const write = (id, data) => res.write(`id: ${c.log}.${id}.mock\ndata: ${JSON.stringify(data)}\n\n`);
      const send = (f) => write(f.seq, { kind: 'frame', seq: f.seq, text: f.text, transcript: f.transcript, messages: f.drawn[draw] ?? [], toasts: f.toasts, outcome: f.outcome, warnings: [] });
      const [log, seq] = after.split('.');
      if (log === c.log) c.frames.filter((f) => f.seq > Number(seq)).forEach(send);
      else {
        if (after) res.write('event: reset\ndata: {"reason":"log"}\n\n');
        const messages = !c.form ? [] : draw === 'html' ? [html(c)] : draw === 'v0.9' ? v09(c) : v08(c);
        write(c.seq, { kind: 'snapshot', seq: c.seq, transcript: c.transcript, messages, toasts: [], outcome: {}, warnings: [] });
      }
      const me = { send };
      c.streams.add(me);
      req.on('close', () => c.streams.delete(me));
      return undefined;
    }
    return json(404, { title: 'Not found' }, 'application/problem+json');
  });
  return server;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const port = Number(process.argv[2] ?? 8099);
  mock().listen(port, '127.0.0.1', () => console.log(`mock at http://127.0.0.1:${port}`));
}
