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
