import type { Command } from 'commander';
import { Help, Option } from 'commander';
import { UserError } from '../../kernel/basics/errors.ts';
import type { NumberRange, Row, Taker } from './row.ts';
import { GROUPS, placeholderOf } from './row.ts';
import type { OptionName, OptionValues } from './table.ts';
import { OPTION_NAMES, options, optionsOf } from './table.ts';

/** What a user calls each option, so that an error names the one to correct. */
export type Names = Readonly<Record<OptionName, string>>;

const named = (nameOf: (option: OptionName) => string): Names =>
  Object.fromEntries(OPTION_NAMES.map((option) => [option, nameOf(option)])) as Names;

/** The names on the command line: `--plan-key`. */
export const FLAGS: Names = named(
  (option) =>
    `--${options[option].flag ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
);

/** The variables that Playwright reads: `PETSTORE_PLAN_KEYS`. */
export const VARIABLES: Names = named(
  (option) =>
    options[option].variable ??
    options[option].usual ??
    `PETSTORE_${option.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
);

export const PARAMETERS: Names = named((option) => option);

/** An option of commander whose value has the name of the table: `headers` for `--header`. */
const namedOption = (name: OptionName, flags: string, description: string): Option =>
  Object.assign(new Option(flags, description), { attributeName: () => name });

export function withOptions(command: Command, taker: Taker): Command {
  for (const name of optionsOf(taker)) {
    for (const option of commandOptions(name, taker)) command.addOption(option);
  }
  return command;
}

function commandOptions(name: OptionName, taker: Taker): readonly Option[] {
  const row = options[name];
  if (row.kind === 'words' || row.kind === 'product') return [];
  const placeholder = placeholderOf(row);
  const takes = placeholder === undefined ? '' : ` <${placeholder}>`;
  const option = namedOption(name, `${FLAGS[name]}${takes}`, descriptionOf(row, taker));
  option.helpGroup(GROUPS[row.group]);
  if (row.requiredBy?.includes(taker) === true) option.makeOptionMandatory();
  if (row.preset !== undefined) option.default(row.preset);
  if (row.kind === 'choice') option.choices(row.fewer?.[taker] ?? row.choices);
  if (row.kind === 'number') option.argParser((text) => numberOption(FLAGS[name], text, row));
  if (row.kind === 'list' || row.kind === 'pairs') option.argParser(repeated);
  if (row.off === undefined) return [option];
  const off = namedOption(name, FLAGS[name].replace('--', '--no-'), row.off);
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

export interface HelpTexts {
  /** Three examples, before the options. */
  readonly examples: string;
  /** What follows the options of the first help. */
  readonly note: string;
  /** What follows every option. */
  readonly details: string;
}

/**
 * Lets `--help` fit a screen: examples, and the options that most runs need, each in its first words. `--help-all` has
 * every option in its group.
 */
export function withFirstHelp(
  command: Command,
  taker: Taker,
  { examples, note, details }: HelpTexts,
): Command {
  const usual = new Help();
  const first: readonly string[] = [
    ...optionsOf(taker).filter((name) => options[name].first?.includes(taker)),
    ...['help', 'helpAll'],
  ];
  let isWhole = false;
  return command
    .option('--help-all', 'display every option')
    .on('option:help-all', () => {
      isWhole = true;
      command.help();
    })
    .configureHelp({
      commandDescription: (shown) => `${shown.description()}\n\nExamples:\n${examples}`,
      visibleOptions: (shown) =>
        usual.visibleOptions(shown).filter((option) => isWhole || first.includes(option.attributeName())),
      visibleArguments: (shown) => (isWhole ? usual.visibleArguments(shown) : []),
      subcommandTerm: (shown) => shown.name(),
      optionDescription: (option) => (isWhole ? usual.optionDescription(option) : firstWords(option)),
      groupItems: (all, shown, groupOf) =>
        usual.groupItems(all, shown, (item) =>
          !isWhole && item instanceof Option ? 'Options:' : groupOf(item),
        ),
    })
    .addHelpText('after', () => `\n${isWhole ? details : note}`);
}

function firstWords({ description, defaultValue }: Option): string {
  const [words = ''] = description.split(/; |: |\. | \(/);
  return defaultValue === undefined ? words : `${words} (default: ${defaultValue})`;
}

export const environmentOptions = (env: NodeJS.ProcessEnv): OptionValues =>
  Object.fromEntries(
    optionsOf('playwright').flatMap((name) => {
      const value = valueIn(env, name, options[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );

function valueIn(env: NodeJS.ProcessEnv, name: OptionName, row: Row): unknown {
  // Every interface reads the usual variables itself, where no option names another.
  if (row.usual !== undefined) return undefined;
  const text = variableValue(env, VARIABLES[name]);
  if (text === undefined) return undefined;
  if (row.kind === 'variable') return VARIABLES[name];
  switch (row.kind) {
    case 'switch':
      return !isOff(text);
    case 'list':
      return partsOf(text, /,/);
    case 'pairs':
      return partsOf(text, row.between === '=' ? /[\s,]+/ : /\r?\n/);
    default:
      return row.off !== undefined && isOff(text) ? false : text;
  }
}

/** Any other value switches on. */
const isOff = (text: string): boolean => ['0', 'false', 'no'].includes(text.toLowerCase());

function partsOf(text: string, separator: RegExp): readonly string[] | undefined {
  const parts = text.split(separator).filter((part) => part.trim() !== '');
  return parts.length === 0 ? undefined : parts;
}

/** Pipelines set the variable of a secret that does not exist to the empty text. */
function variableValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] ?? '';
  return value === '' ? undefined : value;
}
