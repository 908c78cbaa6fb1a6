import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/** The options that a command accepts, as `parseArgs` takes them. */
type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** The values of these options. */
type OptionValues<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ readonly options: Options }>
>['values'];

/**
 * Reads the options of a command of the laboratory from its arguments. `--help`
 * prints the usage and ends the process with 0. An unknown option ends it with 2,
 * one sentence and the usage.
 */
export function commandOptions<Options extends OptionTable>(
  usage: string,
  options: Options,
): OptionValues<Options> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n${usage}\n`);
    process.exit(2);
  }
}
