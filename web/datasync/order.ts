// Positions of list items: base-62 fractions of variable length, compared byte by byte. The
// first letter says how many digits are before the point: a to z one to 26, Z to A the same
// below zero; digits after them are the fraction, without a last 0.

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const smallest = `A${'0'.repeat(26)}`; // has no whole number below it, and is no position itself

/** The length of the whole number of a key; 0 if the key has no valid head. */
function wholeSize(key: string): number {
  const c = key.charCodeAt(0);
  if (c >= 97 && c <= 122) return c - 97 + 2;
  return c >= 65 && c <= 90 ? 90 - c + 2 : 0;
}

function valid(key: string): boolean {
  const n = wholeSize(key);
  return n > 0 && key.length >= n && key !== smallest && !(key.length > n && key.endsWith('0')) && /^[0-9A-Za-z]+$/.test(key);
}

/** A position after a and before b; '' is the beginning or the end. undefined: none fits, and the neighbours need new ones. */
export function keyBetween(a: string, b: string): string | undefined {
  if ((a && !valid(a)) || (b && !valid(b)) || (a && b && a >= b)) return undefined;
  if (!a && !b) return 'a0';
  const whole = a.slice(0, wholeSize(a)), other = b.slice(0, wholeSize(b));
  if (!a) {
    if (b.length > other.length) return other !== smallest ? other : other + midpoint('', b.slice(other.length));
    const lower = addOne(other, -1);
    return lower === smallest ? lower + midpoint('', '') : lower;
  }
  if (b && whole === other) return whole + midpoint(a.slice(whole.length), b.slice(other.length));
  const next = addOne(whole, 1);
  return next !== undefined && (!b || next < b) ? next : whole + midpoint(a.slice(whole.length), '');
}

/** n positions in order after a and before b, all short. */
export function keys(a: string, b: string, n: number): string[] | undefined {
  if (n <= 0) return [];
  if (!b || (!a && n < 64)) {
    const list: string[] = [];
    for (let i = 0; i < n; i++) {
      const key = keyBetween(a, b);
      if (key === undefined) return undefined;
      if (b) list.unshift((b = key));
      else list.push((a = key));
    }
    return list;
  }
  const middle = keyBetween(a, b), half = Math.floor(n / 2);
  if (middle === undefined) return undefined;
  const left = keys(a, middle, half), right = keys(middle, b, n - half - 1);
  return left && right && [...left, middle, ...right];
}

/** Whether a position has grown so long that its list should get new ones. */
export const longKey = (key: string): boolean => key.length > 64;

/** A fraction between a and b, of which '' is the least and the most. */
function midpoint(a: string, b: string): string {
  let n = 0; // keep the common prefix; a continues with zeros
  while (n < b.length && (a[n] ?? '0') === b[n]) n++;
  if (n > 0) return b.slice(0, n) + midpoint(a.slice(n), b.slice(n));
  const low = a ? digits.indexOf(a[0]!) : 0, high = b ? digits.indexOf(b[0]!) : digits.length;
  if (high - low > 1) return digits[Math.floor((low + high + 1) / 2)]!;
  if (b.length > 1) return b[0]!;
  return digits[low]! + midpoint(a.slice(1), '');
}

/** Adds 1 or -1 to a whole number, and lets it grow by a digit; undefined at the ends. */
function addOne(whole: string, step: 1 | -1): string | undefined {
  const head = whole[0]!, b = [...whole.slice(1)];
  for (let i = b.length - 1; i >= 0; i--) {
    const d = digits.indexOf(b[i]!) + step;
    b[i] = digits[(d + digits.length) % digits.length]!;
    if (d >= 0 && d < digits.length) return head + b.join('');
  }
  if (head === (step > 0 ? 'z' : 'A')) return undefined; // the carry goes to the head
  if (step > 0 && head === 'Z') return 'a0';
  if (step < 0 && head === 'a') return 'Zz';
  const next = String.fromCharCode(head.charCodeAt(0) + step);
  return next + b.join('').padEnd(wholeSize(next) - 1, step > 0 ? '0' : 'z').slice(0, wholeSize(next) - 1);
}
