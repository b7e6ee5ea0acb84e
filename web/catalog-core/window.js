// Which rows of many are in the document: pure functions on their heights.

/**
 * The rows between two places, in px from the first.
 * @param {number[]} sizes
 * @param {number} top
 * @param {number} bottom
 * @returns {{ from: number; to: number }} the first, and after the last
 */
export function within(sizes, top, bottom) {
  let at = 0, from = 0;
  while (from < sizes.length && at + /** @type {number} */ (sizes[from]) <= top) at += /** @type {number} */ (sizes[from++]);
  let to = from;
  while (to < sizes.length && at < bottom) at += /** @type {number} */ (sizes[to++]);
  return { from, to };
}

/**
 * What a table has from above to below: rows, and spaces for those that are left out.
 * @param {number[]} sizes
 * @param {{ from: number; to: number }} view
 * @param {number | undefined} held a row that stays, wherever the view is
 * @param {number} above px before the first row
 * @param {number} below px after the last
 * @returns {({ row: number } | { px: number })[]}
 */
export function parts(sizes, view, held, above, below) {
  /** @type {({ row: number } | { px: number })[]} */
  const out = [];
  let px = above;
  sizes.forEach((size, row) => {
    if (row !== held && (row < view.from || row >= view.to)) {
      px += size;
      return;
    }
    if (px > 0) out.push({ px });
    px = 0;
    out.push({ row });
  });
  if (px + below > 0) out.push({ px: px + below });
  return out;
}
