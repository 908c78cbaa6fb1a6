import type { Command, Option } from 'commander';

/** An option as completion offers it. */
export interface DescribedOption {
  /** `--out`. */
  readonly flag: string;
  readonly description: string;
  /** What follows the option. */
  readonly takes: ValueKind;
  /** What it takes where these are `choices`, separated by spaces. */
  readonly choices: string;
}

/** What completion offers after an option. */
export type ValueKind = 'nothing' | 'choices' | 'variable' | 'file' | 'text';

/** A command as completion offers it. */
export interface DescribedCommand {
  /** Its name after those of its parents: `load manifest`; empty for the program itself. */
  readonly path: string;
  readonly options: readonly DescribedOption[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Words for its first argument, where they are known. */
  readonly words: readonly string[];
}

/**
 * Every command of a program with its options, the program itself first.
 * @param wordsOf words for the first argument of the command with this path.
 */
export function describedCommands(
  program: Command,
  wordsOf: (path: string) => readonly string[],
): readonly DescribedCommand[] {
  const describe = (command: Command, path: string): readonly DescribedCommand[] => [
    {
      path,
      options: [...command.options.filter(({ hidden }) => !hidden).map(describedOption), HELP],
      commands: command.commands.map((sub) => ({ name: sub.name(), description: sub.description() })),
      words: wordsOf(path),
    },
    ...command.commands.flatMap((sub) => describe(sub, `${path} ${sub.name()}`.trim())),
  ];
  return describe(program, '');
}

const HELP: DescribedOption = {
  flag: '--help',
  description: 'display help for command',
  takes: 'nothing',
  choices: '',
};

function describedOption(option: Option): DescribedOption {
  return {
    flag: option.long ?? option.flags,
    description: option.description,
    takes: kindOf(option),
    choices: option.argChoices?.join(' ') ?? '',
  };
}

/** The placeholder of an option says what it takes: `<var>`, `<file>`, `<dir>`. */
function kindOf({ flags, argChoices }: Option): ValueKind {
  if (argChoices !== undefined) return 'choices';
  const [, placeholder] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
  if (placeholder === undefined) return 'nothing';
  if (placeholder === 'var') return 'variable';
  return /file|dir|folder/.test(placeholder) ? 'file' : 'text';
}
