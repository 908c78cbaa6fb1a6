import type { Description, Located } from './description.ts';
import { at, itemsOf, membersOf } from './json-value.ts';

/** What a schema of a description says about a value. */
export interface Shape {
  /** Every `type` that the schema states; none where it states none. */
  readonly types: ReadonlySet<string>;
  readonly format: string | undefined;
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  /** Whether a part of it was not read or has alternatives: then what is absent may be there. */
  readonly open: boolean;
}

/** Schemas within `allOf` that are followed, at the most; no real description nests them so far. */
const MOST_PARTS = 50;

/** Keywords by which a value may have other fields than those that stand beside them. */
const ALTERNATIVES = ['oneOf', 'anyOf', 'not'] as const;

/** Reads a schema with all that it takes over by references and `allOf`. Pure, and bounded for any nesting. */
export function shapeOf(description: Description, schema: Located): Shape {
  const types = new Set<string>();
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  let [format, open, parts] = [undefined as string | undefined, false, 0];
  const left = [schema];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const followed = description.follow(next);
    parts += 1;
    if (followed.kind !== 'found' || parts > MOST_PARTS) {
      open = true;
      continue;
    }
    const { address, value } = followed.located;
    const type = at(value, 'type');
    for (const one of Array.isArray(type) ? type : [type]) if (typeof one === 'string') types.add(one);
    if (typeof at(value, 'format') === 'string') format = at(value, 'format') as string;
    open ||= ALTERNATIVES.some((keyword) => at(value, keyword) !== undefined);
    for (const [name, property] of membersOf(at(value, 'properties')))
      if (!properties.has(name)) properties.set(name, { address, value: property });
    for (const name of itemsOf(at(value, 'required'))) if (typeof name === 'string') required.add(name);
    for (const part of itemsOf(at(value, 'allOf')).slice(0, MOST_PARTS)) left.push({ address, value: part });
  }
  return { types, format, properties, required, open };
}
