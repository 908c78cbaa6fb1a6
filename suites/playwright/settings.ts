import { join } from 'node:path';
import type { Limits } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { UserError } from '../../words/user-error.ts';
import { readBaseUrl } from '../inputs/base-url.ts';
import { checkedKey, distinctKeys } from '../inputs/checked-keys.ts';
import { readNamePattern } from '../inputs/name-pattern.ts';
import type { Keys } from '../wire/keyring.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says of an examination. Playwright has no command line of its own for us. */
export interface Settings {
  readonly baseUrl: URL;
  readonly plan: string;
  readonly limits: Limits;
  readonly keys: Keys;
  /** The user states that no other client uses the examined key during the run. */
  readonly exclusiveKey: boolean;
  /** How the names of categories are written, where the service has rules for them. */
  readonly namePattern: string | undefined;
}

/**
 * Reads the target, its plan and its keys.
 * @throws {UserError | PlanFileError} when something is missing or wrong; no message repeats a key.
 */
export function readSettings(env: Environment): Settings {
  const target = given(env, 'PETSTORE_TARGET');
  if (target === undefined) {
    throw new UserError(
      'Nothing to examine: set PETSTORE_TARGET to the base address of the service, such as https://api.example.com/v1, and PETSTORE_API_KEY to a key of it (or PETSTORE_JOURNAL to a recorded run).',
    );
  }
  const plan = given(env, 'PETSTORE_PLAN') ?? 'free';
  return {
    baseUrl: readBaseUrl(target, 'PETSTORE_TARGET'),
    plan,
    limits: limitsOf(loadPlans(given(env, 'PETSTORE_PLANS')), plan),
    keys: readKeys(env),
    exclusiveKey: isSet(env, 'PETSTORE_EXCLUSIVE_KEY'),
    namePattern: readPattern(env),
  };
}

function readPattern(env: Environment): string | undefined {
  const pattern = given(env, 'PETSTORE_NAME_PATTERN');
  return pattern === undefined ? undefined : readNamePattern(pattern, 'PETSTORE_NAME_PATTERN');
}

function readKeys(env: Environment): Keys {
  const keyIn = (name: string): string | undefined => {
    const value = given(env, name);
    return value === undefined ? undefined : checkedKey(value, `The key in ${name}`);
  };
  const key = keyIn('PETSTORE_API_KEY');
  if (key === undefined) {
    throw new UserError('No API key: put it into the environment variable PETSTORE_API_KEY.');
  }
  const other = keyIn('PETSTORE_OTHER_KEY');
  const exhausted = keyIn('PETSTORE_SPENT_KEY');
  const disposable = keyIn('PETSTORE_SACRIFICIAL_KEY');
  return distinctKeys({
    key,
    ...(other === undefined ? {} : { other }),
    ...(exhausted === undefined ? {} : { exhausted }),
    ...(disposable === undefined ? {} : { disposable }),
  });
}

/** The folder for the journal and the JUnit report. */
export const outFolder = (env: Environment): string =>
  given(env, 'PETSTORE_OUT') ?? join('out', 'playwright');

/** The journal that is judged, and whether it was recorded before: then nothing is sent. */
export function journalOf(env: Environment): { readonly path: string; readonly recorded: boolean } {
  const recorded = given(env, 'PETSTORE_JOURNAL');
  return recorded === undefined
    ? { path: join(outFolder(env), 'journal.ndjson'), recorded: false }
    : { path: recorded, recorded: true };
}

/** Whether every warning counts as a violation. */
export const isStrict = (env: Environment): boolean => isSet(env, 'PETSTORE_STRICT');

/** Whether a variable switches something on; a word that is not clear does. */
const isSet = (env: Environment, name: string): boolean =>
  !['0', 'false', 'no'].includes((given(env, name) ?? '0').toLowerCase());

/** Pipelines set variables of secrets that do not exist to the empty text. */
function given(env: Environment, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}
