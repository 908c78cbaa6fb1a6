import { quoted } from '../../../../kernel/basics/text.ts';
import { isJsonMediaType } from '../../../../kernel/exchanges/headers.ts';
import type { SchemaName, SpecifiedField } from '../../../../spec/schemas.ts';
import { SCHEMAS } from '../../../../spec/schemas.ts';
import { jsonValueText } from '../../evidence/json.ts';
import type { Located } from '../../evidence/openapi/description.ts';
import { Description, shapeOf } from '../../evidence/openapi/description.ts';
import type { Mismatch } from '../../evidence/openapi/documents.ts';
import { at, doubtful, itemsOf, membersOf, unreadable, violating } from '../../evidence/openapi/documents.ts';
import type { Operation } from '../../evidence/openapi/operations.ts';
import { described } from '../../evidence/openapi/operations.ts';
import { invalidParts, PATH_ITEMS } from '../../evidence/openapi/validity.ts';
import type { PublishedDocument } from '../../model/journal.ts';

const MOST_ALTERNATIVES = 100;

/** The requirements of the operation replace those of the document; each of them is an alternative. */
function* securityMismatches(document: Description, operation: Located, name: string): Generator<Mismatch> {
  const own = at(operation.value, 'security');
  const alternatives = itemsOf(own ?? at(document.root.value, 'security')).slice(0, MOST_ALTERNATIVES);
  if (alternatives.length === 0) return yield violating(`${name} is described without security`);
  if (alternatives.some((one) => membersOf(one).length === 0))
    return yield violating(`${name} is described with optional security`);
  const kinds = alternatives.map((one) => membersOf(one).map(([scheme]) => kindOf(document, scheme)));
  const foreign = kinds.flat().find((kind) => kind !== 'bearer' && kind !== 'unread');
  if (foreign === undefined) return;
  const bearerAlone = kinds.some((all) => all.every((kind) => kind === 'bearer' || kind === 'unread'));
  const text = `${name} is described with ${foreign} instead of HTTP bearer`;
  yield bearerAlone ? doubtful(`${text} as an alternative`) : violating(text);
}

/** What a security scheme is: `bearer`, `unread`, or another one in words. */
function kindOf(document: Description, scheme: string): string {
  const found = document.within(document.root, 'components', 'securitySchemes', scheme);
  if (found.kind === 'unread') return 'unread';
  if (found.kind === 'nowhere') return `the undefined scheme ${quoted(scheme)}`;
  const [type, http] = [at(found.located.value, 'type'), at(found.located.value, 'scheme')];
  if (type === 'http' && typeof http === 'string' && http.toLowerCase() === 'bearer') return 'bearer';
  return `the scheme ${quoted(scheme)} of the type ${quoted(String(type))}${type === 'http' ? ` (${quoted(String(http))})` : ''}`;
}

/** An operation of the specification with what its description must say. */
interface SpecifiedOperation extends Operation {
  /** Only where the specification shows it. */
  readonly operationId?: string;
  readonly responses: readonly ExpectedResponse[];
  readonly sendsCategory?: true;
  readonly deprecated?: true;
}

const unauthorized: ExpectedResponse = { status: '401', body: 'Error', lacking: 'violation' };
/** "429 … applies to all operations", but the tables of the operations do not list it. */
const rateLimited: ExpectedResponse = { status: '429', body: 'not shown', lacking: 'doubt' };
/** Their shapes are not shown; only the chapter "Errors" says that they have a 401. */
const namedOnly: readonly ExpectedResponse[] = [{ ...unauthorized, lacking: 'doubt' }, rateLimited];

const OPERATIONS: readonly SpecifiedOperation[] = [
  {
    method: 'get',
    path: '/categories',
    operationId: 'listCategories',
    responses: [{ status: '200', body: 'list of Category', lacking: 'violation' }, unauthorized, rateLimited],
  },
  {
    method: 'post',
    path: '/categories',
    operationId: 'createCategory',
    sendsCategory: true,
    responses: [
      { status: '201', body: 'Category', lacking: 'violation' },
      { status: '400', body: 'Error', lacking: 'violation' },
      unauthorized,
      rateLimited,
    ],
  },
  { method: 'get', path: '/pets/{petId}', responses: namedOnly, deprecated: true },
  { method: 'get', path: '/store/orders', responses: namedOnly },
];

