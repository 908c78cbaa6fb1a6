import { optionsInFile } from '../options/config-file/read-options.ts';
import type { OptionValues } from '../options/table.ts';
import { withEnvironment } from './settings.ts';

/** Options with what a configuration file adds to them. */
export interface ConfiguredOptions {
  readonly options: OptionValues;
  /** What was read, for the terminal; undefined where there is no file. */
  readonly sentence: string | undefined;
}

/**
 * Adds what the configuration file states and neither an option nor a variable does. A recorded run is judged without
 * it, as by `judge`.
 * @throws {UserError} when the file is wrong, or names no target that is wanted.
 */
export function withConfigFile(given: OptionValues, env: NodeJS.ProcessEnv): ConfiguredOptions {
  const stated = withEnvironment(given, env);
  const read = stated.journal === undefined ? optionsInFile('certify', stated, env) : undefined;
  return { options: { ...given, ...read?.values }, sentence: read?.sentence };
}
