// What a key means, where browsers differ.

/**
 * Whether a key belongs to an input method. Safari ends a composition before the key that ends it, which has this code.
 * @param {KeyboardEvent} event
 */
export const composes = (event) => event.isComposing || event.keyCode === 229;

/**
 * Whether a key goes towards the beginning of a text or a list.
 * @param {KeyboardEvent} event
 * @param {Element} element
 */
export const goesBack = (event, element) => (event.key === 'ArrowLeft') !== (getComputedStyle(element).direction === 'rtl');
