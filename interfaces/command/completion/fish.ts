import type { DescribedCommand, DescribedOption, ValueKind } from './described.ts';

/** The script for fish: one `complete` for each command and each option. */
export const fishScript = (commands: readonly DescribedCommand[]): string =>
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
  `-l ${flag.replace(/^--/, '')}${OFFERED[takes](choices)} -d ${quoted(description)}`;

const OFFERED: Readonly<Record<ValueKind, (choices: string) => string>> = {
  nothing: () => '',
  choices: (choices) => ` -x -a ${quoted(choices)}`,
  variable: () => " -x -a '(set -xn)'",
  file: () => ' -r -F',
  text: () => ' -x',
};

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
