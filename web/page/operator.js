// The page of all conversations for operators: it is asked for again when the server says
// that it changed, and says who waits in its title and, if the operator wants that, by a notification.

const every = 60_000; // milliseconds: a hint that was lost is found then
const away = 5_000; // while there is no stream
const place = /** @type {HTMLElement} */ (document.getElementById('limn-all'));
const waits = /** @type {HTMLElement} */ (document.getElementById('limn-waits'));
const notify = /** @type {HTMLButtonElement} */ (document.getElementById('limn-notify'));
const title = document.title;
/** @type {typeof window.Notification | undefined} */
const Notice = window.Notification; // not where the page came without TLS

let known = new Set(waiting());
mark();

/** The addresses of the conversations whose users wait. */
function waiting() {
  return [...place.querySelectorAll('[data-waiting] a')].map((a) => /** @type {HTMLAnchorElement} */ (a).href);
}

function mark() {
  document.title = known.size ? `(${known.size}) ${title}` : title;
  notify.hidden = Notice?.permission !== 'default';
}

notify.addEventListener('click', async () => {
  await Notice?.requestPermission();
  mark();
});

/** Shows what another answer of the server has, and keeps the focus. @param {Document} fresh */
function show(fresh) {
  const now = fresh.getElementById('limn-all'), said = fresh.getElementById('limn-waits')?.textContent ?? '';
  if (!now) return; // signed out: the next click says so
  if (waits.textContent !== said) waits.textContent = said;
  if (now.innerHTML !== place.innerHTML) {
    const at = /** @type {HTMLAnchorElement | null} */ (place.contains(document.activeElement) ? document.activeElement : null)?.href;
    place.replaceChildren(...document.importNode(now, true).childNodes);
    if (at) [...place.querySelectorAll('a')].find((a) => a.href === at)?.focus();
  }
  const list = waiting(), come = list.find((at) => !known.has(at));
  known = new Set(list);
  mark();
  if (come !== undefined && document.hidden && Notice?.permission === 'granted') {
    const note = new Notice(said, { tag: 'limn-waits', body: [...place.querySelectorAll('a')].find((a) => a.href === come)?.textContent ?? '' });
    note.onclick = () => {
      window.focus();
      location.href = come;
    };
  }
}

let asked = 0; // the newest answer counts

async function again() {
  const mine = ++asked;
  let ok = false;
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    const text = await answer.text();
    ok = answer.ok;
    if (ok && mine === asked) show(new DOMParser().parseFromString(text, 'text/html'));
  } catch {
    // the network is away: the next time
  }
  later(ok);
}

let timer = 0;
/** @param {boolean} [ok] the list is the newest */
function later(ok = false) {
  clearTimeout(timer);
  timer = window.setTimeout(() => void again(), ok && changes.readyState === EventSource.OPEN ? every : away);
}

const changes = new EventSource(place.dataset.changes ?? '');
for (const type of ['open', 'message']) changes.addEventListener(type, () => void again()); // open: what came before it is missing
changes.addEventListener('error', () => later());
document.addEventListener('visibilitychange', () => document.hidden || void again());
later();
