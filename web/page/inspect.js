// The inspector: the conversations, and of one its turns: a slider through them, and of one
// turn what changed, what was sent, what is seen, what models said, and what went wrong.

import { ask, el, frame, must, problems, renderings, request, say, screen, tabs, tree } from './inspectshow.js';
/** @import { Child, Found, Rendering } from './inspectshow.js' */

/** @typedef {{ n: number; at: string; event?: string; summary: string; outcome?: string; code?: string; mode?: string; changes?: { surface: string; kind: string }[]; problems?: number; attempts?: number; tokens_in?: number; tokens_out?: number; llm_ms?: number; total_ms?: number }} Row */
/** @typedef {{ path: string; op: string; before?: unknown; after?: unknown }} Difference */
/** @typedef {{ for: string; provider?: string; model?: string; code?: string; attempts?: { response_format: string; repair?: boolean; code?: string; ms: number; tokens_in?: number; tokens_out?: number }[]; prompt?: { system: string; messages: { role: string; text: string }[]; tokens: number }; repairs?: { attempt: number; messages: { role: string; text: string }[] }[]; answer?: { text?: string; directives?: unknown; warnings?: Found[]; route?: unknown; steps?: { text?: string; calls?: string[]; tool?: string; code?: string }[] } }} Run */
/** @typedef {Row & { sent?: unknown; decision?: { action: string; tool?: string; confidence: number; form?: string; why: string }; ops: unknown; text?: string; toasts?: string[]; found?: Found[]; runs?: Run[]; diff?: Difference[]; state: unknown; renderings: Rendering[]; html: string; cut?: string[]; trace?: unknown }} Turn */
/** @typedef {{ conversation: string; title: string; seq: number; floor: number; turns: Row[] }} Timeline */

const main = must('inspect-main');
const query = new URLSearchParams(location.search);
const conversation = query.get('conversation');
const follows = 2000; // milliseconds between two looks for new turns

if (query.has('panel')) { // beside the conversation, in its page
  document.body.classList.add('inspect-panel');
  for (const link of document.querySelectorAll('header a')) link.setAttribute('target', '_blank');
}

run(conversation ? () => open(conversation) : () => list());

