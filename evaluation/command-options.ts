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
 * Reads the options and the names of an evaluation from its arguments. `--help` prints the usage and ends the process
 * with 0. An option or a name that does not exist ends it with 2, one sentence and the usage.
 * @param isName whether the evaluation knows a name
 */
export function commandArguments<Options extends OptionTable>(
  usage: string,
  options: Options,
  isName: (name: string) => boolean,
): CommandArguments<Options> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.filter((name) => !isName(name));
    if (unknown.length > 0) throw new TypeError(`There is no ${unknown.join(', ')}.`);
    return { values, names: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
}
