import { UserError } from '../../kernel/basics/user-error.ts';
import { FLAGS } from './names.ts';
import type { Taker } from './row.ts';
import type { OptionName, OptionValues } from './table.ts';
import { OPTION_NAMES, options, optionsOf } from './table.ts';

/** Whether a layer states an option: a switch that is off states nothing in place of others. */
const isStated = (option: OptionName, values: OptionValues): boolean =>
  values[option] !== undefined && values[option] !== false;

/**
 * Whether a lower layer decides an option: the command line counts before the environment, and both before the file.
 * @param higher what the higher layers give.
 */
export const isCounted = (option: OptionName, higher: OptionValues): boolean =>
  higher[option] === undefined && !rivalsOf(option).some((rival) => isStated(rival, higher));

/** The values of a layer that count. */
export const remaining = (values: OptionValues, higher: OptionValues): OptionValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) =>
      OPTION_NAMES.some((one) => one === name && isCounted(one, higher)),
    ),
  );

const rivalsOf = (option: OptionName): readonly OptionName[] =>
  OPTION_NAMES.filter((name) => options[option].rivals?.includes(name) === true);

/** The options of a taker that are given although this one excludes them. */
export const givenBeside = (rival: OptionName, taker: Taker, values: OptionValues): readonly OptionName[] =>
  optionsOf(taker).filter((name) => rivalsOf(name).includes(rival) && isStated(name, values));

/**
 * Checks that no option is given that belongs to another subject: a pipeline that forgot `--target` must not get the
 * verdict of the bundled server.
 * @throws {UserError} where one is.
 */
export function checkScope(values: OptionValues): void {
  const scope = values.target === undefined ? 'target' : 'bundled';
  const misplaced = OPTION_NAMES.find((name) => options[name].scope === scope && isStated(name, values));
  if (misplaced === undefined) return;
  throw new UserError(
    scope === 'target'
      ? `${FLAGS[misplaced]} needs --target: without it, the bundled server is tested with keys of its own.`
      : `${FLAGS[misplaced]} is an option for the bundled server: leave it out, or leave out --target.`,
  );
}

/** Whether an option has an effect on a load profile. */
export const appliesTo = (option: string, profile: string): boolean =>
  OPTION_NAMES.every((name) => name !== option || options[name].profiles?.includes(profile) !== false);

/**
 * Checks that every option has an effect on a load profile.
 * @throws {UserError} where one has none.
 */
export function checkProfile(values: OptionValues, profile: string): void {
  const idle = OPTION_NAMES.find((name) => !appliesTo(name, profile) && isStated(name, values));
  if (idle === undefined) return;
  throw new UserError(
    `${FLAGS[idle]} applies to ${options[idle].profiles?.join(', ')} only, and has no effect on ${profile}: leave it out.`,
  );
}
