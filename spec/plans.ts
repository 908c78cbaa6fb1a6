import { readFileSync } from 'node:fs';
import { parse } from 'lossless-json';
import { fileTrouble } from '../kernel/basics/file-trouble.ts';
import { isJsonObject } from '../kernel/basics/json.ts';
import { didYouMean } from '../kernel/basics/nearest.ts';
import type { Static } from '../kernel/basics/shape.ts';
import { about, named, object } from '../kernel/basics/shape.ts';
import { position, positive } from '../kernel/basics/simple-shapes.ts';
import { UserError } from '../kernel/basics/user-error.ts';

/** The limits of a plan (the table "Request rates by plan" of the specification). */
export interface PlanLimits {
  /** Requests in one window of a minute; a whole number of at least 1. */
  readonly perMinute: number;
  /** Requests in one window of a day; a whole number not below `perMinute`. */
  readonly perDay: number;
}

export const limitsShape = named(
  'limits',
  object('The two numbers of a plan and how long its windows last.', {
    perMinute: about('Requests in a minute.', position),
    perDay: about('Requests in a day, not below perMinute.', position),
    minuteSeconds: about(
      'Length of the window called a minute, in seconds; fractions are allowed.',
      positive,
    ),
    daySeconds: about(
      'Length of the window called a day, in seconds; never shorter than the minute.',
      positive,
    ),
  }),
);
/** The limits of a plan together with the lengths of their windows. */
export type Limits = Static<typeof limitsShape>;

/** A plan file: the lengths of the windows, and the limits of each plan. */
export interface Plans {
  /** Length of the window called a minute, in seconds; 60 unless a demonstration shortens it. */
  readonly minuteSeconds: number;
  /** Length of the window called a day, in seconds; 86,400 unless a demonstration shortens it. */
  readonly daySeconds: number;
  /** By name; `null` is "by agreement", as for Enterprise. */
  readonly plans: Readonly<Record<string, PlanLimits | null>>;
}

/** An error in a plan file or in the choice of a plan, in one sentence for the user. */
export class PlanFileError extends UserError {
  override readonly name = 'PlanFileError';
}

const INTEGER = 'a whole number of at least 1';
const SECONDS = 'a number of seconds greater than 0';

/**
 * Reads a plan file.
 * @param path the path of the file; without it, the plans of the specification (`spec/plans.json`).
 * @throws {PlanFileError} when it cannot be read or is not a plan file.
 */
export function loadPlans(path?: string): Plans {
  const where = path ?? 'spec/plans.json';
  let text: string;
  try {
    text = readFileSync(path ?? new URL('./plans.json', import.meta.url), 'utf8');
  } catch (error) {
    throw new PlanFileError(`${where}: the plan file cannot be read: ${fileTrouble(error)}.`, {
      cause: error,
    });
  }
  return parsePlans(text, where);
}

/**
 * Reads the text of a plan file.
 * @param where the name of the file in messages.
 * @throws {PlanFileError} when it is not JSON, lacks a field, has an unknown field, or has an invalid number.
 */
export function parsePlans(text: string, where: string): Plans {
  const file = fieldsOf(readJson(text, where), ['minuteSeconds', 'daySeconds', 'plans'], {
    where,
    field: '',
  });
  const minuteSeconds = seconds(file['minuteSeconds'], { where, field: 'minuteSeconds' });
  const daySeconds = seconds(file['daySeconds'], { where, field: 'daySeconds' });
  if (daySeconds < minuteSeconds) {
    throw wrong(daySeconds, `at least minuteSeconds (${minuteSeconds})`, { where, field: 'daySeconds' });
  }
  const named = Object.entries(objectOf(file['plans'], { where, field: 'plans' }));
  if (named.length === 0) throw wrong({}, 'at least one plan', { where, field: 'plans' });
  const plans = named.map(([name, value]) => [name, planOf(name, value, where)] as const);
  return { minuteSeconds, daySeconds, plans: Object.fromEntries(plans) };
}

/**
 * The limits of one plan with the lengths of its windows, in seconds.
 * @throws {PlanFileError} when no plan has this name, or when its limits are set by agreement and therefore unknown.
 */
export function limitsOf({ plans, minuteSeconds, daySeconds }: Plans, name: string): Limits {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (plan === undefined) {
    const known = Object.keys(plans);
    throw new PlanFileError(
      `There is no plan "${name}"; the plans are ${known.join(', ')}.${didYouMean(name, known)}`,
    );
  }
  if (plan === null) {
    throw new PlanFileError(
      `The numbers of plan "${name}" are set by agreement: state both (perMinute and perDay) in a plan file of ` +
        'your own and pass it with --plans.',
    );
  }
  return { ...plan, minuteSeconds, daySeconds };
}

/** A place in a plan file, for messages; an empty field means the whole file. */
interface Place {
  readonly where: string;
  readonly field: string;
}

/** Whether a text can name a plan: names become keys of objects (where `__proto__` has a special meaning), arguments and cells of tables. */
export const isPlanName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name);

function planOf(name: string, value: unknown, where: string): PlanLimits | null {
  const field = `plans.${name}`;
  if (!isPlanName(name)) {
    throw new PlanFileError(
      `${where}: "${name}" cannot name a plan; a name begins with a letter or a digit, then also space, . _ -`,
    );
  }
  if (value === null) return null;
  const plan = fieldsOf(value, ['perMinute', 'perDay'], { where, field });
  const perMinute = integer(plan['perMinute'], { where, field: `${field}.perMinute` });
  const perDay = integer(plan['perDay'], { where, field: `${field}.perDay` });
  if (perDay < perMinute) {
    throw wrong(perDay, `at least perMinute (${perMinute})`, { where, field: `${field}.perDay` });
  }
  return { perMinute, perDay };
}

function seconds(value: unknown, place: Place): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw wrong(value, SECONDS, place);
}

function integer(value: unknown, place: Place): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw wrong(value, INTEGER, place);
}

/** An object that has no other fields than these, so that a misspelt field is an error. */
function fieldsOf(value: unknown, names: readonly string[], place: Place): Readonly<Record<string, unknown>> {
  const object = objectOf(value, place);
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown === undefined) return object;
  const of = place.field === '' ? 'a plan file' : place.field;
  throw new PlanFileError(
    `${place.where}: "${unknown}" is not a field of ${of}; its fields are ${names.join(', ')}.`,
  );
}

function objectOf(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value;
  throw wrong(value, 'an object', place);
}

function wrong(value: unknown, wanted: string, { where, field }: Place): PlanFileError {
  const what = field === '' ? 'the file' : field;
  if (value === undefined) return new PlanFileError(`${where}: ${what} is missing; expected ${wanted}.`);
  return new PlanFileError(`${where}: ${what} is ${shown(value)}; expected ${wanted}.`);
}

function shown(value: unknown): string {
  // JSON.stringify would show an overflow such as 1e999 as null.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/**
 * lossless-json instead of `JSON.parse`: it rejects a key that occurs twice with different values, and its
 * messages name a position and at most one character, so that a file of secret keys passed by mistake is
 * not quoted.
 */
function readJson(text: string, where: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), undefined, { parseNumber: Number });
  } catch (error) {
    throw new PlanFileError(
      `${where}: the plan file is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
}
