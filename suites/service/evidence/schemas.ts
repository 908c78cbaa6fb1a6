import type { SchemaName, SpecifiedField } from '../../../spec/schemas.ts';
import { SCHEMAS } from '../../../spec/schemas.ts';
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

export const categoryProblems = (value: unknown): readonly FieldProblem[] =>
  problemsOf(value, 'Category', { id: int64Flaw });

export const errorProblems = (value: unknown): readonly FieldProblem[] =>
  problemsOf(value, 'Error', { status: statusFlaw });

/** What is wrong with a field, before it is known which field. */
type Flaw = Omit<FieldProblem, 'field'>;

const violated = (received: string): Flaw => ({ kind: 'violation', received });
const doubtful = (received: string, reasoning: string): Flaw => ({ kind: 'doubt', received, reasoning });

/** @param integers what is wrong with the text of a number: JavaScript's numbers round it. */
function problemsOf(
  value: unknown,
  schema: SchemaName,
  integers: Readonly<Record<string, (text: string) => Flaw | undefined>>,
): readonly FieldProblem[] {
  const fields = fieldsOf(value);
  if (fields === undefined)
    return [{ field: undefined, ...violated(`${jsonValueText(value)} instead of an object`) }];
  return Object.entries<SpecifiedField>(SCHEMAS[schema]).flatMap(([field, { type, required }]) => {
    const held = fields.get(field);
    const text = numberText(held);
    let flaw: Flaw | undefined;
    if (!fields.has(field)) flaw = required ? violated(`no \`${field}\``) : undefined;
    else if (type === 'integer' && text !== undefined) flaw = integers[field]?.(text);
    else if (type === 'integer' || typeof held !== 'string') flaw = mistyped(field, held, type);
    return flaw === undefined ? [] : [{ field, ...flaw }];
  });
}

/** The prose says only that a description is optional, and many serialisers write null for an absent value. */
const mistyped = (field: string, value: unknown, type: string): Flaw =>
  field === 'description' && value === null
    ? doubtful(
        'null as `description`',
        'Null is not a string, but in one reading it means that there is no description.',
      )
    : violated(`${jsonValueText(value)} as \`${field}\` (it must be ${type})`);

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

function int64Flaw(text: string): Flaw | undefined {
  const id = integerOf(text);
  const isBeyond = id === 'beyond' || (id !== 'none' && (id < INT64_MIN || id > INT64_MAX));
  return isBeyond
    ? violated(`the id ${excerpt(text)}, which is outside the int64 range`)
    : integerFlaw(`the id ${excerpt(text)}`, text);
}

const statusFlaw = (text: string): Flaw | undefined => integerFlaw(`the status ${excerpt(text)}`, text);

/** Digits alone are an integer to every reader. */
function integerFlaw(received: string, text: string): Flaw | undefined {
  if (/^-?[0-9]+$/.test(text)) return undefined;
  return integerOf(text) === 'none'
    ? violated(`${received}, which is not an integer`)
    : doubtful(
        received,
        'The value is an integer, but it is written with a fraction or an exponent, which many readers reject.',
      );
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