/** @param {() => Promise<void>} act */
async function run(act) {
  try {
    await act();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} at */
const clock = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** Lists the conversations, the newest first. */
async function list() {
  must('inspect-about').textContent = 'Conversations';
  const rows = el('ul', { class: 'inspect-list' });
  const more = el('button', { type: 'button', hidden: true }, 'Older');
  let before = '';
  const load = async () => {
    const page = await ask(`/conversations?before=${encodeURIComponent(before)}`);
    for (const c of page.conversations) {
      rows.append(el('li', {}, el('a', { href: `?conversation=${encodeURIComponent(c.id)}` }, c.title || 'Nothing was said'), el('span', { class: 'inspect-note' }, `${new Date(c.created).toLocaleString()} · ${c.id}`)));
    }
    before = page.next ?? '';
    more.hidden = !before;
  };
  more.addEventListener('click', () => run(load));
  await load();
  main.replaceChildren(rows.children.length ? rows : el('p', { class: 'inspect-note' }, 'There are no conversations yet.'), more);
}

/**
 * Shows one conversation.
 * @param {string} id
 */
async function open(id) {
  const at = `/conversations/${encodeURIComponent(id)}`;
  /** @type {Timeline} */
  let log = await ask(at);
  let older = /** @type {Row[]} */ ([]); // turns before those of log
  let now = 0; // the turn that is shown
  let tab = 'Screen';
  let playing = 0;
  let asked = 0; // counts, so that a late answer is dropped

  const slider = el('input', { type: 'range', min: 1, max: 1, id: 'inspect-slider', 'aria-label': 'Turn' });
  const count = el('output', { for: 'inspect-slider' });
  const play = el('button', { type: 'button', 'aria-pressed': 'false' }, 'Play');
  const back = el('button', { type: 'button', 'aria-label': 'Turn before' }, '‹');
  const on = el('button', { type: 'button', 'aria-label': 'Next turn' }, '›');
  const earlier = el('button', { type: 'button', class: 'inspect-earlier', hidden: true }, 'Earlier turns');
  const turns = el('ol', { class: 'inspect-turns' });
  const detail = el('section', { class: 'inspect-read', 'aria-label': 'Turn' });
  const report = el('button', { type: 'button' }, 'Bug report');
  must('inspect-about').textContent = log.title || id;
  document.querySelector('.inspect-bar nav')?.append(report);
  main.className = 'inspect-conversation';
  main.replaceChildren(el('div', { class: 'inspect-replay', role: 'group', 'aria-label': 'Replay' }, back, slider, on, count, play),
    el('nav', { class: 'inspect-timeline', 'aria-label': 'Turns' }, earlier, turns), detail);

  const first = () => (older[0] ?? log.turns[0])?.n || 1;
  const last = () => log.seq;
  const all = () => [...older, ...log.turns];

  /** @param {Row} r */
  const row = (r) => {
    const button = el('button', { type: 'button', 'data-n': r.n, disabled: !r.n },
      el('span', { class: 'inspect-n' }, r.n || '…'), el('span', { class: 'inspect-what' }, r.summary || r.event || 'turn'),
      el('span', { class: 'inspect-note' }, [clock(r.at), r.event, r.outcome && r.outcome !== 'done' ? `${r.outcome} ${r.code ?? ''}`.trim() : '',
        r.attempts ? `${r.attempts} model request${r.attempts === 1 ? '' : 's'}${r.tokens_in ? `, ${r.tokens_in + (r.tokens_out ?? 0)} tokens` : ''}` : '', r.total_ms ? `${Math.round(r.total_ms)} ms` : ''].filter(Boolean).join(' · ')),
      r.problems ? el('span', { class: 'inspect-badge', title: 'problems' }, r.problems) : undefined);
    button.addEventListener('click', () => run(() => show(r.n)));
    return el('li', { class: r.outcome === 'failed' || r.outcome === 'refused' ? 'inspect-failed' : undefined }, button);
  };

  const drawTurns = () => {
    turns.replaceChildren(...all().map(row));
    slider.min = String(first());
    slider.max = String(Math.max(last(), 1));
    earlier.hidden = first() <= log.floor + 1;
    mark();
  };

  const mark = () => {
    for (const button of turns.querySelectorAll('button')) {
      const here = Number(button.dataset.n) === now && now > 0;
      if (here) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      if (here) button.scrollIntoView({ block: 'nearest' });
    }
    slider.value = String(now);
    slider.setAttribute('aria-valuetext', `Turn ${now} of ${last()}`);
    count.textContent = last() ? `${now} of ${last()}` : '';
    back.disabled = now <= first();
    on.disabled = now >= last();
  };

  /**
   * Shows a turn.
   * @param {number} n
   */
  const show = async (n) => {
    if (n < first() || n > last()) return;
    now = n;
    mark();
    const mine = ++asked;
    /** @type {Turn} */
    const turn = await ask(`${at}/turns/${n}`);
    if (mine !== asked) return;
    say('');
    history.replaceState(null, '', `#turn=${n}`);
    const focused = document.activeElement?.id ?? '';
    detail.replaceChildren(head(turn), ...tabs(panels(turn), tab, (name) => { tab = name; }));
    if (focused.startsWith('inspect-tab')) document.getElementById(focused)?.focus();
  };

  const stop = () => {
    clearInterval(playing);
    playing = 0;
    play.setAttribute('aria-pressed', 'false');
    play.textContent = 'Play';
  };
  play.addEventListener('click', () => {
    if (playing) return stop();
    play.setAttribute('aria-pressed', 'true');
    play.textContent = 'Stop';
    if (now >= last()) void run(() => show(first()));
    playing = window.setInterval(() => (now < last() ? void run(() => show(now + 1)) : stop()), 1000);
  });
  let settle = 0;
  slider.addEventListener('input', () => {
    now = Number(slider.value);
    mark();
    clearTimeout(settle);
    settle = window.setTimeout(() => void run(() => show(now)), 120);
  });
  back.addEventListener('click', () => run(() => show(now - 1)));
  on.addEventListener('click', () => run(() => show(now + 1)));
  earlier.addEventListener('click', () => run(async () => {
    const part = /** @type {Timeline} */ (await ask(`${at}?before=${first()}`));
    older = [...part.turns.filter((r) => r.n), ...older];
    drawTurns();
  }));
  report.addEventListener('click', () => run(async () => {
    const file = URL.createObjectURL(await (await request(`${at}/report`)).blob());
    el('a', { href: file, download: 'limn-report.json' }).click();
    URL.revokeObjectURL(file);
    say('The report hides values of fields, messages and answers. Read it before you send it.');
  }));
  document.addEventListener('keydown', (event) => {
    const in_ = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || in_.matches('input, textarea, select')) return;
    const step = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 }[event.key];
    if (step) {
      event.preventDefault();
      void run(() => show(now + step));
    }
    if (/^[1-5]$/.test(event.key)) /** @type {HTMLElement | null} */ (document.getElementById(`inspect-tab-${Number(event.key) - 1}`))?.click();
  });

  drawTurns();
  if (!last()) detail.replaceChildren(el('p', { class: 'inspect-note' }, 'Nothing has happened in it.'));
  const from = Number(/#turn=(\d+)/.exec(location.hash)?.[1]);
  await show(from >= first() && from <= last() ? from : last());
  let lost = false; // the last look for new turns failed
  setInterval(() => void run(async () => {
    if (document.hidden) return;
    const was = last();
    const waits = log.turns.some((r) => !r.n);
    const answer = await request(`${at}?since=${waits ? 0 : was}`).catch((error) => {
      lost = true;
      throw error;
    });
    if (lost) say('');
    lost = false;
    if (answer.status === 204) return;
    /** @type {Timeline} */
    const next = await answer.json();
    const begins = next.turns[0]?.n || Infinity;
    const before = all().filter((r) => r.n && r.n < begins);
    older = begins === Infinity || before.at(-1)?.n === begins - 1 ? before : []; // no gap
    log = next;
    drawTurns();
    if (now === was && log.seq > was) await show(log.seq);
  }), follows);
}

