// What a cell holds and what people read and paste: pure functions.

/**
 * @typedef {object} Option
 * @property {string} label
 * @property {string} value
 */

/**
 * A column as the catalog declares it.
 * @typedef {object} Column
 * @property {string} name
 * @property {string} label
 * @property {string} type
 * @property {boolean} [required]
 * @property {string} [help]
 * @property {string} [placeholder]
 * @property {Option[]} [options]
 * @property {string} [min]
 * @property {string} [max]
 * @property {string} [step]
 * @property {string} [pattern]
 * @property {string} [message]
 */

/** @typedef {string | number | boolean | string[]} Cell what the data model holds */

/**
 * A cell as text: what is copied, sorted and shown where nothing can be typed.
 * @param {Column} column
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(column, value) {
  if (Array.isArray(value)) return value.map((one) => labelOf(column, String(one))).filter(Boolean).join(', ');
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? '✓' : '';
  return labelOf(column, String(value));
}

/** @param {Column} column @param {string} value */
const labelOf = (column, value) => column.options?.find((o) => o.value === value)?.label ?? value;

/**
 * Reads text that was typed or pasted. undefined: the column has no such value.
 * @param {Column} column
 * @param {string} text
 * @returns {Cell | undefined}
 */
export function cellOf(column, text) {
  const line = text.trim();
  switch (column.type) {
    case 'boolean':
      return /^(true|yes|x|1|✓)$/i.test(line) ? true : /^(false|no|0|–|-)?$/i.test(line) ? false : undefined;
    case 'slider':
      return line !== '' && Number.isFinite(Number(line)) ? Number(line) : undefined;
    case 'choice': {
      const value = optionOf(column, line);
      return line === '' ? [] : value === undefined ? undefined : [value];
    }
    case 'choices': {
      const values = line === '' ? [] : line.split(/[,;]/).map((part) => optionOf(column, part.trim()));
      return values.includes(undefined) ? undefined : /** @type {string[]} */ (values);
    }
    case 'longtext':
      return text.replace(/\r\n?/g, '\n');
  }
  return line.replace(/\s*[\r\n]+\s*/g, ' ');
}

/** @param {Column} column @param {string} text */
function optionOf(column, text) {
  const low = text.toLowerCase();
  return column.options?.find((o) => [o.value, o.label].some((t) => t.toLowerCase() === low))?.value;
}

/**
 * What a new row has in a column.
 * @param {Column} column
 * @returns {Cell}
 */
export function blankOf(column) {
  if (column.type === 'choice' || column.type === 'choices') return [];
  if (column.type === 'boolean') return false;
  return column.type === 'slider' ? Number(column.min ?? 0) : '';
}

/**
 * What is wrong with the form of a text, or ''. The server has the last word.
 * @param {Column} column
 * @param {unknown} value
 * @returns {string}
 */
export function wrongWith(column, value) {
  if (!column.pattern || !column.message || typeof value !== 'string' || value === '') return '';
  if (last.pattern !== column.pattern) last = { pattern: column.pattern, matches: matcher(column.pattern) };
  return last.matches(value) ? '' : column.message;
}

let last = { pattern: '', matches: matcher('') }; // the cells of a column are looked at one after the other

/** @param {string} pattern @returns {(text: string) => boolean} */
function matcher(pattern) {
  try {
    const regexp = new RegExp(pattern, 'v');
    return (text) => regexp.test(text);
  } catch {
    return () => true; // a pattern of a later version
  }
}

/**
 * Reads what a spreadsheet puts on the clipboard: lines of cells between tabs, where a
 * cell in quotes may have both, and a quote twice.
 * @param {string} text
 * @returns {string[][]}
 */
export function tableOf(text) {
  /** @type {string[][]} */
  const rows = [[]];
  const all = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  for (let i = 0; i <= all.length;) {
    let cell = '';
    if (all[i] === '"') {
      let end = i + 1;
      while (end < all.length && (all[end] !== '"' || all[end + 1] === '"')) end += all[end] === '"' ? 2 : 1;
      const after = all[end + 1];
      if (end < all.length && (after === undefined || after === '\t' || after === '\n')) {
        cell = all.slice(i + 1, end).replace(/""/g, '"');
        i = end + 1;
        rows.at(-1)?.push(cell);
        if (i >= all.length) break;
        if (all[i] === '\n') rows.push([]);
        i++;
        continue;
      }
    }
    const next = all.slice(i).search(/[\t\n]/);
    const end = next < 0 ? all.length : i + next;
    rows.at(-1)?.push(all.slice(i, end));
    if (end >= all.length) break;
    if (all[end] === '\n') rows.push([]);
    i = end + 1;
  }
  return rows;
}

/**
 * Writes cells for the clipboard, the way back from tableOf.
 * @param {string[][]} rows
 * @returns {string}
 */
export function clipboardOf(rows) {
  return rows.map((row) => row.map((cell) => (/[\t\n\r"]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)).join('\t')).join('\n');
}

/**
 * The rows in the order of a column: numbers as numbers, empty cells last, equal ones as
 * they were.
 * @param {string[]} ids
 * @param {Column} column
 * @param {(id: string) => unknown} cell
 * @param {boolean} down from the greatest
 * @returns {string[]}
 */
export function sorted(ids, column, cell, down) {
  const texts = new Map(ids.map((id) => [id, textOf(column, cell(id))]));
  const numeric = ids.every((id) => texts.get(id) === '' || Number.isFinite(Number(texts.get(id))));
  return [...ids].sort((a, b) => {
    const x = texts.get(a) ?? '', y = texts.get(b) ?? '';
    if (x === '' || y === '') return Number(x === '') - Number(y === '');
    const order = numeric ? Number(x) - Number(y) : x.localeCompare(y, undefined, { numeric: true, sensitivity: 'base' });
    return down ? -order : order;
  });
}

/**
 * What a paste does to rows: which cells it fills, and which lines find no row.
 * @param {Column[]} columns
 * @param {string[]} ids the rows from the one that it begins in
 * @param {number} from the first column
 * @param {string[][]} lines
 * @returns {{ cells: { row: string; column: string; value: Cell }[]; rest: string[][] }}
 */
export function spread(columns, ids, from, lines) {
  /** @type {{ row: string; column: string; value: Cell }[]} */
  const cells = [];
  lines.slice(0, ids.length).forEach((line, n) => line.forEach((text, i) => {
    const column = columns[from + i];
    const value = column && cellOf(column, text);
    if (column && value !== undefined) cells.push({ row: /** @type {string} */ (ids[n]), column: column.name, value });
  }));
  return { cells, rest: lines.slice(ids.length) };
}
