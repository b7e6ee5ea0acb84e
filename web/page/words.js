// What the scripts say: the app's words, which the server wrote on the body.

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset.words ?? '{}');

/**
 * Returns the word under a key, with the values filled in for {name}.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function word(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/**
 * Whether there is a word under a key.
 * @param {string} key
 * @returns {boolean}
 */
export const has = (key) => key in words;
