// The name of a tab in stamps.

/**
 * The name of this tab: the same after a reload. A tab that was duplicated begins with a copy
 * of what the first has stored, which says that the name is in use: it takes another one.
 */
export function actorOf(conversation: string): string {
  const key = `limn:actor:${conversation}`, open = `${key}:open`;
  const kept = stored((s) => (s.getItem(open) ? null : s.getItem(key)));
  const name = kept || `r-${Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(16).padStart(2, '0')).join('')}`;
  const use = (): unknown => stored((s) => s.setItem(open, 'true'));
  stored((s) => s.setItem(key, name));
  use();
  addEventListener('pageshow', use);
  addEventListener('pagehide', () => stored((s) => s.removeItem(open)));
  return name;
}

/** Runs with the storage of this tab, if that is allowed. */
function stored<T>(run: (storage: Storage) => T): T | undefined {
  try {
    return run(sessionStorage);
  } catch {
    return undefined; // a new name each time
  }
}
