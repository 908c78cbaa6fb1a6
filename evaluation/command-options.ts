import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/** The options that a command accepts, as `parseArgs` takes them. */
type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** The values of these options. */
type OptionValues<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ readonly options: Options }>
>['values'];

/** The arguments of a command: its options, and the names beside them. */
interface CommandArguments<Options extends OptionTable> {
  readonly values: OptionValues<Options>;
  /** Each is one of the names that the command knows; empty where none was given. */
  readonly names: readonly string[];
}

/**
 * Reads the options of a command of the laboratory from its arguments. `--help`
 * prints the usage and ends the process with 0. An unknown option ends it with 2,
 * one sentence and the usage.
 */
export const commandOptions = <Options extends OptionTable>(
  usage: string,
  options: Options,
): OptionValues<Options> => commandArguments(usage, options, []).values;

/**
 * Reads the options and the names of a command of the laboratory, as `commandOptions` does. A name that is not
 * among the known ones ends the process with 2, too.
 */
export function commandArguments<Options extends OptionTable>(
  usage: string,
  options: Options,
  known: readonly string[],
): CommandArguments<Options> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: known.length > 0 });
    const unknown = positionals.filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new TypeError(`There is no ${unknown.join(', ')}. There is ${known.join(', ')}.`);
    return { values, names: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
}
