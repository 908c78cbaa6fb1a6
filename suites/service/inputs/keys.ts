import { definedFields } from '../../../kernel/basics/defined-fields.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { readUserFile } from '../../../kernel/basics/user-file.ts';
import type { Keys } from '../wire/keyring.ts';
import { checkedKey, distinctKeys } from './checked-keys.ts';
import type { NamesWithKeys } from './input-names.ts';
import { KEY_VARIABLE } from './input-names.ts';

/** Where the keys of a run are found: names of environment variables and paths of files, never a key. */
export interface KeySources {
  readonly apiKeyEnv?: string;
  readonly apiKeyFile?: string;
  readonly otherKeyEnv?: string;
  readonly exhaustedKeyEnv?: string;
  readonly disposableKeyEnv?: string;
  /** `PLAN=VAR`, one for each further plan. */
  readonly planKey?: readonly string[];
}

/**
 * Reads every key of a run. No message repeats text that stands in the place of a variable's name: it may be
 * the key itself.
 * @throws {UserError} when a key is missing, is empty, cannot be sent, or is given twice.
 */
export function readKeys(sources: KeySources, names: NamesWithKeys, env: NodeJS.ProcessEnv): Keys {
  const { apiKeyEnv, apiKeyFile, otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv, planKey = [] } = sources;
  const { keyOptions, keyVariables } = names;
  if (apiKeyEnv !== undefined && apiKeyFile !== undefined) {
    throw new UserError(
      `${keyOptions.apiKeyEnv} and ${keyOptions.apiKeyFile} both name the key: give only one of them.`,
    );
  }
  const key =
    apiKeyFile === undefined
      ? mainKey(apiKeyEnv, names, env)
      : checkedKey(readUserFile(apiKeyFile, 'The key file').trim(), `The key in the file ${apiKeyFile}`);
  const other = furtherKey(keyOptions.otherKeyEnv, otherKeyEnv, keyVariables.other, env);
  const exhausted = furtherKey(keyOptions.exhaustedKeyEnv, exhaustedKeyEnv, keyVariables.exhausted, env);
  const disposable = furtherKey(keyOptions.disposableKeyEnv, disposableKeyEnv, keyVariables.disposable, env);
  const plans = planKey.map((pair) => planKeyOf(pair, names.planKey, env));
  return distinctKeys(
    definedFields({
      key,
      other,
      exhausted,
      disposable,
      plans: plans.length === 0 ? undefined : Object.fromEntries(plans),
    }),
  );
}

function mainKey(variable: string | undefined, names: NamesWithKeys, env: NodeJS.ProcessEnv): string {
  if (variable !== undefined) return namedKey(names.keyOptions.apiKeyEnv, variable, env);
  const value = env[KEY_VARIABLE];
  if (value === undefined) {
    throw new UserError(
      `No API key: put it into the environment variable ${KEY_VARIABLE}, or ${names.otherKeyPlaces}.`,
    );
  }
  return checkedKey(value, `The key in ${KEY_VARIABLE}`);
}

/** The key in the variable that an option names; without the option, the key in the usual variable, where that is set. */
function furtherKey(
  option: string,
  named: string | undefined,
  usual: string | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (named !== undefined) return namedKey(option, named, env);
  // Pipelines set the variable of a secret that does not exist to the empty text.
  const value = usual === undefined ? '' : (env[usual] ?? '');
  return value === '' ? undefined : checkedKey(value, `The key in ${usual}`);
}

function namedKey(option: string, variable: string, env: NodeJS.ProcessEnv): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) {
    throw new UserError(
      `${option} takes the NAME of an environment variable, and the given text cannot be a name. If it is the key itself, remove it from the history of your shell, put the key into a variable and pass the variable's name.`,
    );
  }
  const value = env[variable];
  if (value === undefined) {
    throw new UserError(
      `The environment variable that ${option} names is not set: export it first, then pass its name (the name is not repeated here, because it could be the key itself).`,
    );
  }
  return checkedKey(value, `The key that ${option} names`);
}

function planKeyOf(pair: string, name: string, env: NodeJS.ProcessEnv): readonly [plan: string, key: string] {
  const at = pair.indexOf('=');
  if (at < 1) {
    throw new UserError(
      `${name} takes PLAN=VAR, for example pro=PETSTORE_PRO_KEY, where VAR is the name of an environment variable.`,
    );
  }
  return [pair.slice(0, at), namedKey(name, pair.slice(at + 1), env)];
}
