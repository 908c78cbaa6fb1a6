import { jsonFields } from '../../../../kernel/basics/json.ts';

/** An own property of an object, or undefined. */
export function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(jsonFields(value));

/** The items of an array; none of anything else. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
