import { singleQuoted } from '../../../kernel/basics/shell-word.ts';
import type { DescribedCommand, ValueKind } from './described.ts';

/** The script for zsh: to be evaluated after `compinit`, or stored as `_petstore-conformance` in a folder of `fpath`. */
export const zshScript = (commands: readonly DescribedCommand[]): string => `#compdef petstore-conformance
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
    singleQuoted(`*${flag}[${escaped(description)}]${OFFERED[takes](choices)}`),
  );
  const named = [
    ...commands.map(({ name, description }) => `${name}\\:${quotedWord(description)}`),
    ...words,
  ];
  const first = named.length === 0 ? '*:file:_files' : `1:command:((${named.join(' ')}))`;
  return `    (${singleQuoted(path)}) _arguments ${[...specs, singleQuoted(first)].join(' ')} ;;`;
}

const OFFERED: Readonly<Record<ValueKind, (choices: string) => string>> = {
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
