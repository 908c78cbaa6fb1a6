import type { Command, Option } from 'commander';
import { singleQuoted } from '../../kernel/basics/text.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { loadRegister, register } from '../../spec/register.ts';

interface DescribedOption {
  /** `--out`. */
  readonly flag: string;
  readonly description: string;
  /** What follows the option. */
  readonly takes: ValueKind;
  /** What it takes where these are `choices`, separated by spaces. */
  readonly choices: string;
}

type ValueKind = 'nothing' | 'choices' | 'variable' | 'file' | 'text';

interface DescribedCommand {
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
function describedCommands(
  program: Command,
  wordsOf: (path: string) => readonly string[],
): readonly DescribedCommand[] {
  const describe = (command: Command, path: string): readonly DescribedCommand[] => [
    {
      path,
      options: [...command.options.map(describedOption), HELP],
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

/** The script for bash: `complete` with a function that knows every command and option. */
const bashScript = (
  commands: readonly DescribedCommand[],
): string => `# bash completion of petstore-conformance
_petstore_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ "$word" == -- ]] && { COMPREPLY=($(compgen -f -- "$current")); return; }
    case "\${command:+$command }$word" in
      ${commands
        .filter(({ path }) => path !== '')
        .map(({ path }) => `"${path}"`)
        .join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$command" in
${commands.map(wordCase).join('\n')}
  esac
}
complete -o filenames -F _petstore_conformance petstore-conformance
`;

const valueCases = ({ path, options }: DescribedCommand): readonly string[] =>
  options
    .filter(({ takes }) => takes !== 'nothing')
    .map(
      ({ flag, takes, choices }) =>
        `    "${path} ${flag}") COMPREPLY=(${BASH_OFFERED[takes](choices)}); return ;;`,
    );

const BASH_OFFERED: Readonly<Record<ValueKind, (choices: string) => string>> = {
  nothing: () => '',
  choices: (choices) => `$(compgen -W "${choices}" -- "$current")`,
  variable: () => '$(compgen -e -- "$current")',
  file: () => '$(compgen -f -- "$current")',
  text: () => '',
};

/** Options where the word begins with a dash; otherwise commands and words, and files where there are none. */
function wordCase({ path, options, commands, words }: DescribedCommand): string {
  const others = [...commands.map(({ name }) => name), ...words];
  const flags = options.map(({ flag }) => flag).join(' ');
  const rest =
    others.length === 0 ? 'compgen -f -- "$current"' : `compgen -W "${others.join(' ')}" -- "$current"`;
  return `    "${path}") if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "${flags}" -- "$current")); else COMPREPLY=($(${rest})); fi ;;`;
}

/** The script for fish: one `complete` for each command and each option. */
const fishScript = (commands: readonly DescribedCommand[]): string =>
  `# fish completion of petstore-conformance
complete -c petstore-conformance -n __fish_use_subcommand -f
${commands.flatMap(linesOf).join('\n')}
`;

function linesOf({ path, options, commands, words }: DescribedCommand): readonly string[] {
  const within = conditionOf(path);
  return [
    ...commands.map(({ name, description }) => complete(within, `-f -a ${name} -d ${quoted(description)}`)),
    ...(words.length === 0 ? [] : [complete(within, `-f -a ${quoted(words.join(' '))}`)]),
    ...options.map((option) => complete(within, optionOf(option))),
  ];
}

const complete = (condition: string, rest: string): string =>
  `complete -c petstore-conformance -n ${quoted(condition)} ${rest}`;

/** The program itself, or a command whose every word was typed. */
const conditionOf = (path: string): string =>
  path === ''
    ? '__fish_use_subcommand'
    : path
        .split(' ')
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and ');

const optionOf = ({ flag, description, takes, choices }: DescribedOption): string =>
  `-l ${flag.replace(/^--/, '')}${FISH_OFFERED[takes](choices)} -d ${quoted(description)}`;

const FISH_OFFERED: Readonly<Record<ValueKind, (choices: string) => string>> = {
  nothing: () => '',
  choices: (choices) => ` -x -a ${quoted(choices)}`,
  variable: () => " -x -a '(set -xn)'",
  file: () => ' -r -F',
  text: () => ' -x',
};

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The script for zsh: to be evaluated after `compinit`, or stored as `_petstore-conformance` in a folder of `fpath`. */
const zshScript = (commands: readonly DescribedCommand[]): string => `#compdef petstore-conformance
_petstore_conformance() {
  local command="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${command:+$command }$word" in
      ${commands
        .filter(({ path }) => path !== '')
        .map(({ path }) => `(${singleQuoted(path)})`)
        .join('|')}) command="\${command:+$command }$word" ;;
    esac
  done
  local -a parts=(\${(s: :)command})
  local depth=$#parts
  (( depth > 0 )) && { words=("$command" "\${(@)words[depth+2,-1]}"); (( CURRENT -= depth )) }
  case "$command" in
${commands.map(caseOf).join('\n')}
  esac
}
if [ "$funcstack[1]" = "_petstore-conformance" ]; then _petstore_conformance "$@"; else compdef _petstore_conformance petstore-conformance; fi
`;

function caseOf({ path, options, commands, words }: DescribedCommand): string {
  const specs = options.map(({ flag, description, takes, choices }) =>
    singleQuoted(`*${flag}[${escaped(description)}]${ZSH_OFFERED[takes](choices)}`),
  );
  const named = [
    ...commands.map(({ name, description }) => `${name}\\:${quotedWord(description)}`),
    ...words,
  ];
  const first = named.length === 0 ? '*:file:_files' : `1:command:((${named.join(' ')}))`;
  return `    (${singleQuoted(path)}) _arguments ${[...specs, singleQuoted(first)].join(' ')} ;;`;
}

const ZSH_OFFERED: Readonly<Record<ValueKind, (choices: string) => string>> = {
  nothing: () => '',
  choices: (choices) => `:value:(${choices})`,
  variable: () => ':variable:_parameters -g "*export*"',
  file: () => ':file:_files',
  text: () => ':text: ',
};

/** A description within a spec of `_arguments`, where brackets and colons have a meaning. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&');

/** A description beside a word of a list, where it must be one word. */
const quotedWord = (text: string): string => text.replaceAll(/[\\ ():;'"&|<>,]/g, '\\$&');

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function scriptFor(shell: keyof typeof SCRIPTS, program: Command): string {
  const words: Readonly<Record<string, readonly string[]>> = {
    load: PROFILE_IDS,
    explain: [...register, ...loadRegister].map(({ id }) => id),
    completion: Object.keys(SCRIPTS),
  };
  return SCRIPTS[shell](describedCommands(program, (path) => words[path] ?? []));
}
