import type { Command } from 'commander';
import { Help, Option } from 'commander';
import type { Taker } from './row.ts';
import { options, optionsOf } from './table.ts';

/** What the help of a command says besides its options. */
interface HelpTexts {
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
