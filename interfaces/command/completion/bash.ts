import type { DescribedCommand, ValueKind } from './described.ts';

/** The script for bash: `complete` with a function that knows every command and option. */
export const bashScript = (
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
        `    "${path} ${flag}") COMPREPLY=(${OFFERED[takes](choices)}); return ;;`,
    );

const OFFERED: Readonly<Record<ValueKind, (choices: string) => string>> = {
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
