import { ENVIRONMENT } from '../../suites/service/inputs/input-names.ts';
import { configurationSentence } from '../command/config/apply-config.ts';
import { chooseTarget, fileFor } from '../command/config/choose-target.ts';
import type { ConfiguredTarget } from '../command/config/config.ts';
import { givesWay } from '../command/config/gives-way.ts';
import { commandValues, targetValues } from '../command/config/options-of.ts';
import { readConfig } from '../command/config/read-config.ts';
import type { PetstoreOptions } from './options.ts';
import { environmentOptions, present, variableValue } from './options.ts';

/** Options with what a configuration file adds to them. */
export interface ConfiguredOptions {
  readonly options: PetstoreOptions;
  /** What was read, for the terminal; undefined where there is no file. */
  readonly sentence: string | undefined;
}

/**
 * Adds what the configuration file states and neither an option nor a variable does. A recorded run is judged without
 * it, as by `judge`.
 * @throws {UserError} when the file is wrong, or names no target that is wanted.
 */
export function withConfigFile(given: PetstoreOptions, env: NodeJS.ProcessEnv): ConfiguredOptions {
  const stated = { ...environmentOptions(env), ...present(given) };
  const file = stated.journal === undefined ? fileFor(stated.config) : undefined;
  if (file === undefined) return { options: given, sentence: undefined };
  const config = readConfig(file);
  const chosen = chooseTarget(stated.target, config, file);
  const fromFile: PetstoreOptions = {
    ...commandValues('certify', config, file),
    ...(chosen === undefined ? {} : targetOptions(chosen.target, file)),
  };
  const names = new Set(Object.keys(stated));
  const isGiven = (option: string): boolean => names.has(option) || isVariableSet(option, env);
  const added = Object.entries(fromFile).filter(([option]) => !givesWay(option, isGiven));
  return {
    options: {
      ...Object.fromEntries(added),
      ...given,
      ...(chosen === undefined ? {} : { target: chosen.target.url }),
    },
    sentence: configurationSentence(file, chosen, { isLoad: false, isGiven, env }),
  };
}

/** What a target states, as options of this interface: records where the command has a list of pairs. */
function targetOptions(target: ConfiguredTarget, file: string): PetstoreOptions {
  const {
    planKey: _,
    header: _header,
    fleetKeysEnv: _fleet,
    headerEnv: _env,
    ...same
  } = targetValues(target, file);
  return {
    ...same,
    ...present({ planKeys: target.keys?.plans, headers: target.headers, headerEnv: target.secretHeaders }),
  };
}

/** The options that are read from their variables later than the others. */
const LATE: Readonly<Record<string, string>> = {
  planKeys: ENVIRONMENT.planKey,
  headers: ENVIRONMENT.headers,
  headerEnv: ENVIRONMENT.headerEnv,
};

function isVariableSet(option: string, env: NodeJS.ProcessEnv): boolean {
  const name = LATE[option];
  return name !== undefined && variableValue(env, name) !== undefined;
}
