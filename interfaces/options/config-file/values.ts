import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { isJsonObject } from '../../../kernel/basics/json.ts';
import { quoted } from '../../../kernel/basics/text.ts';
import type { Row } from '../row.ts';
import type { OptionName, OptionValues } from '../table.ts';
import { options, optionsOf } from '../table.ts';
import type { ConfigurableCommand } from './file-for.ts';
import type { Config, ConfiguredTarget } from './read-config.ts';

/**
 * Reads the paths of a configuration file. It can come with a foreign repository, so it names nothing outside of its own
 * folder, and no link that leads out of it.
 * @param file its path.
 * @returns a function that throws a UserError where a path leads out of the folder.
 */
const pathBelow =
  (file: string) =>
  (path: string | undefined): string | undefined => {
    if (path === undefined) return undefined;
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
  };

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
 * What a file states for a command, as options. A switch that is off is one that is not given.
 * @param target the target of the file that is tested.
 * @param file the path of the file.
 * @throws {UserError} when a path leads out of its folder.
 */
export function configuredValues(
  command: ConfigurableCommand,
  config: Config,
  target: ConfiguredTarget | undefined,
  file: string,
): OptionValues {
  return Object.fromEntries(
    optionsOf(command).flatMap((name) => {
      const found = entryOf(name, target) ?? entryOf(name, config, command);
      return found === undefined || found === false ? [] : [[name, valueAt(options[name], found, file)]];
    }),
  );
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
  return isPath || !isAddress ? pathBelow(file)(String(found)) : found;
}