/** The most mismatches of one kind that are collected. */
const MOST = 20;

/** What differs, and why documents that it refers to were not read, one clause each. Pure: nothing is fetched. */
export function mismatches(
  root: PublishedDocument,
  parts: readonly PublishedDocument[],
): { readonly found: readonly Mismatch[]; readonly unread: readonly string[] } {
  try {
    const description = Description.of(root, parts);
    if (!(description instanceof Description)) return { found: [description], unread: [] };
    // First, because following all references may take all the work that is allowed.
    const direct = [...directMismatches(description)];
    const { dangling, unread } = description.references();
    const dangled = [...dangling].map((reference) =>
      violating(`the reference ${quoted(reference)} leads nowhere`),
    );
    return {
      found: [...direct, ...dangled, ...schemaMismatches(description), ...partMismatches(description)],
      unread: [...unread],
    };
  } catch (error) {
    // What is nested without end, and any error of this program, which is no violation.
    const message = error instanceof Error ? error.message : String(error);
    return { found: [unreadable(`the text cannot be read (${quoted(message)})`)], unread: [] };
  }
}

function* directMismatches(description: Description): Generator<Mismatch> {
  yield* versionMismatches(description.root.value);
  for (const operation of OPERATIONS) yield* operationMismatches(description, operation);
}

/** A document of another version is not OpenAPI 3.0.3 at all, which is its own mismatch. */
function* schemaMismatches(description: Description): Generator<Mismatch> {
  const { value } = description.root;
  if (!/^3\.0\.\d+$/.test(String(at(value, 'openapi')))) return;
  for (const text of invalidParts(value, description.itemsElsewhere(), MOST)) yield violating(text);
  if (at(at(value, 'components'), PATH_ITEMS) !== undefined)
    yield doubtful('`components.pathItems` is a field of OpenAPI 3.1');
}

function* versionMismatches(document: unknown): Generator<Mismatch> {
  const [openapi, swagger] = [at(document, 'openapi'), at(document, 'swagger')];
  const version = at(at(document, 'info'), 'version');
  if (openapi === undefined && swagger !== undefined)
    yield violating(`it is Swagger ${jsonValueText(swagger)} instead of OpenAPI "3.0.3"`);
  else if (openapi !== '3.0.3')
    yield violating(`\`openapi\` is ${jsonValueText(openapi)} instead of "3.0.3"`);
  if (version !== '1.0.0')
    yield violating(`\`info.version\` is ${jsonValueText(version)} instead of "1.0.0"`);
}

function* operationMismatches(description: Description, wanted: SpecifiedOperation): Generator<Mismatch> {
  const name = `\`${wanted.method.toUpperCase()} ${wanted.path}\``;
  const place = described(description, wanted);
  if (place.kind === 'missing') return yield violating(`${name} is not described`);
  if (place.kind === 'unknown')
    return yield unreadable(`${name} may be described in a document that was not read (${place.why})`);
  if (place.kind === 'elsewhere')
    yield doubtful(
      `${name} is described at ${quoted(place.address)}, but the specification has it below a base address that ends in /v1`,
    );
  const { operation } = place;
  const { operationId, responses, sendsCategory, deprecated } = wanted;
  if (operationId !== undefined) yield* operationIdMismatches(operation, name, operationId);
  if (sendsCategory) yield* requestMismatches(description, operation, name);
  yield* responseMismatches(description, operation, name, responses);
  yield* securityMismatches(description, operation, name);
  if (deprecated && at(operation.value, 'deprecated') !== true)
    yield violating(`${name} is not marked as deprecated`);
}

const MOST_NAMED = 5;

