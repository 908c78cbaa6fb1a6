import { UserError } from '../../kernel/basics/errors.ts';
import { PRODUCT_PARTS, productShape } from '../../kernel/basics/product.ts';
import { flag, listOf, mapOf, number, text } from '../../kernel/basics/shape.ts';
import { didYouMean } from '../../kernel/basics/text.ts';
import { headersShape } from '../../kernel/exchanges/exchange.ts';
import { plansShape } from '../../spec/plans.ts';
import { FLAGS } from './command-line.ts';
import type { Row, Taker } from './row.ts';
import { scopeOf } from './row.ts';
import type { OptionName, OptionValues } from './table.ts';
import { OPTION_NAMES, options, optionsOf } from './table.ts';

/** What a program may give, and how a message describes it. */
type Rule = readonly [holds: (value: unknown) => boolean, takes: string];

function ruleFor(name: OptionName, row: Row, taker: Taker): Rule {
  if (name === 'plans')
    return [
      (value) => text.is(value) || plansShape.is(value),
      'an object with minuteSeconds, daySeconds and plans, or the path of a plan file',
    ];
  switch (row.kind) {
    case 'switch':
      return [flag.is, 'true or false'];
    case 'number':
      return [number.is, 'a number'];
    case 'list':
      return [
        (value) => text.is(value) || listOf(text).is(value),
        "an id or a list of ids, such as ['AUTH-1', 'RATE']",
      ];
    case 'pairs':
      return taker === 'library'
        ? [headersShape.is, "a list of pairs such as ['X-Tenant', 'a']"]
        : [mapOf(text).is, "an object such as { 'X-Tenant': 'a' }"];
    case 'product':
      return [
        (value) =>
          mapOf(text).is(value) && Object.keys(value).every((key) => Object.hasOwn(productShape.fields, key)),
        `an object with ${PRODUCT_PARTS.join(', ')}`,
      ];
    default:
      return row.off === undefined
        ? [text.is, 'a text']
        : [(value) => text.is(value) || value === false, 'a text or false'];
  }
}

/**
 * The options that a program gives, as every interface hands them on. A program in JavaScript may give anything, and a
 * misspelt option would silently test something else.
 * @param own the options of the interface that are not in the table.
 * @param prefix what stands before a name in messages: `petstore.`.
 * @throws {UserError} when an option is unknown or has the wrong type. No value is repeated: it may be a key.
 */
export function givenOptions(
  given: object,
  taker: Taker,
  { own = [], prefix = '' }: { readonly own?: readonly string[]; readonly prefix?: string } = {},
): OptionValues {
  const known = optionsOf(taker);
  const values = Object.entries(given).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (value === undefined || own.includes(key)) return [];
    const name = known.find((one) => one === key);
    if (name === undefined) {
      throw new UserError(
        `There is no option ${prefix}${key.slice(0, 40)}: these are ${[...own, ...known].join(', ')}.${didYouMean(key, [...own, ...known])}`,
      );
    }
    const [holds, takes] = ruleFor(name, options[name], taker);
    if (!holds(value)) throw new UserError(`${prefix}${name} takes ${takes}.`);
    return [[name, handedOn(options[name], value)]];
  });
  return Object.fromEntries(values);
}

/** Pairs as lines, as the command line has them; a single entry of a list as a list. */
function handedOn(row: Row, value: unknown): unknown {
  if (row.kind === 'list') return [value].flat();
  if (row.kind !== 'pairs') return value;
  const pairs: readonly unknown[] = Array.isArray(value) ? value : Object.entries(Object(value));
  return pairs.map((pair) => [pair].flat().join(row.between));
}

/** Whether a layer states an option: a switch that is off states nothing in place of others. */
const isStated = (option: OptionName, values: OptionValues): boolean =>
  values[option] !== undefined && values[option] !== false;

/**
 * Whether a lower layer decides an option: the command line counts before the environment, and both before the file.
 * @param higher what the higher layers give.
 */
export const isCounted = (option: OptionName, higher: OptionValues): boolean =>
  higher[option] === undefined && !rivalsOf(option).some((rival) => isStated(rival, higher));

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
  const misplaced = OPTION_NAMES.find((name) => scopeOf(options[name]) === scope && isStated(name, values));
  if (misplaced === undefined) return;
  throw new UserError(
    scope === 'target'
      ? `${FLAGS[misplaced]} needs --target: without it, the bundled server is tested with keys of its own.`
      : `${FLAGS[misplaced]} is an option for the bundled server: leave it out, or leave out --target.`,
  );
}

export const appliesTo = (option: string, profile: string): boolean =>
  OPTION_NAMES.every((name) => name !== option || options[name].profiles?.includes(profile) !== false);

/** Checks that every option has an effect on a load profile. @throws {UserError} where one has none. */
export function checkProfile(values: OptionValues, profile: string): void {
  const idle = OPTION_NAMES.find((name) => !appliesTo(name, profile) && isStated(name, values));
  if (idle === undefined) return;
  throw new UserError(
    `${FLAGS[idle]} applies to ${options[idle].profiles?.join(', ')} only, and has no effect on ${profile}: leave it out.`,
  );
}