/** @param {Turn} t */
function head(t) {
  /** @param {string} name @param {Child} value */
  const fact = (name, value) => (value ? [el('dt', {}, name), el('dd', {}, value)] : []);
  const d = t.decision;
  return el('div', { class: 'inspect-head' }, el('h2', {}, `Turn ${t.n}`, el('span', { class: 'inspect-note' }, ` ${t.event ?? 'event'}, ${new Date(t.at).toLocaleString()}`)),
    el('dl', {}, ...fact('Event', t.summary), ...(d ? fact('Routed', `${[d.action, d.tool].filter(Boolean).join(' ')}, confidence ${d.confidence}. ${d.why}${d.form ? `. The message has a phrase of the form ${d.form}` : ''}`) : []),
      ...fact('Outcome', [t.outcome, t.code].filter(Boolean).join(' ')), ...fact('Said', t.text), ...fact('Surfaces', (t.changes ?? []).map((c) => `${c.surface} ${c.kind}`).join(', '))),
    ...(t.cut ?? []).map((c) => el('p', { class: 'inspect-note' }, `Shortened: ${c}`)));
}

/** @param {Turn} t */
function panels(t) {
  const changed = new Map((t.diff ?? []).filter((d) => d.op !== 'remove').map((d) => [d.path, d.op]));
  return [
    { name: 'Screen', draw: () => [el('div', { class: 'inspect-columns inspect-two' }, el('section', { 'aria-label': 'HTML' }, el('h3', {}, 'HTML'), frame(t.html)),
      el('section', { 'aria-label': 'Simulated renderer' }, el('h3', {}, `Simulated renderer, A2UI ${t.renderings[1]?.target ?? ''}`), t.renderings[1] ? screen(t.renderings[1]) : ''))] },
    { name: 'State', draw: () => [el('h3', {}, 'What changed'), differences(t.diff ?? []), el('h3', {}, 'State after the turn'), tree(t.state, changed), el('h3', {}, 'Ops'), tree(t.ops), t.sent ? el('h3', {}, 'Event') : '', t.sent ? tree(t.sent) : ''] },
    { name: 'Messages', draw: () => renderings(t.renderings) },
    { name: 'Model', badge: t.attempts, draw: () => models(t) },
    { name: 'Problems', badge: t.found?.length, draw: () => problems(t.found ?? []) },
  ];
}

