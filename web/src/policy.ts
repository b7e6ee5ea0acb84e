// What lets the pages run under `default-src 'self'`, without any inline style.
// Imported before the package it is for.

/** Lit writes bound style attributes with setAttribute, which the policy forbids;
 *  the same text through the style object is allowed and does the same. */
export function styleByObject(): void {
  const set = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name: string, value: string): void {
    if (name === 'style' && this instanceof HTMLElement) this.style.cssText = value;
    else set.call(this, name, value);
  };
}

/** Turbo puts the <style> of its progress bar, which this page never shows, into
 *  the head as soon as it is loaded. Returns what ends the prevention. */
export function noStyleElements(): () => void {
  const head = document.head as { insertBefore?: typeof document.head.insertBefore };
  head.insertBefore = <T extends Node>(node: T, child: Node | null): T =>
    node instanceof HTMLStyleElement ? node : Node.prototype.insertBefore.call(document.head, node, child) as T;
  return () => delete head.insertBefore;
}
