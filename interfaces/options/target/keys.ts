import { definedFields } from '../../../kernel/basics/defined-fields.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { readUserFile } from '../../../kernel/basics/user-file.ts';
import { checkedKey, distinctKeys } from '../../../suites/service/inputs/checked-keys.ts';
import type { Keys } from '../../../suites/service/wire/keyring.ts';
import type { Names } from '../names.ts';
import type { OptionValues } from '../table.ts';
import { options } from '../table.ts';

/**
 * Reads every key of a run. No message repeats text that stands in the place of a variable's name: it may be
 * the key itself.
 * @throws {UserError} when a key is missing, is empty, cannot be sent, or is given twice.
 */
export function readKeys(values: OptionValues, names: Names, env: NodeJS.ProcessEnv): Keys {
  const { apiKeyEnv, apiKeyFile, planKeys = [] } = values;
  if (apiKeyEnv !== undefined && apiKeyFile !== undefined) {
    throw new UserError(
      `${names.apiKeyEnv} and ${names.apiKeyFile} both name the key: give only one of them.`,
    );
  }
  const key =
    apiKeyFile === undefined
      ? (keyOf('apiKeyEnv', values, names, env) ?? noKey(names))
      : checkedKey(readUserFile(apiKeyFile, 'The key file').trim(), `The key in the file ${apiKeyFile}`);
  const plans = planKeys.map((pair) => planKeyOf(pair, names.planKeys, env));
  return distinctKeys(
    definedFields({
      key,
      other: keyOf('otherKeyEnv', values, names, env),
      exhausted: keyOf('exhaustedKeyEnv', values, names, env),
      disposable: keyOf('disposableKeyEnv', values, names, env),
      plans: plans.length === 0 ? undefined : Object.fromEntries(plans),
    }),
  );
}

function noKey(names: Names): never {
  throw new UserError(
    `No API key: put it into the environment variable ${options.apiKeyEnv.usual}, or into a file that you name with ${names.apiKeyFile}.`,
  );
}

type KeyOption = 'apiKeyEnv' | 'otherKeyEnv' | 'exhaustedKeyEnv' | 'disposableKeyEnv';

/** The key in the variable that an option names; without the option, the key in the usual variable, where that is set. */
function keyOf(
  option: KeyOption,
  values: OptionValues,
  names: Names,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const { usual = '', variable, formerly } = options[option];
  const named = values[option];
  // Playwright reads these variables where no option names another one.
  if (named !== undefined && (named === variable || named === formerly)) {
    return namedKey(names[option], named, env, `The key in ${named}`);
  }
  if (named !== undefined) return namedKey(names[option], named, env);
  const value = env[usual];
  // Pipelines set the variable of a secret that does not exist to the empty text.
  if (value === undefined || (value === '' && option !== 'apiKeyEnv')) return undefined;
  return checkedKey(value, `The key in ${usual}`);
}

function namedKey(
  option: string,
  variable: string,
  env: NodeJS.ProcessEnv,
  which = `The key that ${option} names`,
): string {
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
  return checkedKey(value, which);
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