/** Further fields are left open, except that a client must not have to send them. @param where the body, as the end of a clause. */
function* shapeMismatches(
  document: Description,
  schema: Located,
  wanted: SchemaName,
  where: string,
): Generator<Mismatch> {
  const shape = shapeOf(document, schema);
  const { types, properties, required, open } = shape;
  const [type] = types;
  if (type !== undefined && !types.has('object'))
    return yield violating(`${where} is described as ${quoted(type)} instead of a ${wanted}`);
  if (properties.size === 0) {
    if (!open) yield doubtful(`the schema of ${where} shows no fields, and so no ${wanted}`);
    return;
  }
  for (const [field, expected] of Object.entries<SpecifiedField>(SCHEMAS[wanted])) {
    const property = properties.get(field);
    const what = `\`${field}\` in ${where}`;
    if (property !== undefined) {
      yield* typeMismatches(document, property, expected.type, what);
      if (expected.required && !required.has(field) && !open) yield violating(`${what} is not required`);
      if (!expected.required && required.has(field))
        yield violating(`${what} is required, but the specification makes it optional`);
    } else if (!open) yield violating(`${where} is described without \`${field}\``);
  }
  if (wanted === 'NewCategory') yield* furtherRequired(document, shape, where);
}

function* typeMismatches(
  document: Description,
  property: Located,
  wanted: SpecifiedField['type'],
  what: string,
): Generator<Mismatch> {
  const { types, format, open } = shapeOf(document, property);
  if (types.size === 0) {
    if (!open) yield doubtful(`${what} is described without a type`);
  } else if (!types.has(wanted))
    yield violating(`${what} is described as ${[...types].map(quoted).join(' or ')} instead of "${wanted}"`);
  else if (what.startsWith('`id`') && format !== 'int64')
    yield format === undefined
      ? doubtful(`${what} is described without the format "int64"`)
      : violating(`${what} is described with the format ${quoted(format)} instead of "int64"`);
}

