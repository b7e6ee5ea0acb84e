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

/** React's renderer puts a style element into the head, which the policy forbids, too:
 *  its text becomes a style sheet that is adopted. */
export function stylesAdopted(): void {
  const append = Node.prototype.appendChild;
  Node.prototype.appendChild = function <T extends Node>(node: T): T {
    if (!(node instanceof HTMLStyleElement) || this !== document.head) return append.call(this, node) as T;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(node.textContent ?? '');
    document.adoptedStyleSheets.push(sheet);
    return node;
  };
}
