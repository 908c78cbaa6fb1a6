import { readFileSync } from 'node:fs';
import type { Keys } from '../suites/index.ts';
import { checkedKey, distinctKeys } from '../suites/inputs/checked-keys.ts';
import { fileTrouble } from '../words/file-trouble.ts';
import { UserError } from '../words/user-error.ts';

/** Where the keys of a run are to be found. Names of environment variables and paths only, never a key. */
export interface KeySources {
  readonly apiKeyEnv?: string;
  readonly apiKeyFile?: string;
  readonly otherKeyEnv?: string;
  readonly exhaustedKeyEnv?: string;
  readonly disposableKeyEnv?: string;
  /** `PLAN=VAR`, once for each further plan. */
  readonly planKey?: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that are read where no other is named. */
export const KEY_VARIABLE = 'PETSTORE_API_KEY';
export const OTHER_KEY_VARIABLE = 'PETSTORE_OTHER_KEY';

/**
 * Reads every key of a run. No message repeats what the user wrote where a
 * variable's name belongs: it may be the key itself.
 * @throws {UserError} when one is missing, is empty, cannot be sent, or stands for two callers.
 */
export function readKeys(sources: KeySources, env: Environment): Keys {
  const { apiKeyEnv, apiKeyFile, otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv, planKey = [] } = sources;
  if (apiKeyEnv !== undefined && apiKeyFile !== undefined) {
    throw new UserError('--api-key-env and --api-key-file both name the key: give one of them.');
  }
  const key =
    apiKeyFile === undefined ? mainKey(apiKeyEnv, env) : checkedKey(fileText(apiKeyFile), 'The key file');
  const other =
    otherKeyEnv === undefined
      ? optional(OTHER_KEY_VARIABLE, env)
      : named('--other-key-env', otherKeyEnv, env);
  const plans = planKey.map((pair) => planKeyOf(pair, env));
  return distinctKeys({
    key,
    ...(other === undefined ? {} : { other }),
    ...(exhaustedKeyEnv === undefined
      ? {}
      : { exhausted: named('--exhausted-key-env', exhaustedKeyEnv, env) }),
    ...(disposableKeyEnv === undefined
      ? {}
      : { disposable: named('--disposable-key-env', disposableKeyEnv, env) }),
    ...(plans.length === 0 ? {} : { plans: Object.fromEntries(plans) }),
  });
}

function mainKey(variable: string | undefined, env: Environment): string {
  if (variable !== undefined) return named('--api-key-env', variable, env);
  const value = env[KEY_VARIABLE];
  if (value === undefined) {
    throw new UserError(
      `No API key: put it into the environment variable ${KEY_VARIABLE}, or name another variable with --api-key-env or a file with --api-key-file.`,
    );
  }
  return checkedKey(value, `The key in ${KEY_VARIABLE}`);
}

/** Pipelines set variables of secrets that do not exist to the empty text. */
function optional(variable: string, env: Environment): string | undefined {
  const value = env[variable] ?? '';
  return value === '' ? undefined : checkedKey(value, `The key in ${variable}`);
}

function named(option: string, variable: string, env: Environment): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) {
    throw new UserError(
      `${option} takes the NAME of an environment variable, and what was given cannot be one. If it was the key itself, it now stands in the shell's history: keys belong into a variable, never into the command line.`,
    );
  }
  const value = env[variable];
  if (value === undefined) {
    throw new UserError(
      `The environment variable that ${option} names is not set (its name is not repeated here, in case it was the key itself): export it first, then pass its name.`,
    );
  }
  return checkedKey(value, `The key that ${option} names`);
}

function planKeyOf(pair: string, env: Environment): readonly [plan: string, key: string] {
  const at = pair.indexOf('=');
  if (at < 1) {
    throw new UserError('--plan-key takes PLAN=VAR, for example pro=PETSTORE_PRO_KEY; VAR names a variable.');
  }
  const plan = pair.slice(0, at);
  return [plan, named('--plan-key', pair.slice(at + 1), env)];
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new UserError(`The key file ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}
