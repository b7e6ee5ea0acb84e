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
