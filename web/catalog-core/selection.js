// A rectangle of cells and how keys move it: pure functions on places, not on elements.

/**
 * @typedef {object} Place
 * @property {number} row
 * @property {number} column
 */

/**
 * @typedef {object} Selection
 * @property {Place} anchor where it began
 * @property {Place} head where it ends: the cell with the focus
 */

/**
 * @typedef {object} Size
 * @property {number} rows
 * @property {number} columns
 * @property {number} [page] rows that are in view
 */

/**
 * What a key does in a cell.
 * @typedef {{ do: 'go' | 'extend'; to: Place } | { do: 'add' | 'leave' | 'undo' | 'clear' | 'up' | 'down' }} Deed
 */

/**
 * @typedef {object} Key
 * @property {string} key
 * @property {boolean} [shiftKey]
 * @property {boolean} [altKey]
 * @property {boolean} [ctrlKey]
 * @property {boolean} [metaKey]
 */

/**
 * @typedef {object} Cursor
 * @property {boolean} line one line is typed: arrows up and down are free
 * @property {boolean} atStart the caret has nothing before it
 * @property {boolean} atEnd
 * @property {boolean} changed the row was changed since the focus came into it
 */

/**
 * Enter and the arrows up and down go to the next row, Enter at the last adds one; Tab at
 * the end of a row goes on if the row was changed, else it leaves the table. Arrows leave
 * a cell at its ends, with Shift they extend the selection, with Alt they move the row. Page
 * up and down go as far as is in view, Home and End with Ctrl to the first and last row.
 * @param {Selection} now
 * @param {Size} size
 * @param {Key} key
 * @param {Cursor} cursor
 * @returns {Deed | undefined} undefined: the browser's
 */
export function pressed(now, size, key, cursor) {
  const { row, column } = now.head;
  const to = { Home: 0, End: size.rows - 1 }[key.key];
  if (to !== undefined && (key.ctrlKey || key.metaKey)) return { do: key.shiftKey ? 'extend' : 'go', to: { row: to, column } };
  if (key.ctrlKey || key.metaKey) return undefined;
  const many = !single(now);
  /** @param {number} down @param {number} right @returns {Deed | undefined} */
  const step = (down, right) => {
    const to = { row: row + down, column: column + right };
    if (to.row < 0 || to.row >= size.rows || to.column < 0 || to.column >= size.columns) return undefined;
    return { do: key.shiftKey ? 'extend' : 'go', to };
  };
  switch (key.key) {
    case 'ArrowUp':
    case 'ArrowDown': {
      const up = key.key === 'ArrowUp';
      if (key.altKey) return { do: up ? 'up' : 'down' };
      return cursor.line ? step(up ? -1 : 1, 0) : undefined;
    }
    case 'PageUp':
    case 'PageDown': {
      const to = row + (key.key === 'PageUp' ? -1 : 1) * (size.page ?? 1);
      return { do: key.shiftKey ? 'extend' : 'go', to: { row: Math.max(0, Math.min(size.rows - 1, to)), column } };
    }
    case 'ArrowLeft':
    case 'ArrowRight': {
      const left = key.key === 'ArrowLeft';
      if (key.altKey || !(left ? cursor.atStart : cursor.atEnd) && !many) return undefined;
      return step(0, left ? -1 : 1);
    }
    case 'Enter': {
      if (key.altKey || !cursor.line) return undefined;
      if (key.shiftKey) return row > 0 ? { do: 'go', to: { row: row - 1, column } } : undefined;
      return row + 1 < size.rows ? { do: 'go', to: { row: row + 1, column } } : { do: 'add' };
    }
    case 'Tab':
      if (key.shiftKey || column + 1 < size.columns) return undefined;
      return cursor.changed && row + 1 < size.rows ? { do: 'go', to: { row: row + 1, column: 0 } } : { do: 'leave' };
    case 'Escape':
      return { do: 'undo' };
    case 'Delete':
    case 'Backspace':
      return many ? { do: 'clear' } : undefined;
  }
  return undefined;
}

/** @param {Selection} s */
export const single = (s) => s.anchor.row === s.head.row && s.anchor.column === s.head.column;

/**
 * The rows and columns that a selection covers, ends included.
 * @param {Selection} s
 */
export function covers(s) {
  return {
    top: Math.min(s.anchor.row, s.head.row), bottom: Math.max(s.anchor.row, s.head.row),
    left: Math.min(s.anchor.column, s.head.column), right: Math.max(s.anchor.column, s.head.column),
  };
}

/** @param {Selection} s @param {Place} at */
export function has(s, at) {
  const c = covers(s);
  return at.row >= c.top && at.row <= c.bottom && at.column >= c.left && at.column <= c.right;
}

/**
 * The selection after rows came, went or moved: on the cells that it was on. undefined: an
 * end is gone, or it would cover a row that it did not cover before.
 * @param {Selection | undefined} s
 * @param {string[]} before the rows as they were
 * @param {string[]} now
 * @param {Map<string, number>} order the places of the rows now
 * @returns {Selection | undefined}
 */
export function kept(s, before, now, order) {
  if (!s) return undefined;
  const [anchor, head] = [s.anchor, s.head].map(({ row, column }) => ({ row: order.get(before[row] ?? '') ?? -1, column }));
  if (!anchor || !head || anchor.row < 0 || head.row < 0) return undefined;
  const was = covers(s), is = covers({ anchor, head });
  const had = new Set(before.slice(was.top, was.bottom + 1));
  return now.slice(is.top, is.bottom + 1).every((id) => had.has(id)) ? { anchor, head } : undefined;
}
