import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { nearest } from '../../words/nearest.ts';
import { shellWord } from '../../words/shell-word.ts';
import { UserError } from '../../words/user-error.ts';
import type { Config } from './config.ts';
import { CONFIG_FILE } from './config.ts';
import type { ChosenTarget } from './load-permission.ts';
import { permittedHost } from './load-permission.ts';
import type { ConfigurableCommand, OptionValues } from './options-of.ts';
import { commandValues, targetValues } from './options-of.ts';
import { readConfig } from './read-config.ts';

/** Options of the bundled server: where one is given, no target of the file is meant. */
const BUNDLED = ['algorithm', 'fault', 'variant'];

/** What the command line may state in other words: an entry of the file gives way to each of these options. */
const GIVES_WAY: Readonly<Record<string, readonly string[]>> = {
  apiKeyEnv: ['apiKeyFile'],
  fleetKeysEnv: ['fleetKeysFile'],
  namePattern: ['challenge'],
  quick: ['thorough', 'spendDay', 'only'],
  thorough: ['quick'],
  only: ['quick', 'serve'],
  words: ['serve', 'template'],
  long: ['serve'],
  jobs: ['serve'],
  seconds: ['serve'],
};

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
  const folder = dirname(file);
  const chosen = name === 'certify-client' ? undefined : targetFor(command, config, file);
  const permitted = chosen === undefined || name !== 'load' ? undefined : permittedHost(chosen, file);
  const values: OptionValues = {
    ...commandValues(name, config, file, folder),
    ...(chosen === undefined ? {} : targetValues(chosen.target, folder)),
    ...(permitted === undefined ? {} : { allowHost: [permitted] }),
  };
  if (chosen !== undefined) command.setOptionValueWithSource('target', chosen.target.url, 'config');
  const known = new Set(['words', ...command.options.map((option) => option.attributeName())]);
  for (const [option, value] of Object.entries(values)) {
    const rivals = [option, ...(GIVES_WAY[option] ?? [])];
    if (!known.has(option) || unusable.includes(option) || rivals.some((one) => isGiven(command, one)))
      continue;
    command.setOptionValueWithSource(option, value, 'config');
  }
  return `Configuration: ${file}${chosen === undefined ? '' : `, target "${chosen.name}"${loadHint(chosen, name)}`}.`;
}

/** What is missing where a file permits load on a target that nobody has named. */
const loadHint = ({ name, target, isNamed }: ChosenTarget, command: ConfigurableCommand): string =>
  command === 'load' && typeof target.allowLoad === 'string' && !isNamed
    ? ` (its "allowLoad" counts with --target ${shellWord(name)})`
    : '';

/** The file of `--config`, or the one in the current folder; none with `--no-config`. */
function fileFor(option: unknown): string | undefined {
  if (typeof option === 'string') return option;
  return option !== false && existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined;
}

const isGiven = (command: Command, option: string): boolean => command.getOptionValueSource(option) === 'cli';

/** The target that `--target` names, or the one that the file prefers; none for an address and for the bundled server. */
function targetFor(command: Command, config: Config, file: string): ChosenTarget | undefined {
  const asked: unknown = command.getOptionValue('target');
  const names = Object.keys(config.targets ?? {});
  if (typeof asked === 'string') {
    return asked.includes('/') ? undefined : { ...targetNamed(asked, config, file), isNamed: true };
  }
  if (BUNDLED.some((option) => isGiven(command, option)) || names.length === 0) return undefined;
  const [only] = names.length === 1 ? names : [];
  const preferred = config.target ?? only;
  if (preferred !== undefined) return { ...targetNamed(preferred, config, file), isNamed: false };
  throw new UserError(
    `${file} has several targets (${names.join(', ')}): choose one with --target NAME, or name one in "target".`,
  );
}

function targetNamed(name: string, { targets = {} }: Config, file: string): Omit<ChosenTarget, 'isNamed'> {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target !== undefined) return { name, target };
  const names = Object.keys(targets);
  const likely = nearest(name, names);
  const hint = likely === undefined ? '' : ` Did you mean "${likely}"?`;
  throw new UserError(
    `${file}: there is no target "${name.slice(0, 60)}": targets has ${names.join(', ') || 'no entry'}.${hint}`,
  );
}
