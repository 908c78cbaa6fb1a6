import { isJsonObject } from '../../kernel/basics/json.ts';
import { didYouMean } from '../../kernel/basics/nearest.ts';
import { PRODUCT_PARTS } from '../../kernel/basics/product.ts';
import { listOf, mapOf } from '../../kernel/basics/shape.ts';
import { flag, number, text } from '../../kernel/basics/simple-shapes.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import { headersShape } from '../../kernel/exchanges/exchange.ts';
import type { Row, Taker } from './row.ts';
import type { OptionName, OptionValues } from './table.ts';
import { options, optionsOf } from './table.ts';

type Check = (value: unknown) => boolean;

/** What a program may give, and how a message describes it. */
interface Rule {
  readonly check: Check;
  readonly takes: string;
}

const TEXT: Rule = { check: text.is, takes: 'a text' };
const LINES: Rule = {
  check: headersShape.is,
  takes: "a list of pairs such as ['X-Tenant', 'a']",
};
const RECORD: Rule = { check: mapOf(text).is, takes: "an object such as { 'X-Tenant': 'a' }" };
const PLANS: Rule = {
  check: (value) => text.is(value) || (isJsonObject(value) && isJsonObject(value['plans'])),
  takes: 'an object with minuteSeconds, daySeconds and plans, or the path of a plan file',
};
const PRODUCT: Rule = {
  check: (value) => mapOf(text).is(value) && Object.keys(Object(value)).every(isProductPart),
  takes: `an object with ${PRODUCT_PARTS.join(', ')}`,
};

const isProductPart = (key: string): boolean => PRODUCT_PARTS.some((part) => part === key);

function ruleFor(name: OptionName, row: Row, taker: Taker): Rule {
  if (name === 'plans') return PLANS;
  switch (row.kind) {
    case 'switch':
      return { check: flag.is, takes: 'true or false' };
    case 'number':
      return { check: number.is, takes: 'a number' };
    case 'list':
      return {
        check: (value) => text.is(value) || listOf(text).is(value),
        takes: "an id or a list of ids, such as ['AUTH-1', 'RATE']",
      };
    case 'pairs':
      return taker === 'library' ? LINES : RECORD;
    case 'product':
      return PRODUCT;
    default:
      return row.off === undefined
        ? TEXT
        : { check: (value) => text.is(value) || value === false, takes: 'a text or false' };
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
    const { check, takes } = ruleFor(name, options[name], taker);
    if (!check(value)) throw new UserError(`${prefix}${name} takes ${takes}.`);
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
