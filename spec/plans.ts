import { readFileSync } from 'node:fs';
import { parse } from 'lossless-json';
import { nearest } from '../words/nearest.ts';
import { UserError } from '../words/user-error.ts';

/** How many requests a plan grants (the specification's table "Request rates by plan"). */
export interface PlanLimits {
  /** Requests in one window of a minute; a whole number of at least 1. */
  readonly perMinute: number;
  /** Requests in one window of a day; a whole number not below `perMinute`. */
  readonly perDay: number;
}

/** A plan's numbers together with the length of the windows that they count in. */
export interface Limits extends PlanLimits {
  /** Length of the window called a minute, in seconds; fractions are allowed. */
  readonly minuteSeconds: number;
  /** Length of the window called a day, in seconds; never shorter than the minute. */
  readonly daySeconds: number;
}

/** A plan file: how long its windows last, and what each plan grants. */
export interface Plans {
  /** Length of the window called a minute, in seconds; 60 unless a demonstration shortens it. */
  readonly minuteSeconds: number;
  /** Length of the window called a day, in seconds; 86,400 unless a demonstration shortens it. */
  readonly daySeconds: number;
  /** By name; `null` is "by agreement", as for Enterprise. */
  readonly plans: Readonly<Record<string, PlanLimits | null>>;
}

/** What is wrong with a plan file or with the choice of a plan, in one sentence for the user. */
export class PlanFileError extends UserError {
  override readonly name = 'PlanFileError';
}

const WHOLE = 'a whole number of at least 1';
const SECONDS = 'a number of seconds greater than 0';

/**
 * Reads a plan file.
 * @param path where it lies; without it, the plans of the specification (`spec/plans.json`).
 * @throws {PlanFileError} when it cannot be read or is not a plan file.
 */
export function loadPlans(path?: string): Plans {
  const where = path ?? 'spec/plans.json';
  let text: string;
  try {
    text = readFileSync(path ?? new URL('./plans.json', import.meta.url), 'utf8');
  } catch (error) {
    throw new PlanFileError(`${where}: the plan file cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  return parsePlans(text, where);
}

/**
 * Reads the text of a plan file.
 * @param where what to call the file in a message.
 * @throws {PlanFileError} when it is not JSON, lacks a field, has one too many, or states an impossible number.
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
 * The numbers of one plan with the lengths of its windows, in seconds.
 * @throws {PlanFileError} when no plan has this name, or when its numbers are set by agreement and so not known.
 */
export function limitsOf({ plans, minuteSeconds, daySeconds }: Plans, name: string): Limits {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (plan === undefined) {
    const known = Object.keys(plans);
    const likely = nearest(name, known);
    const hint = likely === undefined ? '' : ` Did you mean "${likely}"?`;
    throw new PlanFileError(`There is no plan "${name}"; the plan file knows ${known.join(', ')}.${hint}`);
  }
  if (plan === null) {
    throw new PlanFileError(
      `The numbers of plan "${name}" are set by agreement: state both (perMinute and perDay) in a plan file of ` +
        'your own and pass it with --plans.',
    );
  }
  return { ...plan, minuteSeconds, daySeconds };
}

/** A place in a plan file, for messages; an empty field is the file as a whole. */
interface Place {
  readonly where: string;
  readonly field: string;
}

function planOf(name: string, value: unknown, where: string): PlanLimits | null {
  const field = `plans.${name}`;
  // Names become keys of objects (where `__proto__` means something else), command-line words and table cells.
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u.test(name)) {
    throw new PlanFileError(
      `${where}: "${name}" cannot name a plan; a name begins with a letter or a digit, then also space, . _ -`,
    );
  }
  if (value === null) return null;
  const plan = fieldsOf(value, ['perMinute', 'perDay'], { where, field });
  const perMinute = whole(plan['perMinute'], { where, field: `${field}.perMinute` });
  const perDay = whole(plan['perDay'], { where, field: `${field}.perDay` });
  if (perDay < perMinute) {
    throw wrong(perDay, `at least perMinute (${perMinute})`, { where, field: `${field}.perDay` });
  }
  return { perMinute, perDay };
}

function seconds(value: unknown, place: Place): number {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw wrong(value, SECONDS, place);
}

function whole(value: unknown, place: Place): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw wrong(value, WHOLE, place);
}

/** An object that has these fields, and no other: a misspelt field would otherwise be passed over in silence. */
function fieldsOf(value: unknown, names: readonly string[], place: Place): Readonly<Record<string, unknown>> {
  const object = objectOf(value, place);
  const strange = Object.keys(object).find((name) => !names.includes(name));
  if (strange === undefined) return object;
  const of = place.field === '' ? 'a plan file' : place.field;
  throw new PlanFileError(
    `${place.where}: "${strange}" is no field of ${of}; its fields are ${names.join(', ')}.`,
  );
}

function objectOf(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw wrong(value, 'an object', place);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(value: unknown, wanted: string, { where, field }: Place): PlanFileError {
  const what = field === '' ? 'the file' : field;
  if (value === undefined) return new PlanFileError(`${where}: ${what} is missing; ${wanted} belongs there.`);
  return new PlanFileError(`${where}: ${what} is ${shown(value)}, where ${wanted} belongs.`);
}

function shown(value: unknown): string {
  // JSON has no word for an overflow such as 1e999, and would show it as null.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/**
 * lossless-json instead of `JSON.parse`, because it refuses a key that stands twice with two values, and
 * because its message names a position and at most one character: a file of keys that is passed by
 * mistake is not quoted back.
 */
function readJson(text: string, where: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), undefined, { parseNumber: Number });
  } catch (error) {
    throw new PlanFileError(`${where}: the plan file is not JSON: ${reasonOf(error)}.`, { cause: error });
  }
}

const READ_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return READ_FAILURES[code] ?? error.message;
}
