import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { integerOf } from './integer.ts';
import type { JsonBody } from './json.ts';
import { fieldsOf, numberText } from './json.ts';
import { jsonValueText } from './json-value-text.ts';
import type { Problem } from './judgement.ts';
import { doubt, violation } from './judgement.ts';

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
    category: (json) => [
      ...broken(category, json, nullDescription),
      ...integerProblems('id', json.value, int64Problem),
    ],
    error: (json) => [...broken(error, json), ...integerProblems('status', json.value, fractionProblem)],
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
  if (field === undefined) return `is ${jsonValueText(value)} where an object belongs`;
  return `has ${jsonValueText(value)} as \`${field}\` (it ${error.message ?? 'is not valid'})`;
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

/** What the text of a number says against an integer field: JavaScript's numbers round it before a schema sees it. */
function integerProblems(
  field: string,
  value: unknown,
  check: (text: string) => Problem | undefined,
): readonly FieldProblem[] {
  const text = numberText(fieldsOf(value)?.get(field));
  const problem = text === undefined ? undefined : check(text);
  return problem === undefined ? [] : [{ field, problem }];
}

function int64Problem(text: string): Problem | undefined {
  const id = integerOf(text);
  if (id === 'none') return violation(`has the id ${excerpt(text)}, which is no integer`);
  if (id === 'beyond' || id < INT64_MIN || id > INT64_MAX)
    return violation(`has the id ${excerpt(text)}, which is outside the int64 range`);
  return /^-?[0-9]+$/.test(text)
    ? undefined
    : doubt(`has the id ${excerpt(text)}, an integer written with a fraction or an exponent`);
}

const fractionProblem = (text: string): Problem | undefined =>
  integerOf(text) === 'none'
    ? violation(`has ${excerpt(text)} as \`status\`, which is no integer`)
    : undefined;

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Narrows a body to its JSON value. */
export function isJson(body: JsonBody): body is Extract<JsonBody, { kind: 'json' }> {
  return body.kind === 'json';
}
