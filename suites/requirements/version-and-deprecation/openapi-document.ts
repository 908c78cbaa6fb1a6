import { quoted } from '../../../words/text.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { doubt, unclear, violation } from '../../evidence/judgement.ts';
import { Description } from '../../evidence/openapi/description.ts';
import { at } from '../../evidence/openapi/json-value.ts';
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

/** The most breaches of the schema that are looked for. */
const MOST = 20;

/** What was found out about a description. */
export interface Found {
  /** Every mismatch, each as the end of a sentence. */
  readonly problems: readonly Problem[];
  /** Why documents that it refers to were not read. */
  readonly unread: readonly string[];
}

/**
 * What is wrong with a published interface description. Pure: references lead
 * to the documents that were recorded with it, and nothing is fetched.
 * VER-2: "valid OpenAPI 3.0.3, of version 1.0.0, describes the operations".
 */
export function mismatches(root: PublishedDocument, parts: readonly PublishedDocument[]): Found {
  try {
    const description = Description.of(root, parts);
    if (!(description instanceof Description)) return { problems: [description], unread: [] };
    // First, because following all references may take all the work that is allowed.
    const problems = problemsOf(description);
    const { dangling, unread } = description.references();
    const nowhere = [...dangling].map((reference) =>
      violation(`the reference ${quoted(reference)} leads nowhere`),
    );
    return {
      problems: [...problems, ...nowhere, ...schemaProblems(description)],
      unread: [...unread],
    };
  } catch (error) {
    // Schemas that are nested without end.
    const message = error instanceof Error ? error.message : String(error);
    return { problems: [violation(`the text cannot be read (${quoted(message)})`)], unread: [] };
  }
}

const problemsOf = (description: Description): readonly Problem[] => [
  ...versionProblems(description.root.value),
  ...OPERATIONS.flatMap((operation) => operationProblem(description, operation) ?? []),
];

/** Of another version nothing is valid OpenAPI 3.0.3, and that is said already. */
function schemaProblems(description: Description): readonly Problem[] {
  const { value } = description.root;
  if (!/^3\.0\.\d+$/.test(String(at(value, 'openapi')))) return [];
  const invalid = [...invalidParts(value, MOST), ...invalidItems(description.itemsElsewhere(), MOST)];
  const newer = at(at(value, 'components'), PATH_ITEMS) !== undefined;
  return [
    ...invalid.map(violation),
    ...(newer ? [doubt('`components.pathItems` is a field of OpenAPI 3.1')] : []),
  ];
}

function versionProblems(document: unknown): readonly Problem[] {
  const [openapi, swagger] = [at(document, 'openapi'), at(document, 'swagger')];
  const version = at(at(document, 'info'), 'version');
  return [
    ...(openapi === '3.0.3'
      ? []
      : [
          openapi === undefined && swagger !== undefined
            ? violation(`it is Swagger ${jsonValueText(swagger)} instead of OpenAPI "3.0.3"`)
            : violation(`\`openapi\` is ${jsonValueText(openapi)} instead of "3.0.3"`),
        ]),
    ...(version === '1.0.0'
      ? []
      : [violation(`\`info.version\` is ${jsonValueText(version)} instead of "1.0.0"`)]),
  ];
}

function operationProblem(description: Description, operation: Operation): Problem | undefined {
  const name = `\`${operation.method.toUpperCase()} ${operation.path}\``;
  const found = described(description, operation);
  switch (found.kind) {
    case 'described':
      return undefined;
    case 'missing':
      return violation(`${name} is not described`);
    case 'unknown':
      return unclear(`${name} may be described in a document that was not read (${found.why})`);
    case 'elsewhere':
      return doubt(
        `${name} is described at ${quoted(found.address)}, and the specification has it beneath a base address that ends in /v1`,
      );
  }
}
