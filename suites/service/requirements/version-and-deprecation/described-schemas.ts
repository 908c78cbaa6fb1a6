import { quoted } from '../../../../kernel/basics/text.ts';
import type { Description, Located } from '../../evidence/openapi/description.ts';
import { at } from '../../evidence/openapi/json-value.ts';
import type { Mismatch } from '../../evidence/openapi/mismatch.ts';
import { doubtful, violating } from '../../evidence/openapi/mismatch.ts';
import { shapeOf } from '../../evidence/openapi/shape.ts';

/** A field as the specification's tables have it. */
interface Field {
  readonly type: 'integer' | 'string';
  readonly required: boolean;
}

const name: Field = { type: 'string', required: true };
const description: Field = { type: 'string', required: false };

/** The three schemas of the specification, "Resources and their fields". */
const SCHEMAS = {
  Category: { id: { type: 'integer', required: true }, name, description },
  NewCategory: { name, description },
  Error: {
    code: { type: 'string', required: true },
    message: { type: 'string', required: true },
    status: { type: 'integer', required: true },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

/** The name of a schema of the specification. */
export type SchemaName = keyof typeof SCHEMAS;

/** The most foreign fields that one mismatch names. */
const MOST_NAMED = 5;

/**
 * Compares the schema of a body with that of the specification: the fields, their
 * types, and which are required. Further fields are left open, except that a
 * client must not have to send them.
 * @param where the body, as the end of a clause: `the 201 of \`POST /categories\``
 */
export function schemaMismatches(
  document: Description,
  schema: Located,
  wanted: SchemaName,
  where: string,
): readonly Mismatch[] {
  const shape = shapeOf(document, schema);
  const { types, properties, open } = shape;
  const [type] = types;
  if (type !== undefined && !types.has('object'))
    return [violating(`${where} is described as ${quoted(type)} instead of a ${wanted}`)];
  if (properties.size === 0)
    return open ? [] : [doubtful(`the schema of ${where} shows no fields, and so no ${wanted}`)];
  const own = Object.entries<Field>(SCHEMAS[wanted]).flatMap(([field, expected]) =>
    fieldMismatches(document, shape, field, { expected, where }),
  );
  return wanted === 'NewCategory' ? [...own, ...furtherRequired(document, shape, where)] : own;
}

function fieldMismatches(
  document: Description,
  { properties, required, open }: ReturnType<typeof shapeOf>,
  field: string,
  { expected, where }: { readonly expected: Field; readonly where: string },
): readonly Mismatch[] {
  const property = properties.get(field);
  if (property === undefined) return open ? [] : [violating(`${where} is described without \`${field}\``)];
  const found: Mismatch[] = [
    ...typeMismatches(document, property, expected.type, `\`${field}\` in ${where}`),
  ];
  if (expected.required && !required.has(field) && !open)
    found.push(violating(`\`${field}\` in ${where} is not required`));
  if (!expected.required && required.has(field))
    found.push(violating(`\`${field}\` in ${where} is required, but the specification makes it optional`));
  return found;
}

function typeMismatches(
  document: Description,
  property: Located,
  wanted: Field['type'],
  what: string,
): readonly Mismatch[] {
  const { types, format, open } = shapeOf(document, property);
  if (types.size === 0) return open ? [] : [doubtful(`${what} is described without a type`)];
  if (!types.has(wanted))
    return [
      violating(`${what} is described as ${[...types].map(quoted).join(' or ')} instead of "${wanted}"`),
    ];
  if (!what.startsWith('`id`') || format === 'int64') return [];
  return format === undefined
    ? [doubtful(`${what} is described without the format "int64"`)]
    : [violating(`${what} is described with the format ${quoted(format)} instead of "int64"`)];
}

/** A client must send `name` alone. What is `readOnly` is not sent (OpenAPI 3.0.3, Schema Object). */
function furtherRequired(
  document: Description,
  { properties, required }: ReturnType<typeof shapeOf>,
  where: string,
): readonly Mismatch[] {
  const further = [...required].filter((field) => {
    const property = properties.get(field);
    const followed = property === undefined ? undefined : document.follow(property);
    const readOnly = followed?.kind === 'found' && at(followed.located.value, 'readOnly') === true;
    return !Object.hasOwn(SCHEMAS.NewCategory, field) && !readOnly;
  });
  if (further.length === 0) return [];
  const named = further.slice(0, MOST_NAMED).map(quoted).join(', ');
  return [violating(`${where} is described with further required fields (${named})`)];
}
