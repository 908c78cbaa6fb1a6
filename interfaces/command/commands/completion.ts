import { Argument, Command } from 'commander';
import type { Terminal } from '../terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `completion`: a script for a shell, made of the commands and options themselves. */
export function completionCommand(terminal: Terminal): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: (typeof SHELLS)[number], _options: unknown, command: Command) => {
      terminal.out.write(await scriptFor(shell, command.parent ?? command));
    });
}

async function scriptFor(shell: (typeof SHELLS)[number], program: Command): Promise<string> {
  const { describedCommands, SCRIPTS } = await import('../completion.ts');
  const { PROFILE_IDS } = await import('../../../load/profiles/index.ts');
  const { loadRegister, register } = await import('../../../spec/register.ts');
  const words: Readonly<Record<string, readonly string[]>> = {
    load: PROFILE_IDS,
    explain: [...register, ...loadRegister].map(({ id }) => id),
    completion: SHELLS,
  };
  return SCRIPTS[shell](describedCommands(program, (path) => words[path] ?? []));
}

const EXAMPLES = `
Examples:
  petstore-conformance completion bash > ~/.local/share/bash-completion/completions/petstore-conformance
  petstore-conformance completion zsh > ~/.zsh/completions/_petstore-conformance
      the folder must be in fpath before compinit
  petstore-conformance completion fish > ~/.config/fish/completions/petstore-conformance.fish`;
