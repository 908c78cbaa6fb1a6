import type { Document } from 'yaml';
import { isScalar, parseDocument, visit } from 'yaml';
import { jsonFields, parsedJson } from '../../../../kernel/basics/json.ts';
import { quoted } from '../../../../kernel/basics/text.ts';
import { isPageText } from '../../model/target-reading.ts';

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

const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** What may stand before the first word of a line of YAML and begin a level: white space, `-`, `?` and `:`. */
const INDENTING: ReadonlySet<number> = new Set([0x20, 0x09, 0x2d, 0x3f, 0x3a]);

/** A scan, because where an expression is compiled at the end of the stack, V8 ends the process. */
export function mostLevels(text: string): number {
  let [open, mostOpen, indent, mostIndent, begins] = [0, 0, 0, 0, true];
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === OPEN_BRACKET || c === OPEN_BRACE) mostOpen = Math.max(mostOpen, ++open);
    else if (c === CLOSE_BRACKET || c === CLOSE_BRACE) open = Math.max(0, open - 1);
    begins = c === LINE_FEED || c === CARRIAGE_RETURN || (begins && INDENTING.has(c));
    indent = begins && INDENTING.has(c) ? indent + 1 : 0;
    mostIndent = Math.max(mostIndent, indent);
  }
  return mostOpen + mostIndent;
}

/** More aliases than any real document has: YAML can grow without bound from a few of them. */
const MAX_ALIASES = 100;

/** Many times the levels of any real document, and half of those at which the reader of YAML reaches the end of the stack. */
const MAX_LEVELS = 400;

/** Larger texts are read as JSON or not at all, in characters: to read YAML takes a thousand times as long. */
const MAX_YAML = 512 * 1024;

interface Content {
  readonly value: unknown;
}

/** Reads a document that is JSON or YAML, or states why it cannot be read. Pure; never throws. */
export function readText(text: string): Content | Mismatch {
  if (isPageText(text)) return unreadable('it is a page of HTML instead of JSON or YAML');
  if (mostLevels(text) > MAX_LEVELS)
    return unreadable(`the text may be nested deeper than ${MAX_LEVELS} levels, which is too deep to read`);
  const json = parsedJson(text);
  if (json !== undefined) return { value: json };
  if (text.length > MAX_YAML)
    return unreadable(
      `the text has ${text.length} characters that are not JSON, which is too long to read as YAML`,
    );
  try {
    return yamlIn(text);
  } catch (error) {
    // Aliases that expand without end.
    return violating(
      `the text cannot be read (${quoted(error instanceof Error ? error.message : String(error))})`,
    );
  }
}

function yamlIn(text: string): Content | Mismatch {
  // The library compares every key with every other; a set is enough for keys that are texts.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  const trouble = error?.message ?? repeatedKey(document);
  if (trouble !== undefined) return violating(`the text is neither JSON nor YAML (${quoted(trouble)})`);
  return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
}

/** YAML 1.2 §3.2.1.3: "the content of a mapping node is an unordered set of key/value node pairs, with the restriction that each of the keys is unique". */
function repeatedKey(document: Document): string | undefined {
  let found: string | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) found = 'Map keys must be unique';
        keys.add(key.value);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}
