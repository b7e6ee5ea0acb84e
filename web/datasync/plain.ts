// Values as JavaScript has them.

export type Obj = Record<string, unknown>;

export const isObject = (v: unknown): v is Obj => typeof v === 'object' && v !== null && !Array.isArray(v);
export const own = (v: unknown, key: string): unknown => (isObject(v) && Object.hasOwn(v, key) ? v[key] : undefined);
export const copy = <T>(v: T): T => (v === undefined ? v : JSON.parse(JSON.stringify(v)));
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Arrays are no values: they are objects by number. The last writer has the whole of one. */
export const numbered = (v: unknown): unknown => (Array.isArray(v) ? { ...v } : v);

/** The array that an object by number stands for, else the value. An empty one is an array where one is shown. */
export function arrayIn(v: unknown, shown?: unknown): unknown {
  const keys = isObject(v) ? Object.keys(v) : [];
  return isObject(v) && (keys.length || Array.isArray(shown)) && keys.every((key, i) => key === String(i)) ? Object.values(v) : v;
}
