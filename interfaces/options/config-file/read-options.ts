import { remaining } from '../layers.ts';
import type { OptionValues } from '../table.ts';
import { OPTION_NAMES, options, optionsOf } from '../table.ts';
import type { ChosenTarget } from './choose-target.ts';
import { chooseTarget, fileFor } from './choose-target.ts';
import type { Config } from './config.ts';
import { permittedHost } from './permitted-host.ts';
import { readConfig } from './read-config.ts';
import { configurationSentence } from './sentence.ts';
import type { ConfigurableCommand } from './values.ts';
import { configuredValues } from './values.ts';

/** What a configuration file adds to the options of a user. */
export interface FileOptions {
  /** Those that no higher layer gives or states in other words; the address in place of the name of a target. */
  readonly values: OptionValues;
  /** What was read, for the terminal. */
  readonly sentence: string;
}

/**
 * Reads the options of a configuration file; undefined where there is no file.
 * @param given what the higher layers give.
 * @throws {UserError} when the file is wrong, or names no target that is wanted.
 */
export function optionsInFile(
  command: ConfigurableCommand,
  given: OptionValues,
  env: NodeJS.ProcessEnv,
): FileOptions | undefined {
  const file = fileFor(given.config);
  if (file === undefined) return undefined;
  const config = readConfig(file);
  const chosen = isTargetMeant(command, given) ? chooseTarget(given.target, config, file) : undefined;
  return {
    values: { ...remaining(valuesIn(command, config, chosen, file), given), ...addressOf(chosen) },
    sentence: configurationSentence(file, chosen, { command, given, env }),
  };
}

/** Where an option of the bundled server is given, no target of the file is meant. */
function isTargetMeant(command: ConfigurableCommand, given: OptionValues): boolean {
  if (!optionsOf(command).includes('target')) return false;
  const isBundled = OPTION_NAMES.some(
    (name) => options[name].scope === 'bundled' && given[name] !== undefined,
  );
  return given.target !== undefined || !isBundled;
}

function valuesIn(
  command: ConfigurableCommand,
  config: Config,
  chosen: ChosenTarget | undefined,
  file: string,
): OptionValues {
  const permitted = command === 'load' && chosen !== undefined ? permittedHost(chosen, file) : undefined;
  return {
    ...configuredValues(command, config, chosen?.target, file),
    ...(permitted === undefined ? {} : { allowHost: [permitted] }),
  };
}

const addressOf = (chosen: ChosenTarget | undefined): Pick<OptionValues, 'target'> =>
  chosen === undefined ? {} : { target: chosen.target.url };