/** @param {Difference[]} list */
function differences(list) {
  if (!list.length) return el('p', { class: 'inspect-note' }, 'Nothing.');
  const names = /** @type {Record<string, string>} */ ({ add: 'new', remove: 'gone', replace: 'changed' });
  return el('table', { class: 'inspect-diff' }, el('thead', {}, el('tr', {}, ...['How', 'Path', 'Before', 'After'].map((h) => el('th', { scope: 'col' }, h)))),
    el('tbody', {}, ...list.map((d) => el('tr', { class: `inspect-${d.op}` }, el('td', {}, names[d.op]), el('td', {}, el('code', {}, d.path)), el('td', {}, short(d.before)), el('td', {}, short(d.after))))));
}

/** @param {unknown} v */
function short(v) {
  if (v === undefined) return '';
  const text = JSON.stringify(v);
  return text.length > 240 ? `${text.slice(0, 240)}…` : text;
}

/** @param {Turn} t */
function models(t) {
  if (!t.runs?.length) return [el('p', { class: 'inspect-note' }, 'No model was asked.')];
  return t.runs.flatMap((r) => [el('h3', {}, `For the ${r.for}: ${[r.provider, r.model].filter(Boolean).join(' ') || 'model'}`),
    el('table', { class: 'inspect-diff inspect-attempts' }, el('thead', {}, el('tr', {}, ...['Attempt', 'Tokens in', 'Tokens out', 'ms', 'Code'].map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, ...(r.attempts ?? []).map((a) => el('tr', {}, el('td', {}, a.response_format + (a.repair ? ', repair' : '')), el('td', {}, a.tokens_in ?? 0), el('td', {}, a.tokens_out ?? 0), el('td', {}, Math.round(a.ms)), el('td', {}, a.code ? el('code', {}, a.code) : ''))))),
    ...answer(r), ...prompt(r)]);
}

/** @param {Run} r */
function answer(r) {
  const a = r.answer;
  if (!a) return [el('h4', {}, 'Answer'), el('p', { class: 'inspect-note' }, 'It is not kept any more, or there was none.')];
  return [el('h4', {}, 'Answer'), a.text ? text('Answer', a.text) : '', a.directives ? tree(a.directives) : '', a.route ? tree(a.route) : '',
    ...(a.steps ?? []).map((s) => text(s.tool ? `Result of ${s.tool}` : 'Step', [s.text, ...(s.calls ?? [])].filter(Boolean).join('\n'))), ...(a.warnings?.length ? problems(a.warnings) : [])];
}

/** @param {{ role: string; text: string }} m */
const said = (m) => el('div', {}, el('p', { class: 'inspect-where' }, m.role), text(m.role, m.text));

/** @param {Run} r */
function prompt(r) {
  const p = r.prompt;
  if (!p) return [];
  return [el('h4', {}, `Prompt, about ${p.tokens} tokens`), el('p', { class: 'inspect-note' }, 'Composed again from the log: the first request, without files and tools.'),
    el('details', {}, el('summary', {}, 'system'), text('system', p.system)), ...p.messages.map(said),
    ...(r.repairs ?? []).flatMap((one) => [el('h4', {}, `Attempt ${one.attempt + 1}, a repair: the request before it, and`), ...one.messages.map(said)])];
}

/**
 * @param {string} name
 * @param {string} words
 */
function text(name, words) { return el('pre', { tabindex: 0, 'aria-label': name, class: 'inspect-words' }, words); }

