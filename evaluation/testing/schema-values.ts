import fc from 'fast-check';
import type { JsonSchema } from '../../kernel/basics/shape.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Any value that keeps a JSON Schema, as far as shapes use its keywords; rules over several fields aside. */
export function valuesOf(
  schema: JsonSchema,
  definitions = schema['$defs'] as Schemas,
): fc.Arbitrary<unknown> {
  const of = (one: unknown): fc.Arbitrary<unknown> => valuesOf(one as JsonSchema, definitions);
  const { $ref, enum: among, anyOf, oneOf, type, items, minItems = 0, prefixItems } = schema;
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(among)) return fc.constantFrom(...among);
  if (typeof $ref === 'string') return of(definitions[$ref.replace('#/$defs/', '')]);
  if (Array.isArray(oneOf)) return fc.oneof(...oneOf.map(of));
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(of));
  if (type === 'object') return objectsOf(schema, of);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(of));
  if (type === 'array')
    return fc.array(of(items), {
      minLength: Number(minItems),
      maxLength: Number(schema['maxItems'] ?? Number(minItems) + 2),
    });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return type === 'string' ? textsOf(schema) : numbersOf(schema);
}

function objectsOf(schema: JsonSchema, of: (one: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (additionalProperties !== false)
    return fc.dictionary(fc.string({ maxLength: 4 }), of(additionalProperties), { maxKeys: 2 });
  const fields = Object.entries(properties as object).map(([name, one]) => [name, of(one)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] });
}

const matching = new Map<string, fc.Arbitrary<string>>();

/** Texts that match. To prepare one takes milliseconds, and a pattern stands at many places of a schema. */
function textsMatching(pattern: string): fc.Arbitrary<string> {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  matching.set(pattern, known);
  return known;
}

function textsOf({ pattern, format, minLength = 0, maxLength }: JsonSchema): fc.Arbitrary<unknown> {
  if (pattern === '^[Hh][Tt][Tt][Pp][Ss]?:') return fc.webUrl();
  if (typeof pattern === 'string') return textsMatching(pattern);
  const from = new Date('2026-01-01T00:00:00Z');
  const times = fc
    .date({ min: from, max: new Date('2027-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString());
  if (format === 'date-time') return times;
  if (format === 'date') return times.map((time) => time.slice(0, 10));
  return fc.string({ minLength: Number(minLength), maxLength: Number(maxLength ?? Number(minLength) + 5) });
}

function numbersOf({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? -1000);
  const max = Number(maximum ?? min + 1000);
  if (type === 'integer') return fc.integer({ min, max });
  return fc.double({ min, max, minExcluded: exclusiveMinimum !== undefined, noNaN: true });
}
