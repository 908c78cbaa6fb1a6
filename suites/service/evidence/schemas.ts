import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { specifiedSchemas } from '../../../spec/schemas.ts';
import type { Json } from './json.ts';
import { fieldsOf, integerOf, jsonValueText, numberText } from './json.ts';

/** What is wrong with one field of a value, or with the value itself (`field` undefined). */
export interface FieldProblem {
  readonly field: string | undefined;
  /** `doubt`: one plausible reading allows it. */
  readonly kind: 'violation' | 'doubt';
  /** What the value has, as a noun phrase. */
  readonly received: string;
  readonly reasoning?: string;
}

type Validators = Readonly<Record<'category' | 'error', ValidateFunction>>;

let compiled: Validators | undefined;

/** The schemas of `spec/openapi.yaml`, compiled once. */
function validators(): Validators {
  if (compiled === undefined) {
    // A test of the schemas compiles them with the check against their own schema, which takes longer than all the rest.
    const ajv = new Ajv({ allErrors: true, strict: true, meta: false, validateSchema: false });
    // The package's types describe its CommonJS form, where the function is the module itself.
    (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    compiled = {
      category: ajv.compile(specifiedSchemas.Category),
      error: ajv.compile(specifiedSchemas.Error),
    };
  }
  return compiled;
}

export const categoryProblems = (json: Json): readonly FieldProblem[] => [
  ...broken(validators().category, json, nullDescription),
  ...integerProblems('id', json.value, int64Flaw),
];

export const errorProblems = (json: Json): readonly FieldProblem[] => [
  ...broken(validators().error, json),
  ...integerProblems('status', json.value, fractionFlaw),
];

/** What is wrong with a field, before it is known which field. */
type Flaw = Omit<FieldProblem, 'field'>;

function broken(
  validate: ValidateFunction,
  json: Json,
  lenient: (error: ErrorObject, value: unknown) => Flaw | undefined = () => undefined,
): readonly FieldProblem[] {
  validate(json.plain);
  const found = new Map<string, FieldProblem>();
  for (const error of validate.errors ?? []) {
    const missing = 'missingProperty' in error.params ? String(error.params['missingProperty']) : undefined;
    const field = missing ?? error.instancePath.split('/')[1];
    if (found.has(field ?? '')) continue;
    const value = field === undefined ? json.value : fieldsOf(json.value)?.get(field);
    const flaw = lenient(error, value) ?? violated(flawText(error, missing, field, value));
    found.set(field ?? '', { field, ...flaw });
  }
  return [...found.values()];
}

const violated = (received: string): Flaw => ({ kind: 'violation', received });
const doubtful = (received: string, reasoning: string): Flaw => ({ kind: 'doubt', received, reasoning });

function flawText(
  error: ErrorObject,
  missing: string | undefined,
  field: string | undefined,
  value: unknown,
): string {
  if (missing !== undefined) return `no \`${missing}\``;
  if (field === undefined) return `${jsonValueText(value)} instead of an object`;
  return `${jsonValueText(value)} as \`${field}\` (it ${error.message ?? 'is not valid'})`;
}

/** The prose says only that a description is optional, and many serialisers write null for an absent value. */
function nullDescription(error: ErrorObject, value: unknown): Flaw | undefined {
  if (error.instancePath !== '/description' || value !== null) return undefined;
  return doubtful(
    'null as `description`',
    'Null is not a string, but in one reading it means that there is no description.',
  );
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** What is wrong with the text of a number in an integer field: JavaScript's numbers round it before a schema sees it. */
function integerProblems(
  field: string,
  value: unknown,
  check: (text: string) => Flaw | undefined,
): readonly FieldProblem[] {
  const text = numberText(fieldsOf(value)?.get(field));
  const flaw = text === undefined ? undefined : check(text);
  return flaw === undefined ? [] : [{ field, ...flaw }];
}

function int64Flaw(text: string): Flaw | undefined {
  const id = integerOf(text);
  if (id === 'none') return violated(`the id ${excerpt(text)}, which is not an integer`);
  if (id === 'beyond' || id < INT64_MIN || id > INT64_MAX)
    return violated(`the id ${excerpt(text)}, which is outside the int64 range`);
  return formFlaw(`the id ${excerpt(text)}`, text);
}

const fractionFlaw = (text: string): Flaw | undefined =>
  integerOf(text) === 'none'
    ? violated(`${excerpt(text)} as \`status\`, which is not an integer`)
    : formFlaw(`${excerpt(text)} as \`status\``, text);

/** Digits alone are an integer to every reader. */
const formFlaw = (received: string, text: string): Flaw | undefined =>
  /^-?[0-9]+$/.test(text)
    ? undefined
    : doubtful(
        received,
        'The value is an integer, but it is written with a fraction or an exponent, which many readers reject.',
      );

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
