import { jsonFields } from '../../../../kernel/basics/json.ts';

/** An own property of an object, or undefined. */
export function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

export const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(jsonFields(value));

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Under these nothing is a reference, whatever it is called: payloads, and what others added. */
const PAYLOAD = /^(example|examples|default|enum|const|x-.*)$/;

/** The members of these have names of the author's own, so that none of them is a payload for its name. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'callbacks',
  'pathItems',
  'paths',
]);

/** Each once. Without recursion, so that no nesting is too deep, however many YAML aliases lead to one object. */
export function referencesIn(document: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const met = new Set<object>();
  // `named`: the keys of this object are names of the author's own.
  const parts: { readonly value: object; readonly named: boolean }[] = [];
  const add = (value: unknown, named: boolean): void => {
    if (typeof value !== 'object' || value === null || met.has(value)) return;
    met.add(value);
    parts.push({ value, named });
  };
  add(document, false);
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { value, named } = part;
    const target = named ? undefined : at(value, '$ref');
    if (typeof target === 'string') found.add(target);
    for (const key of Object.keys(value)) {
      if (named || !PAYLOAD.test(key)) add(at(value, key), !named && NAMED.has(key));
    }
  }
  return found;
}

/** The address of the document that a reference leads to, and the place in it; undefined for what is no address. */
export function targetOf(reference: string, base: string): { address: string; pointer: string } | undefined {
  if (reference.startsWith('#')) return { address: base, pointer: reference.slice(1) };
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  const pointer = url.hash.slice(1);
  url.hash = '';
  return { address: url.href, pointer };
}

/** The steps of a JSON Pointer in the fragment of an address (RFC 6901 §6); undefined for what is none. */
export function stepsOf(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** One way in which a published interface description differs from the specification. */
export interface Mismatch {
  /** `doubt`: one plausible reading allows it. `unclear`: undecided, because a document was not read. */
  readonly kind: 'violation' | 'doubt' | 'unclear';
  /** A clause without a full stop, such as `GET /categories is not described`. */
  readonly text: string;
}

export const violating = (text: string): Mismatch => ({ kind: 'violation', text });
export const doubtful = (text: string): Mismatch => ({ kind: 'doubt', text });
export const unreadable = (text: string): Mismatch => ({ kind: 'unclear', text });
