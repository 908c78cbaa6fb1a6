import type { DescribedCommand, OptionValue } from './described.ts';

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

function valueCases({ path, options }: DescribedCommand): readonly string[] {
  return options.flatMap(({ flag, value }) => {
    const reply = replyOf(value);
    return reply === undefined ? [] : [`    "${path} ${flag}") ${reply}; return ;;`];
  });
}

function replyOf(value: OptionValue): string | undefined {
  switch (value.kind) {
    case 'none':
      return undefined;
    case 'choices':
      return `COMPREPLY=($(compgen -W "${value.choices.join(' ')}" -- "$current"))`;
    case 'variable':
      return 'COMPREPLY=($(compgen -e -- "$current"))';
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$current"))';
    case 'text':
      return 'COMPREPLY=()';
  }
}

/** Options where the word begins with a dash; otherwise commands and words, and files where there are none. */
function wordCase({ path, options, commands, words }: DescribedCommand): string {
  const others = [...commands.map(({ name }) => name), ...words];
  const flags = options.map(({ flag }) => flag).join(' ');
  const rest =
    others.length === 0 ? 'compgen -f -- "$current"' : `compgen -W "${others.join(' ')}" -- "$current"`;
  return `    "${path}") if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "${flags}" -- "$current")); else COMPREPLY=($(${rest})); fi ;;`;
}
