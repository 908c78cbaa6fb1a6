import { fileURLToPath } from 'node:url';
import { parse } from 'lossless-json';
import { UserError } from '../kernel/basics/errors.ts';
import type { Static } from '../kernel/basics/shape.ts';
import {
  about,
  closed,
  mapOf,
  named,
  object,
  orNull,
  position,
  positive,
  troubleText,
  where,
} from '../kernel/basics/shape.ts';
import { didYouMean } from '../kernel/basics/text.ts';
import { readUserFile } from '../kernel/basics/user-files.ts';

/** The limits of a plan (the table "Request rates by plan" of the specification). */
const planFields = {
  perMinute: about('Requests in a minute.', position),
  perDay: about('Requests in a day, not below perMinute.', position),
};
const windowFields = {
  minuteSeconds: about('Length of the window called a minute, in seconds; fractions are allowed.', positive),
  daySeconds: about(
    'Length of the window called a day, in seconds; never shorter than the minute.',
    positive,
  ),
};

export const limitsShape = named(
  'limits',
  object('The two numbers of a plan and how long its windows last.', { ...planFields, ...windowFields }),
);
export type Limits = Static<typeof limitsShape>;

const planLimits = where(
  closed(object(planFields)),
  ({ perMinute, perDay }) => perDay >= perMinute,
  'must have a perDay that is not below its perMinute',
);
export type PlanLimits = Static<typeof planLimits>;

/** Names become keys of objects (where `__proto__` has a special meaning), arguments and cells of tables. */
const PLAN_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;

/** A plan file: the lengths of the windows, and the limits of each plan by name; `null` is "by agreement", as for Enterprise. */
export const plansShape = where(
  closed(
    object({
      ...windowFields,
      plans: where(
        mapOf(orNull(planLimits)),
        (plans) => Object.keys(plans).length > 0 && Object.keys(plans).every((name) => PLAN_NAME.test(name)),
        'must have at least one plan, each named by a letter or a digit and then also space, . _ -',
      ),
    }),
  ),
  ({ minuteSeconds, daySeconds }) => daySeconds >= minuteSeconds,
  'must have a daySeconds that is not below its minuteSeconds',
);
export type Plans = Static<typeof plansShape>;

/**
 * Reads a plan file.
 * @param path the path of the file; without it, the plans of the specification (`spec/plans.json`).
 * @throws {UserError} when it cannot be read or is not a plan file.
 */
export function loadPlans(path?: string): Plans {
  const file = path ?? fileURLToPath(new URL('./plans.json', import.meta.url));
  return parsePlans(readUserFile(file, 'The plan file'), path ?? 'spec/plans.json');
}

/**
 * Reads the text of a plan file.
 * @param where the name of the file in messages.
 * @throws {UserError} when it is not JSON, lacks a field, has an unknown field, or has an invalid number.
 */
export function parsePlans(text: string, where: string): Plans {
  const plans = readJson(text, where);
  if (plansShape.is(plans)) return plans;
  throw new UserError(`${where}: ${troubleText(plans, plansShape)}.`);
}

/**
 * The limits of one plan with the lengths of its windows, in seconds.
 * @throws {UserError} when no plan has this name, or when its limits are set by agreement and therefore unknown.
 */
export function limitsOf({ plans, minuteSeconds, daySeconds }: Plans, name: string): Limits {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (plan === undefined) {
    const known = Object.keys(plans);
    throw new UserError(
      `There is no plan "${name}"; the plans are ${known.join(', ')}.${didYouMean(name, known)}`,
    );
  }
  if (plan === null) {
    throw new UserError(
      `The numbers of plan "${name}" are set by agreement: state both (perMinute and perDay) in a plan file of ` +
        'your own and pass it with --plans.',
    );
  }
  return { ...plan, minuteSeconds, daySeconds };
}

/**
 * lossless-json instead of `JSON.parse`: it rejects a key that occurs twice with different values, and its messages
 * name a position and at most one character, so that a file of secret keys passed by mistake is not quoted.
 */
function readJson(text: string, where: string): unknown {
  try {
    return parse(text.replace(/^\uFEFF/, ''), undefined, { parseNumber: Number });
  } catch (error) {
    throw new UserError(
      `${where}: the plan file is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
