// Elements without a template language.

/**
 * Makes an element: properties, attributes in kebab case or with a prefix, children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, unknown>} [with_]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, with_ = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(with_)) put(made, key, value);
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} [with_]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function svg(name, with_ = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(with_)) if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Sets a property or an attribute, if it is another. @param {any} element @param {string} key @param {unknown} value */
export function put(element, key, value) {
  if (key.includes('-') || key === 'role') {
    if (value === undefined || value === '' || value === false) element.removeAttribute(key);
    else if (element.getAttribute(key) !== String(value)) element.setAttribute(key, String(value));
  } else if (element[key] !== value) {
    element[key] = value;
  }
}

/** Gives a place exactly these children, moving as few as it can. @param {Element} place @param {Node[]} children */
export function arrange(place, children) {
  const keep = new Set(children);
  for (const old of [...place.childNodes]) if (!keep.has(old)) old.remove();
  children.forEach((child, i) => {
    if (place.childNodes[i] !== child) place.insertBefore(child, place.childNodes[i] ?? null);
  });
}

/** The element with the focus where an element is: its document, or its shadow root. @param {Node} element */
export const focused = (element) => /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;

/** @param {string} text @param {Record<string, string | number>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
