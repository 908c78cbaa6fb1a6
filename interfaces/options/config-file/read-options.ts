import { UserError } from '../../../kernel/basics/errors.ts';
import { shellWord } from '../../../kernel/basics/text.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import { isCounted, remaining } from '../given.ts';
import type { OptionName, OptionValues } from '../table.ts';
import { OPTION_NAMES, options, optionsOf } from '../table.ts';
import type { ConfigurableCommand } from './file-for.ts';
import { fileFor } from './file-for.ts';
import type { ChosenTarget, Config, ConfiguredTarget } from './read-config.ts';
import { chooseTarget, readConfig } from './read-config.ts';
import { configuredValues, entryOf } from './values.ts';

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

/**
 * The host that the file permits to be loaded; undefined where it permits none. A file can lie in a folder without the
 * knowledge of whoever runs a command there, so it permits nothing alone: the user has to name the target as well. And
 * it names the host a second time, so that a changed address loads no other host.
 * @throws {UserError} when the file forbids load on this target, or names another host.
 */
function permittedHost(
  { name, target: { url, allowLoad }, isNamed }: ChosenTarget,
  file: string,
): string | undefined {
  if (allowLoad === undefined || !URL.canParse(url)) return undefined;
  if (allowLoad === false) {
    throw new UserError(
      `${file}: targets.${name} must not be loaded ("allowLoad": false). Choose another target with --target.`,
    );
  }
  const { hostname } = new URL(url);
  if (allowLoad.toLowerCase() !== hostname) {
    throw new UserError(
      `${file}: targets.${name}.allowLoad names ${allowLoad}, but its url has the host ${hostname}: both must name the same host, so that no other host is loaded by mistake.`,
    );
  }
  return isNamed ? allowLoad : undefined;
}

/** What decides how a configuration is worded. */
interface Circumstances {
  readonly command: ConfigurableCommand;
  /** What the user gives in another way than by the file. */
  readonly given: OptionValues;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Which file and which target of it a run uses; which variables go to a target that is another machine, because the
 * file may come with a foreign repository; and what is missing where it permits load on a target that the user does not name.
 */
function configurationSentence(
  file: string,
  chosen: ChosenTarget | undefined,
  circumstances: Circumstances,
): string {
  if (chosen === undefined) return `Configuration: ${file}.`;
  const { name, target, isNamed } = chosen;
  const hint =
    circumstances.command === 'load' && typeof target.allowLoad === 'string' && !isNamed
      ? ` (its "allowLoad" counts with --target ${shellWord(name)})`
      : '';
  return `Configuration: ${file}, target "${name}"${hint}.${receiverSentence(target, circumstances)}`;
}

function receiverSentence(target: ConfiguredTarget, { command, given, env }: Circumstances): string {
  if (!URL.canParse(target.url) || isLoopback(new URL(target.url))) return '';
  const counted = OPTION_NAMES.filter((name) => isCounted(name, given));
  const variables = counted.flatMap((name) => {
    const named = variablesIn(name, target);
    const { usual, takers } = options[name];
    const isUsual = usual !== undefined && env[usual] !== undefined && takers.includes(command);
    return named.length === 0 && isUsual ? [usual] : named;
  });
  if (variables.length === 0) return '';
  const { origin, pathname } = new URL(target.url);
  return ` ${origin}${pathname} receives the values of ${[...new Set(variables)].join(', ')}.`;
}

/** The variables that a target names for an option: one, or that of each pair. */
function variablesIn(name: OptionName, target: ConfiguredTarget): readonly string[] {
  const row = options[name];
  const entry = entryOf(name, target);
  if (row.kind === 'variable') return entry === undefined ? [] : [String(entry)];
  return row.kind === 'pairs' && row.between === '=' ? Object.values(Object(entry)).map(String) : [];
}
