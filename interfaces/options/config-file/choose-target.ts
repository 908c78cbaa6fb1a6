import { existsSync } from 'node:fs';
import { didYouMean } from '../../../kernel/basics/nearest.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Config, ConfiguredTarget } from './config.ts';
import { CONFIG_FILE } from './config.ts';

/** A target of a configuration file, and whether the user names it or the file does. */
export interface ChosenTarget {
  readonly name: string;
  readonly target: ConfiguredTarget;
  readonly isNamed: boolean;
}

/** The file that an option names, or the one in the current folder; none where the option is false. */
export function fileFor(option: string | false | undefined): string | undefined {
  if (typeof option === 'string') return option;
  return option !== false && existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined;
}

/**
 * The target that the user names, or the one that the file prefers; none for an address.
 * @param asked a name or an address.
 * @throws {UserError} where there is no such target, or several and no choice.
 */
export function chooseTarget(
  asked: string | undefined,
  config: Config,
  file: string,
): ChosenTarget | undefined {
  if (asked !== undefined) {
    return asked.includes('/') ? undefined : { ...targetNamed(asked, config, file), isNamed: true };
  }
  const names = Object.keys(config.targets ?? {});
  if (names.length === 0) return undefined;
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
  throw new UserError(
    `${file}: there is no target "${name.slice(0, 60)}": targets has ${names.join(', ') || 'no entry'}.${didYouMean(name, names)}`,
  );
}
