import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { isJsonObject } from '../../../kernel/basics/json.ts';
import { quoted, shellWord } from '../../../kernel/basics/text.ts';
import { isLoopback } from '../../../kernel/exchanges/loopback.ts';
import { isCounted, remaining } from '../given.ts';
import type { Row } from '../row.ts';
import type { OptionName, OptionValues } from '../table.ts';
import { OPTION_NAMES, options, optionsOf } from '../table.ts';
import type { ConfigurableCommand } from './file-for.ts';
import { fileFor } from './file-for.ts';
import type { ChosenTarget, ConfiguredTarget } from './read-config.ts';
import { chooseTarget, readConfig } from './read-config.ts';

/**
 * A path in a configuration file, from where the program runs. The file can come with a foreign repository, so it names
 * nothing outside of its own folder, and no link that leads out of it.
 * @throws {UserError} where the path leads out of the folder.
 */
function pathBelow(file: string, path: string): string {
  const folder = dirname(file);
  const whole = join(folder, path);
  if (
    !isAbsolute(path) &&
    isBelow(resolve(folder), resolve(whole)) &&
    isBelow(realPath(folder), realPath(whole))
  )
    return whole;
  throw new UserError(
    `${file}: the path ${quoted(path)} leads out of the folder of the file. Name a path below it, or give the option on the command line.`,
  );
}

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** Where a path leads, links followed as far as they exist. */
function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPath(parent), relative(parent, whole));
}

/**
 * What stands in a target, or in a file for a command, at the place of an option.
 * @param command whose section is read; that of no command belongs to all. Undefined for a target.
 */
export function entryOf(name: OptionName, within: unknown, command?: ConfigurableCommand): unknown {
  const isRead = (path: string): boolean =>
    command === undefined
      ? path.startsWith('targets.*.')
      : path.startsWith(`${command}.`) || !path.includes('.');
  const path = options[name].file?.find(isRead)?.replace('targets.*.', '');
  return path
    ?.split('.')
    .reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), within);
}

/** Pairs as lines, as the command line has them; paths from the folder of the file. */
function valueAt(row: Row, found: unknown, file: string): unknown {
  if (row.contents !== undefined) return file;
  if (row.kind === 'pairs') return Object.entries(Object(found)).map((pair) => pair.join(row.between));
  const isPath = row.kind === 'file' || row.kind === 'folder';
  const isAddress = row.kind !== 'address or path' || /^https?:/i.test(String(found));
  return isPath || !isAddress ? pathBelow(file, String(found)) : found;
}

/**
 * Reads the options of a configuration file that no higher layer gives or states in other words, with the address in
 * place of the name of a target; undefined where there is no file.
 * @param given what the higher layers give.
 * @throws {UserError} when the file is wrong, or names no target that is wanted.
 */
export function optionsInFile(command: ConfigurableCommand, given: OptionValues, env: NodeJS.ProcessEnv) {
  const file = fileFor(given.config);
  if (file === undefined) return undefined;
  const config = readConfig(file);
  const chosen = isTargetMeant(command, given) ? chooseTarget(given.target, config, file) : undefined;
  const stated: OptionValues = Object.fromEntries(
    optionsOf(command).flatMap((name) => {
      const found = entryOf(name, chosen?.target) ?? entryOf(name, config, command);
      // A switch that is off is one that is not given.
      return found === undefined || found === false ? [] : [[name, valueAt(options[name], found, file)]];
    }),
  );
  const permitted = command === 'load' && chosen !== undefined ? permittedHost(chosen, file) : undefined;
  const values = permitted === undefined ? stated : { ...stated, allowHost: [permitted] };
  return {
    values: { ...remaining(values, given), ...(chosen && { target: chosen.target.url }) },
    sentence: `${configurationSentence(file, chosen, command)}${chosen === undefined ? '' : receiverSentence(chosen.target, command, given, env)}`,
  };
}

function isTargetMeant(command: ConfigurableCommand, given: OptionValues): boolean {
  if (!optionsOf(command).includes('target')) return false;
  const isBundled = OPTION_NAMES.some(
    (name) => options[name].group === 'bundled' && given[name] !== undefined,
  );
  return given.target !== undefined || !isBundled;
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

/** Which file and which target of it a run uses, and what is missing where it permits load on a target that the user does not name. */
function configurationSentence(
  file: string,
  chosen: ChosenTarget | undefined,
  command: ConfigurableCommand,
): string {
  if (chosen === undefined) return `Configuration: ${file}.`;
  const { name, target, isNamed } = chosen;
  const hint =
    command === 'load' && typeof target.allowLoad === 'string' && !isNamed
      ? ` (its "allowLoad" counts with --target ${shellWord(name)})`
      : '';
  return `Configuration: ${file}, target "${name}"${hint}.`;
}

/** Which variables go to a target that is another machine, because the file may come with a foreign repository. */
function receiverSentence(
  target: ConfiguredTarget,
  command: ConfigurableCommand,
  given: OptionValues,
  env: NodeJS.ProcessEnv,
): string {
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
