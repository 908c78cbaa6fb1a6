import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { JsonBody } from './json.ts';
import { fieldsOf, numberText } from './json.ts';
import type { Problem } from './judgement.ts';
import { doubt, violation } from './judgement.ts';
import { show } from './quote.ts';

/** What is wrong with one field of a value, or with the value as a whole (`field` undefined). */
export interface FieldProblem {
  readonly field: string | undefined;
  readonly problem: Problem;
}

/** A JSON value in both readings: numbers as their text, and as JavaScript numbers. */
export interface Json {
  readonly value: unknown;
  readonly plain: unknown;
}

/** The schemas of the interface description, ready to be asked. */
export interface Schemas {
  category(json: Json): readonly FieldProblem[];
  error(json: Json): readonly FieldProblem[];
}

type Shapes = Readonly<Record<'Category' | 'Error', object>>;

const known = new WeakMap<Shapes, Schemas>();

/**
 * Compiles the schemas of `spec/openapi.yaml`, the one source of shapes, once
 * for each law. Throws when they cannot be compiled: a fault of this program,
 * not of a target.
 */
export function compileSchemas(schemas: Shapes): Schemas {
  const compiled = known.get(schemas) ?? compile(schemas);
  known.set(schemas, compiled);
  return compiled;
}

function compile(schemas: Shapes): Schemas {
  const ajv = new Ajv({ allErrors: true, strict: true });
  // The package's types describe its CommonJS form, where the function is the module itself.
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  const category = ajv.compile(schemas.Category);
  const error = ajv.compile(schemas.Error);
  return {
    category: (json) => [...broken(category, json, nullDescription), ...idProblems(json.value)],
    error: (json) => broken(error, json),
  };
}

function broken(
  validate: ValidateFunction,
  json: Json,
  lenient: (error: ErrorObject, value: unknown) => Problem | undefined = () => undefined,
): readonly FieldProblem[] {
  validate(json.plain);
  const found = new Map<string, FieldProblem>();
  for (const error of validate.errors ?? []) {
    const missing = 'missingProperty' in error.params ? String(error.params['missingProperty']) : undefined;
    const field = missing ?? error.instancePath.split('/')[1];
    if (found.has(field ?? '')) continue;
    const value = field === undefined ? json.value : fieldsOf(json.value)?.get(field);
    const text = wording(error, missing, field, value);
    found.set(field ?? '', { field, problem: lenient(error, value) ?? violation(text) });
  }
  return [...found.values()];
}

function wording(
  error: ErrorObject,
  missing: string | undefined,
  field: string | undefined,
  value: unknown,
): string {
  if (missing !== undefined) return `has no \`${missing}\``;
  if (field === undefined) return `is ${show(value)} where an object belongs`;
  return `has ${show(value)} as \`${field}\` (it ${error.message ?? 'is not valid'})`;
}

/** The prose says only that a description is optional, and many serialisers write null for nothing. */
function nullDescription(error: ErrorObject, value: unknown): Problem | undefined {
  if (error.instancePath !== '/description' || value !== null) return undefined;
  return doubt(
    'has null as `description`, which is no string but says "none" in one reading: leave the field out',
  );
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const LONGEST_INT64 = String(INT64_MIN).length;

/** An id as its text stands there: JavaScript's numbers would round it from 2^53 on. */
function idProblems(value: unknown): readonly FieldProblem[] {
  const text = numberText(fieldsOf(value)?.get('id'));
  if (text === undefined) return [];
  const problem = int64Problem(text);
  return problem === undefined ? [] : [{ field: 'id', problem }];
}

function int64Problem(text: string): Problem | undefined {
  if (!/^-?[0-9]+$/.test(text)) {
    return Number.isSafeInteger(Number(text))
      ? doubt(`has the id ${show(text)}, an integer written with a fraction or an exponent`)
      : undefined;
  }
  // JSON writes no zero before a number: what is longer than the longest is outside, and need not be read.
  const inside = text.length <= LONGEST_INT64 && BigInt(text) >= INT64_MIN && BigInt(text) <= INT64_MAX;
  return inside ? undefined : violation(`has the id ${text.slice(0, 40)}, which is outside the int64 range`);
}

/** Narrows a body to its JSON value. */
export function isJson(body: JsonBody): body is Extract<JsonBody, { kind: 'json' }> {
  return body.kind === 'json';
}
