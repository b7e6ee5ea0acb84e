// Values as JavaScript has them.

export type Obj = Record<string, unknown>;

export const isObject = (v: unknown): v is Obj => typeof v === 'object' && v !== null && !Array.isArray(v);
export const own = (v: unknown, key: string): unknown => (isObject(v) && Object.hasOwn(v, key) ? v[key] : undefined);
export const copy = <T>(v: T): T => (v === undefined ? v : JSON.parse(JSON.stringify(v)));
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The member of an object that stands for an array: a value is none. The last writer has all of it. */
export const list = '@list';

/** The array that an object stands for, else the value. */
export function arrayIn(v: unknown): unknown {
  const array = own(v, list);
  return Array.isArray(array) && Object.keys(v as Obj).length === 1 ? array : v;
}
