/** The value of this JSON text; undefined where it is none. Numbers become those of JavaScript. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of a JSON object; none for every other value. */
export const jsonFields = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : {};

/** Whether a JSON value is an object: no array, and not null. */
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
