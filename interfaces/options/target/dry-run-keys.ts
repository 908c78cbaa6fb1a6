import type { OptionValues } from '../table.ts';
import { options } from '../table.ts';

/**
 * The environment of a dry run, which sends nothing and so needs no key and no secret header: variables that are named
 * but not set have a placeholder. The same object where nothing is missing.
 */
export function dryRunEnvironment(values: OptionValues, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { apiKeyEnv, apiKeyFile, otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv } = values;
  const pairs = [...(values.planKeys ?? []), ...(values.headerEnv ?? [])];
  const named = [
    apiKeyFile === undefined ? (apiKeyEnv ?? options.apiKeyEnv.usual) : undefined,
    ...[otherKeyEnv, exhaustedKeyEnv, disposableKeyEnv],
    ...pairs.map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ];
  // Pipelines set the variable of a secret that does not exist to the empty text.
  const missing = named.filter((name) => name !== undefined && (env[name] ?? '') === '');
  if (missing.length === 0) return env;
  return { ...env, ...Object.fromEntries(missing.map((name, at) => [name, `placeholder-${at}`])) };
}

/** Whether a run with these options lacks a key or a secret header. */
export const lacksKeys = (values: OptionValues, env: NodeJS.ProcessEnv): boolean =>
  values.target !== undefined && dryRunEnvironment(values, env) !== env;
