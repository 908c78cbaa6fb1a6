import type { Command } from 'commander';
import { shellWord } from '../../../kernel/basics/shell-word.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import { KEY_VARIABLE, OTHER_KEY_VARIABLE } from '../../../suites/service/inputs/input-names.ts';
import type { ChosenTarget } from './choose-target.ts';
import { chooseTarget, fileFor } from './choose-target.ts';
import type { ConfiguredTarget } from './config.ts';
import { givesWay } from './gives-way.ts';
import type { ConfigurableCommand, OptionValues } from './options-of.ts';
import { commandValues, targetValues } from './options-of.ts';
import { readConfig } from './read-config.ts';

/** Options of the bundled server: where one is given, no target of the file is meant. */
const BUNDLED = ['algorithm', 'fault', 'variant'];

/**
 * Gives a command the options of a configuration file that its command line does not have.
 * @param name the command, in the words of the file.
 * @param unusable options that this run cannot use, and that an entry of the file therefore does not set.
 * @returns a sentence that says what was read; undefined where there is no file.
 * @throws {UserError} when the file is wrong, or names no target that is wanted.
 */
export function applyConfig(
  command: Command,
  name: ConfigurableCommand,
  unusable: readonly string[] = [],
): string | undefined {
  const file = fileFor(command.getOptionValue('config'));
  if (file === undefined) return undefined;
  const config = readConfig(file);
  const isGiven = (option: string): boolean => command.getOptionValueSource(option) === 'cli';
  const asked: unknown = command.getOptionValue('target');
  const noTarget = name === 'certify-client' || (asked === undefined && BUNDLED.some(isGiven));
  const chosen = noTarget ? undefined : chooseTarget(asked, config, file);
  const permitted = chosen === undefined || name !== 'load' ? undefined : permittedHost(chosen, file);
  const values: OptionValues = {
    ...commandValues(name, config, file),
    ...(chosen === undefined ? {} : targetValues(chosen.target, file)),
    ...(permitted === undefined ? {} : { allowHost: [permitted] }),
  };
  if (chosen !== undefined) command.setOptionValueWithSource('target', chosen.target.url, 'config');
  const known = new Set(['words', ...command.options.map((option) => option.attributeName())]);
  for (const [option, value] of Object.entries(values)) {
    if (!known.has(option) || unusable.includes(option) || givesWay(option, isGiven)) continue;
    command.setOptionValueWithSource(option, value, 'config');
  }
  return configurationSentence(file, chosen, { isLoad: name === 'load', isGiven, env: process.env });
}

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
  readonly isLoad: boolean;
  /** Whether the user gives an option in another way than the file. */
  readonly isGiven: (option: string) => boolean;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Which file and which target of it a run uses; which variables go to a target that is another machine, because the
 * file may come with a foreign repository; and what is missing where it permits load on a target that the user does not name.
 */
export function configurationSentence(
  file: string,
  chosen: ChosenTarget | undefined,
  { isLoad, isGiven, env }: Circumstances,
): string {
  if (chosen === undefined) return `Configuration: ${file}.`;
  const { name, target, isNamed } = chosen;
  const hint =
    isLoad && typeof target.allowLoad === 'string' && !isNamed
      ? ` (its "allowLoad" counts with --target ${shellWord(name)})`
      : '';
  return `Configuration: ${file}, target "${name}"${hint}.${receiverSentence(target, isGiven, env)}`;
}

function receiverSentence(
  { url, keys = {}, secretHeaders = {} }: ConfiguredTarget,
  isGiven: (option: string) => boolean,
  env: NodeJS.ProcessEnv,
): string {
  if (!URL.canParse(url) || isLoopback(new URL(url))) return '';
  const { key, other, exhausted, disposable, fleet, plans = {} } = keys;
  const usualOther = env[OTHER_KEY_VARIABLE] === undefined ? [] : [OTHER_KEY_VARIABLE];
  const variables = [
    ...(isGiven('apiKeyEnv') || isGiven('apiKeyFile') ? [] : [key ?? KEY_VARIABLE]),
    ...(other === undefined ? usualOther : [other]),
    ...[exhausted, disposable, fleet].filter((variable) => variable !== undefined),
    ...Object.values(plans),
    ...Object.values(secretHeaders),
  ];
  if (variables.length === 0) return '';
  const { origin, pathname } = new URL(url);
  return ` ${origin}${pathname} receives the values of ${[...new Set(variables)].join(', ')}.`;
}
