import { quoted } from '../../../words/text.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';
import { Description } from '../../evidence/openapi/description.ts';
import { at } from '../../evidence/openapi/json-value.ts';
import type { Mismatch } from '../../evidence/openapi/mismatch.ts';
import { doubtful, unreadable, violating } from '../../evidence/openapi/mismatch.ts';
import type { Operation } from '../../evidence/openapi/operations.ts';
import { described } from '../../evidence/openapi/operations.ts';
import { invalidItems, invalidParts, PATH_ITEMS } from '../../evidence/openapi/validity.ts';
import type { PublishedDocument } from '../../model/journal.ts';

/** The operations of the specification. */
const OPERATIONS: readonly Operation[] = [
  { method: 'get', path: '/categories' },
  { method: 'post', path: '/categories' },
  { method: 'get', path: '/pets/{petId}' },
  { method: 'get', path: '/store/orders' },
];

/** The most schema violations that are collected. */
const MOST_VIOLATIONS = 20;

/** How a description compares with the specification. */
export interface Comparison {
  readonly found: readonly Mismatch[];
  /** Why documents that it refers to were not read, one clause each. */
  readonly unread: readonly string[];
}

/**
 * Compares a published interface description with the specification. Pure:
 * references lead to the documents that were recorded with it, and nothing is fetched.
 * VER-2: "valid OpenAPI 3.0.3, of version 1.0.0, describes the operations".
 */
export function mismatches(root: PublishedDocument, parts: readonly PublishedDocument[]): Comparison {
  try {
    const description = Description.of(root, parts);
    if (!(description instanceof Description)) return { found: [description], unread: [] };
    // First, because following all references may take all the work that is allowed.
    const direct = directMismatches(description);
    const { dangling, unread } = description.references();
    const dangled = [...dangling].map((reference) =>
      violating(`the reference ${quoted(reference)} leads nowhere`),
    );
    return {
      found: [...direct, ...dangled, ...schemaMismatches(description)],
      unread: [...unread],
    };
  } catch (error) {
    // Schemas that are nested without end.
    const message = error instanceof Error ? error.message : String(error);
    return { found: [violating(`the text cannot be read (${quoted(message)})`)], unread: [] };
  }
}

const directMismatches = (description: Description): readonly Mismatch[] => [
  ...versionMismatches(description.root.value),
  ...OPERATIONS.flatMap((operation) => operationMismatch(description, operation) ?? []),
];

/** A document of another version is not OpenAPI 3.0.3 at all, which is its own mismatch. */
function schemaMismatches(description: Description): readonly Mismatch[] {
  const { value } = description.root;
  if (!/^3\.0\.\d+$/.test(String(at(value, 'openapi')))) return [];
  const invalid = [
    ...invalidParts(value, MOST_VIOLATIONS),
    ...invalidItems(description.itemsElsewhere(), MOST_VIOLATIONS),
  ];
  const newer = at(at(value, 'components'), PATH_ITEMS) !== undefined;
  return [
    ...invalid.map(violating),
    ...(newer ? [doubtful('`components.pathItems` is a field of OpenAPI 3.1')] : []),
  ];
}

function versionMismatches(document: unknown): readonly Mismatch[] {
  const [openapi, swagger] = [at(document, 'openapi'), at(document, 'swagger')];
  const version = at(at(document, 'info'), 'version');
  return [
    ...(openapi === '3.0.3'
      ? []
      : [
          openapi === undefined && swagger !== undefined
            ? violating(`it is Swagger ${jsonValueText(swagger)} instead of OpenAPI "3.0.3"`)
            : violating(`\`openapi\` is ${jsonValueText(openapi)} instead of "3.0.3"`),
        ]),
    ...(version === '1.0.0'
      ? []
      : [violating(`\`info.version\` is ${jsonValueText(version)} instead of "1.0.0"`)]),
  ];
}

function operationMismatch(description: Description, operation: Operation): Mismatch | undefined {
  const operationName = `\`${operation.method.toUpperCase()} ${operation.path}\``;
  const found = described(description, operation);
  switch (found.kind) {
    case 'described':
      return undefined;
    case 'missing':
      return violating(`${operationName} is not described`);
    case 'unknown':
      return unreadable(`${operationName} may be described in a document that was not read (${found.why})`);
    case 'elsewhere':
      return doubtful(
        `${operationName} is described at ${quoted(found.address)}, but the specification has it below a base address that ends in /v1`,
      );
  }
}
