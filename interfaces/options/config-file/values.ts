import { isJsonObject } from '../../../kernel/basics/json.ts';
import type { Row, Taker } from '../row.ts';
import type { OptionName, OptionValues } from '../table.ts';
import { options, optionsOf } from '../table.ts';
import type { Config, ConfiguredTarget } from './config.ts';
import { pathBelow } from './path-below.ts';

/** The commands that read a configuration file. Playwright reads it as `certify` does. */
export type ConfigurableCommand = Extract<Taker, 'certify' | 'load' | 'certify-client'>;

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
