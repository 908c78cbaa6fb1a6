import type { Command } from 'commander';
import { Option } from 'commander';
import { PRODUCT_PARTS } from '../../kernel/basics/product.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import { FLAGS } from './names.ts';
import type { NumberRange, Row, Taker } from './row.ts';
import { GROUPS, placeholderOf } from './row.ts';
import type { OptionName } from './table.ts';
import { options, optionsOf } from './table.ts';

/** An option of commander whose value has the name of the table: `headers` for `--header`. */
class NamedOption extends Option {
  readonly #name: OptionName;

  constructor(name: OptionName, flags: string, description: string) {
    super(flags, description);
    this.#name = name;
  }

  override attributeName(): string {
    return this.#name;
  }
}

/** Adds the options that a command takes, in the order of the table and in its groups. */
export function withOptions(command: Command, taker: Taker): Command {
  for (const name of optionsOf(taker)) {
    for (const option of commandOptions(name, taker)) command.addOption(option);
  }
  return command;
}

function commandOptions(name: OptionName, taker: Taker): readonly Option[] {
  const row = options[name];
  if (row.kind === 'words') return [];
  if (row.kind === 'product') return PRODUCT_PARTS.map((part) => productOption(name, part));
  const placeholder = placeholderOf(row);
  const takes = placeholder === undefined ? '' : ` <${placeholder}>`;
  const option = new NamedOption(name, `${FLAGS[name]}${takes}`, descriptionOf(row, taker));
  option.helpGroup(GROUPS[row.group]);
  if (row.requiredBy?.includes(taker) === true) option.makeOptionMandatory();
  if (row.preset !== undefined) option.default(row.preset);
  reads(option, name, row, taker);
  if (row.off === undefined) return [option];
  const off = new NamedOption(name, FLAGS[name].replace('--', '--no-'), row.off);
  return [option, off.helpGroup(GROUPS[row.group])];
}

function descriptionOf({ sentence, sentences, usual }: Row, taker: Taker): string {
  const words = sentences?.[taker] ?? sentence;
  return usual === undefined ? words : `${words} (default: ${usual}, where set)`;
}

/** Collects the values of an option that may be given more than once. */
export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

/** How commander reads the value. */
function reads(option: Option, name: OptionName, row: Row, taker: Taker): void {
  if (row.kind === 'choice') option.choices(row.fewer?.[taker] ?? row.choices);
  if (row.kind === 'number') option.argParser((text) => numberOption(FLAGS[name], text, row));
  if (row.kind === 'list' || row.kind === 'pairs') {
    option.argParser(repeated);
  }
}

/** A product is stated in the configuration file; these flags are still read, and no help text has them. */
function productOption(name: OptionName, part: (typeof PRODUCT_PARTS)[number]): Option {
  const flag = {
    name: 'product',
    vendor: 'vendor',
    version: 'product-version',
    configuration: 'product-configuration',
  };
  return new NamedOption(name, `--${flag[part]} <text>`, '')
    .argParser((text: string, before: object = {}) => ({ ...before, [part]: text }))
    .helpGroup(GROUPS[options[name].group])
    .hideHelp();
}

/**
 * The whole number that an option gives.
 * @param option what the user calls it.
 * @throws {UserError} when it is none, or out of range.
 */
function numberOption(option: string, text: string, { least = 1, most, unit }: NumberRange): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const what = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  throw new UserError(`${option} takes ${what} from ${least} to ${most}, not "${text.slice(0, 20)}".`);
}
