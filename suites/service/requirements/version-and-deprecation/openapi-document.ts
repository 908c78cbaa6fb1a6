import { quoted } from '../../../../kernel/basics/text.ts';
import { jsonValueText } from '../../evidence/json.ts';
import type { Located } from '../../evidence/openapi/description.ts';
import { Description } from '../../evidence/openapi/description.ts';
import type { Operation } from '../../evidence/openapi/operations.ts';
import { described } from '../../evidence/openapi/operations.ts';
import type { Mismatch } from '../../evidence/openapi/references.ts';
import {
  at,
  doubtful,
  itemsOf,
  membersOf,
  unreadable,
  violating,
} from '../../evidence/openapi/references.ts';
import { invalidParts, PATH_ITEMS } from '../../evidence/openapi/validity.ts';
import type { PublishedDocument } from '../../model/journal.ts';
import type { ExpectedResponse } from './described-schemas.ts';
import {
  operationIdMismatches,
  partMismatches,
  requestMismatches,
  responseMismatches,
} from './described-schemas.ts';

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

const MOST_VIOLATIONS = 20;

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
  for (const text of invalidParts(value, description.itemsElsewhere(), MOST_VIOLATIONS))
    yield violating(text);
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
