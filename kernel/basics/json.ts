import { orNone } from './errors.ts';

/** The value of this JSON text; undefined where it is none. Numbers become those of JavaScript. */
export const parsedJson = (text: string): unknown => orNone(() => JSON.parse(text));

/** The same for what others sign; undefined where an object has a name twice, as readers differ in which value they take, and where it nests too deep. */
export function unambiguousJson(text: string): unknown {
  const value = parsedJson(text);
  if (value === undefined) return undefined;
  let written = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g))
    if (colon !== undefined) written += 1;
  return written === membersOf(value) ? value : undefined;
}

/** No file of this program nests as deep, and some readers come to the end of their stack where one nests much deeper. */
const MOST_LEVELS = 100;

/** How many members the objects in a JSON value have, however deep they lie; undefined where they lie too deep. */
function membersOf(value: unknown): number | undefined {
  let members = 0;
  let level = [value];
  for (let depth = 0; depth < MOST_LEVELS; depth += 1) {
    const found: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const parts: readonly unknown[] = Object.values(one);
      if (!Array.isArray(one)) members += parts.length;
      for (const part of parts) found.push(part);
    }
    if (found.length === 0) return members;
    level = found;
  }
  return undefined;
}

export const jsonFields = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : {};

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that may be undefined become fields that may be absent. */
type DefinedFields<T> = string extends keyof T
  ? { readonly [Name in keyof T]: Exclude<T[Name], undefined> }
  : { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
      [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
    };

/** The same fields without those that are undefined, for a type whose optional fields are absent or have a value. */
export const definedFields = <T extends object>(fields: T): DefinedFields<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as DefinedFields<T>;

/** How the folders are named into which files of an earlier run are moved, beside those of the run that takes their place. */
export const EARLIER = 'earlier-';
