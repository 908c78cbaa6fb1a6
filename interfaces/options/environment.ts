import { VARIABLES } from './names.ts';
import type { Row } from './row.ts';
import type { OptionName, OptionValues } from './table.ts';
import { options, optionsOf } from './table.ts';

/** The options that the environment gives to Playwright, which has no command line of its own. */
export const environmentOptions = (env: NodeJS.ProcessEnv): OptionValues =>
  Object.fromEntries(
    optionsOf('playwright').flatMap((name) => {
      const value = valueIn(env, name, options[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );

function valueIn(env: NodeJS.ProcessEnv, name: OptionName, row: Row): unknown {
  // Every interface reads the usual variables itself, where no option names another.
  if (row.usual !== undefined) return undefined;
  if (row.kind === 'variable') {
    return [VARIABLES[name], row.formerly ?? ''].find(
      (variable) => variableValue(env, variable) !== undefined,
    );
  }
  const text = variableValue(env, VARIABLES[name]);
  if (text === undefined) return undefined;
  switch (row.kind) {
    case 'switch':
      return !isOff(text);
    case 'list':
      return partsOf(text, /,/);
    case 'pairs':
      return partsOf(text, row.between === '=' ? /[\s,]+/ : /\r?\n/);
    default:
      return row.off !== undefined && isOff(text) ? false : text;
  }
}

/** Any other value switches on. */
const isOff = (text: string): boolean => ['0', 'false', 'no'].includes(text.toLowerCase());

function partsOf(text: string, separator: RegExp): readonly string[] | undefined {
  const parts = text.split(separator).filter((part) => part.trim() !== '');
  return parts.length === 0 ? undefined : parts;
}

/** Pipelines set the variable of a secret that does not exist to the empty text. */
function variableValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}
