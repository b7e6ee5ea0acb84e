// The app of a host of MCP Apps: it shows the surfaces of a conversation as HTML. Whatever
// it shows is the server's, and asked for again whenever the page begins. It talks to its
// host by postMessage (JSON-RPC), and to the server by tools that the host calls for it.
(() => {
  'use strict';
  const place = document.getElementById('limn-surfaces');
  const status = document.getElementById('limn-status');
  const pending = new Map();
  let last = 0;
  let shown = ''; // the address of the surface; '': all of the conversation
  let busy = false;

  const post = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method, params = {}) => post({ method, params });
  const request = (method, params) => new Promise((resolve, reject) => {
    const id = ++last;
    pending.set(id, { resolve, reject });
    post({ id, method, params });
  });

  // A call of the network that failed is sent again: the server counts a click once.
  const waits = [500, 1500, 4000];
  async function call(name, args) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await request('tools/call', { name, arguments: args });
      } catch (error) {
        if (attempt === waits.length) throw error;
        await new Promise((done) => setTimeout(done, waits[attempt]));
      }
    }
  }

  const say = (text) => { status.textContent = text; };
  const words = (result) => (result.content ?? []).filter((c) => c.type === 'text').map((c) => c.text).join('\n');

  /** Shows what a tool answered. The focus goes to the first input that is wrong. */
  function show(result, moved) {
    const html = result.structuredContent?.html;
    if (typeof html !== 'string') return;
    place.innerHTML = html;
    for (const slot of place.querySelectorAll('.limn-error[data-for]')) {
      const control = document.getElementById(slot.dataset.for);
      if (control && slot.textContent) control.setAttribute('aria-invalid', 'true');
    }
    if (moved) place.querySelector('[aria-invalid=true]')?.focus();
    size();
  }

  async function load() {
    try {
      const result = await call('limn_surface', shown ? { surface: shown } : {});
      show(result);
      say(result.isError ? words(result) : '');
    } catch (error) {
      say(error.message);
    }
  }

  /** The address of the surface that a form is of. */
  const surfaceOf = (form) => {
    const id = form.querySelector('[name=limn_surface]')?.value ?? '';
    return known.get(id) ?? shown;
  };
  const known = new Map(); // wire id → address

  const remember = (result) => {
    for (const s of result.structuredContent?.surfaces ?? []) {
      known.set(decodeURIComponent(s.uri.slice(s.uri.lastIndexOf('/') + 1)), s.uri);
    }
  };

  function fields(form, button) {
    const data = new URLSearchParams();
    for (const [key, value] of new FormData(form)) if (typeof value === 'string') data.append(key, value);
    if (button?.name) data.append(button.name, button.value);
    return data.toString();
  }

  /** Presses a button of a form. */
  async function press(button) {
    if (busy) return;
    busy = true;
    clearTimeout(typing);
    const form = button.form;
    try {
      const result = await call('limn_submit', { surface: surfaceOf(form), fields: fields(form, button) });
      typed = undefined;
      remember(result);
      show(result, true);
      const outcome = result.structuredContent?.outcome;
      say(outcome === 'done' ? '' : words(result));
      if (outcome === 'done' && can.updateModelContext) {
        request('ui/update-model-context', { content: [{ type: 'text', text: words(result) }] }).catch(() => {});
      }
    } catch (error) {
      say(error.message);
    } finally {
      busy = false;
    }
  }

  // Not the event submit: a frame that may not submit forms has none.
  place.addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    if (!button?.form || button.type !== 'submit') return;
    event.preventDefault();
    void press(button);
  });

  // What is typed is kept by the server: the frame of a host has no storage of its own.
  let typing = 0;
  let typed;
  const keep = () => {
    clearTimeout(typing);
    if (!typed || busy) return;
    const form = typed;
    typed = undefined;
    if (!form.isConnected) return;
    call('limn_draft', { surface: surfaceOf(form), fields: fields(form) }).catch(() => { typed = form; });
  };
  place.addEventListener('input', (event) => {
    typed = event.target.form;
    clearTimeout(typing);
    typing = setTimeout(keep, 700);
  });
  place.addEventListener('change', keep);
  document.addEventListener('visibilitychange', () => (document.hidden ? keep() : !typed && !busy && void load()));

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link || link.getAttribute('href').startsWith('#')) return;
    event.preventDefault();
    if (can.openLinks) request('ui/open-link', { url: link.href }).catch((error) => say(error.message));
  });

  const size = () => notify('ui/notifications/size-changed', { width: document.documentElement.scrollWidth,
    height: Math.ceil(document.body.getBoundingClientRect().height) });
  new ResizeObserver(size).observe(document.body);

  const dress = (context = {}) => {
    if (context.theme) document.documentElement.style.colorScheme = context.theme;
    if (context.locale) document.documentElement.lang = context.locale;
  };

  let can = {};
  const told = {
    'ui/notifications/tool-result': (result) => {
      remember(result);
      shown = result.structuredContent?.surfaces?.[0]?.uri ?? shown;
      void load();
    },
    'ui/notifications/host-context-changed': dress,
  };

  window.addEventListener('message', (event) => {
    const m = event.data;
    if (event.source !== window.parent || !m || m.jsonrpc !== '2.0') return;
    if (m.method && m.id !== undefined) { // ping, ui/resource-teardown
      if (m.method === 'ui/resource-teardown') keep();
      post({ id: m.id, result: {} });
    } else if (m.method) {
      told[m.method]?.(m.params ?? {});
    } else if (pending.has(m.id)) {
      const { resolve, reject } = pending.get(m.id);
      pending.delete(m.id);
      if (m.error) reject(new Error(m.error.message));
      else resolve(m.result);
    }
  });

  void (async () => {
    const host = await request('ui/initialize', { protocolVersion: '2026-01-26', appCapabilities: {},
      appInfo: { name: 'limn', version: '1' } });
    can = host.hostCapabilities ?? {};
    dress(host.hostContext);
    notify('ui/notifications/initialized');
    setTimeout(() => { if (!place.firstChild && !shown) void load(); }, 300); // a host that does not say its result again
  })();
})();
