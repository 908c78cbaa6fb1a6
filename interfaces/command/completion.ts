import type { Command } from 'commander';
import { Help } from 'commander';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { loadRegister, register } from '../../spec/register.ts';

/** What may stand in the place of a word, and what it means, where it has a description. */
type Candidate = readonly [word: string, description?: string];

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Each script calls the program that was typed, which a project may have in node_modules/.bin, with the words up to the
 * cursor, and offers what it prints; paths where that is nothing.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion of petstore-conformance
_petstore_conformance() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _petstore_conformance petstore-conformance
`,
  zsh: `#compdef petstore-conformance
_petstore_conformance() {
  local -a candidates=("\${(@f)$("$words[1]" completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then _describe petstore-conformance candidates; else _files; fi
}
if [ "$funcstack[1]" = "_petstore-conformance" ]; then _petstore_conformance "$@"; else compdef _petstore_conformance petstore-conformance; fi
`,
  fish: `# fish completion of petstore-conformance
function __petstore_conformance
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates ($words[1] completion fish -- $words[2..-1] 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c petstore-conformance -f -a '(__petstore_conformance)'
`,
};

/** What stands between a word and its description; bash shows none. */
const SEPARATORS: Readonly<Record<Shell, string | undefined>> = { bash: undefined, zsh: ':', fish: '\t' };

/** The words of the first argument of a command, where they are known. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  load: PROFILE_IDS,
  explain: [...register, ...loadRegister].map(({ id }) => id),
};

/**
 * What may stand in the place of the last word, in the form that the script reads: a line for each.
 * @param words those after the name of the program, up to the cursor; the last one may be empty.
 */
export function candidateLines(shell: Shell, program: Command, words: readonly string[]): readonly string[] {
  const current = words.at(-1) ?? '';
  const separator = SEPARATORS[shell];
  return candidates(program, words.slice(0, -1), current.startsWith('-'))
    .filter(([word]) => word.startsWith(current))
    .map(([word, description]) =>
      separator === undefined || description === undefined ? word : `${word}${separator}${description}`,
    );
}

/** What may follow these words; nothing where it may be any text, or a path. */
function candidates(program: Command, before: readonly string[], isOption: boolean): readonly Candidate[] {
  if (before.includes('--')) return [];
  const command = before.reduce(
    (within, word) => within.commands.find((one) => one.name() === word) ?? within,
    program,
  );
  const options = new Help().visibleOptions(command);
  const taking = options.find(({ long, required }) => required && long === before.at(-1));
  if (taking?.argChoices !== undefined) return taking.argChoices.map((choice) => [choice]);
  if (taking !== undefined)
    return taking.flags.endsWith('<var>') ? Object.keys(process.env).map((name) => [name]) : [];
  if (isOption) return options.map(({ long, flags, description }) => [long ?? flags, description]);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    ...command.commands.map((one): Candidate => [one.name(), one.description()]),
    ...[...choices, ...(ARGUMENTS[command.name()] ?? [])].map((word): Candidate => [word]),
  ];
}