/** A client must send `name` alone. What is `readOnly` is not sent (OpenAPI 3.0.3, Schema Object). */
function* furtherRequired(
  document: Description,
  { properties, required }: ReturnType<typeof shapeOf>,
  where: string,
): Generator<Mismatch> {
  const further = [...required].filter((field) => {
    const property = properties.get(field);
    const followed = property === undefined ? undefined : document.follow(property);
    const readOnly = followed?.kind === 'found' && at(followed.located.value, 'readOnly') === true;
    return !Object.hasOwn(SCHEMAS.NewCategory, field) && !readOnly;
  });
  const named = further.slice(0, MOST_NAMED).map(quoted).join(', ');
  if (named !== '') yield violating(`${where} is described with further required fields (${named})`);
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Whether an operation has the id of the specification. OpenAPI makes ids optional, so a missing one is a doubt. */
function* operationIdMismatches(operation: Located, name: string, wanted: string): Generator<Mismatch> {
  const id = at(operation.value, 'operationId');
  if (id === undefined) yield doubtful(`${name} has no operationId; the specification names it "${wanted}"`);
  else if (id !== wanted)
    yield violating(`the operationId of ${name} is ${jsonValueText(id)} instead of "${wanted}"`);
}

/** What OpenAPI 3.0.3 demands beyond its schema: operationIds that are unique, and every parameter in a path declared. */
function* partMismatches(document: Description): Generator<Mismatch> {
  const ids = new Map<string, number>();
  // A Path Item that several paths refer to is one and the same.
  const met = new Set<unknown>();
  const undeclared: Mismatch[] = [];
  for (const [path, item] of document.items()) {
    if (item === undefined) continue;
    for (const method of METHODS) {
      const operation = at(item.value, method);
      if (operation === undefined || met.has(operation)) continue;
      met.add(operation);
      const id = at(operation, 'operationId');
      if (typeof id === 'string') ids.set(id, (ids.get(id) ?? 0) + 1);
      if (undeclared.length < MOST)
        undeclared.push(...undeclaredParameters(document, path, item, { method, operation }));
    }
  }
  for (const [id, times] of [...ids].filter(([, times]) => times > 1).slice(0, MOST))
    yield violating(`the operationId ${quoted(id)} stands at ${times} operations`);
  yield* undeclared;
}

function undeclaredParameters(
  document: Description,
  path: string,
  item: Located,
  { method, operation }: { readonly method: string; readonly operation: unknown },
): readonly Mismatch[] {
  const wanted = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  if (wanted.length === 0) return [];
  const declared = new Set<string>();
  for (const parameter of [
    ...itemsOf(at(item.value, 'parameters')),
    ...itemsOf(at(operation, 'parameters')),
  ]) {
    const followed = document.follow({ address: item.address, value: parameter });
    if (followed.kind !== 'found') return [];
    const { value } = followed.located;
    if (at(value, 'in') === 'path') declared.add(String(at(value, 'name')));
  }
  return wanted
    .filter((name) => !declared.has(name))
    .map((name) =>
      violating(
        `the parameter ${quoted(name)} of \`${method.toUpperCase()}\` ${quoted(path)} is not declared`,
      ),
    );
}

/** A response of the specification; the list is an array of categories. */
interface ExpectedResponse {
  readonly status: '200' | '201' | '400' | '401' | '429';
  readonly body: SchemaName | 'list of Category' | 'not shown';
  /** Whether a description that lacks it contradicts the specification, or only one reading of it. */
  readonly lacking: 'violation' | 'doubt';
}

/** Compares the responses of an operation with those of the specification. Further ones are left open. */
function* responseMismatches(
  document: Description,
  operation: Located,
  name: string,
  expected: readonly ExpectedResponse[],
): Generator<Mismatch> {
  const responses = document.within(operation, 'responses');
  if (responses.kind !== 'found') return;
  const { located } = responses;
  for (const { status, body, lacking } of expected) {
    const key = [status, `${status[0]}XX`].find((one) => at(located.value, one) !== undefined);
    if (key === undefined) {
      // A default describes every error that is not listed.
      const covered = status >= '400' && at(located.value, 'default') !== undefined;
      const text = `the ${status} of ${name} is not described`;
      if (!covered) yield lacking === 'violation' ? violating(text) : doubtful(text);
      continue;
    }
    const found = document.within(located, key);
    if (body !== 'not shown' && found.kind === 'found')
      yield* bodyMismatches(document, found.located, body, `the ${status} of ${name}`);
  }
}

/** Compares the body that a creation sends: "required, JSON NewCategory". */
function* requestMismatches(document: Description, operation: Located, name: string): Generator<Mismatch> {
  const body = document.within(operation, 'requestBody');
  if (body.kind === 'nowhere') yield violating(`${name} is described without a request body`);
  if (body.kind !== 'found') return;
  const where = `the request body of ${name}`;
  if (at(body.located.value, 'required') !== true) yield violating(`${where} is not described as required`);
  yield* bodyMismatches(document, body.located, 'NewCategory', where);
}

function* bodyMismatches(
  document: Description,
  holder: Located,
  body: Exclude<ExpectedResponse['body'], 'not shown'>,
  where: string,
): Generator<Mismatch> {
  const content = document.within(holder, 'content');
  const types = content.kind === 'found' ? membersOf(content.located.value) : [];
  const json = types.find(([type]) => isJsonMediaType(type));
  if (json === undefined || content.kind !== 'found') {
    const any = types.some(([type]) => /^(\*|application)\/\*/.test(type));
    const text = `${where} is described without a body of \`application/json\``;
    if (content.kind !== 'unread') yield any ? doubtful(text) : violating(text);
    return;
  }
  const schema = document.within({ address: content.located.address, value: json[1] }, 'schema');
  if (schema.kind === 'nowhere') yield doubtful(`${where} is described without a schema`);
  if (schema.kind !== 'found') return;
  yield* body === 'list of Category'
    ? listMismatches(document, schema.located, where)
    : shapeMismatches(document, schema.located, body, where);
}

function* listMismatches(document: Description, schema: Located, where: string): Generator<Mismatch> {
  const { types, open } = shapeOf(document, schema);
  if (!types.has('array')) {
    const text = `${where} is not described as an array`;
    if (!open) yield types.size === 0 ? doubtful(text) : violating(text);
    return;
  }
  const items = document.within(schema, 'items');
  if (items.kind === 'found')
    yield* shapeMismatches(document, items.located, 'Category', `an item in ${where}`);
}
