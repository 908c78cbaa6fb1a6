import { isJsonObject } from './json.ts';

/** Whether a value that was read from a file has a certain shape. */
export type Check = (value: unknown) => boolean;

/** A string. */
export const text: Check = (value) => typeof value === 'string';
/** A finite number. */
export const number: Check = (value) => Number.isFinite(value);
/** A boolean. */
export const flag: Check = (value) => typeof value === 'boolean';

/** A time in ISO 8601 and UTC: a report shows it as it is where it cannot read it. */
export const moment: Check = (value) =>
  text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(String(value));

/** A web address. */
export const address: Check = (value) =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** One of these shapes. */
export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

/** One of these values. */
export const exactly =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

/** This shape, or nothing. */
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** A string, or nothing. */
export const maybeText = maybe(text);

/** A list of items of one shape. */
export const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);

/** An object with any keys, and values of one shape. */
export const mapOf =
  (item: Check): Check =>
  (value) =>
    isJsonObject(value) && Object.values(value).every(item);

/** An object with these fields; further ones are left to later versions of the suite. */
export function object(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields).map(([key, check]) => ({ key, check }));
  return (value) => isJsonObject(value) && checks.every(({ key, check }) => check(value[key]));
}
