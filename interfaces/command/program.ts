import type { CommanderError } from 'commander';
import { Command } from 'commander';
import { COMMAND } from '../../kernel/basics/text.ts';
import { SUITE } from '../../kernel/findings/tested.ts';
import type { CommandEntry } from './command-table.ts';
import { COMMANDS } from './command-table.ts';
import type { EndWith, ExitCode } from './exit-code.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** The command line, and the exit code of the command that ran. */
export interface Program {
  readonly program: Command;
  codeOf(): ExitCode;
}

/**
 * A command line with the commands of these names. The others have a name and a description alone, which is all that
 * the help and suggestions need, so they appear without loading what the commands do.
 */
async function programWith(
  args: readonly string[],
  names: readonly string[],
  terminal: Terminal,
  endWith: EndWith,
): Promise<Command> {
  const program = new Command('petstore-conformance')
    .description(
      'Tests whether a service, or a client of it, conforms to the Pet Store Service specification, and how a service behaves under load.',
    )
    .version(SUITE.version)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES)
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      subcommandDescription: (command) =>
        command
          .description()
          .split(/; |: | \(/, 1)
          .join(),
    });
  for (const { name, description, load } of COMMANDS) {
    const create = names.includes(name) ? await load() : undefined;
    const command = create?.(terminal, endWith, args) ?? new Command(name);
    program.addCommand(command.description(description));
  }
  return program;
}

/**
 * Builds the command line. Usage errors are thrown, not printed.
 * @param args the arguments. The first command that they name is the one that runs, also after "help".
 */
export async function createProgram(terminal: Terminal, args: readonly string[]): Promise<Program> {
  let code: ExitCode = EXIT.conforms;
  const named = args.flatMap((arg) => COMMANDS.find(({ name }) => name === arg) ?? [])[0];
  const program = await programWith(args, namesToLoad(named), terminal, (exitCode) => {
    code = exitCode;
  });
  for (const command of withSubcommands(program)) {
    const override = (error: CommanderError) => {
      throw new UsageError(error, typed(command));
    };
    command.exitOverride(override).configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
      outputError: () => undefined,
    });
  }
  return { program, codeOf: () => code };
}

function namesToLoad(named: CommandEntry | undefined): readonly string[] {
  if (named === undefined) return [];
  return named.describesOthers === true ? COMMANDS.map(({ name }) => name) : [named.name];
}

const typed = (command: Command): string =>
  command.parent === null ? COMMAND : `${typed(command.parent)} ${command.name()}`;

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

const EXAMPLES = `
Examples:
  petstore-conformance certify
      tests the bundled reference server; usually takes under ten seconds
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1
      tests your service; --dry-run shows what would be sent
  petstore-conformance certify-client -- COMMAND
      tests your client
  petstore-conformance judge out/RUN/journal.ndjson
      judges a recorded run again, offline

In a clone, and in a project that has the package, type: npx --offline petstore-conformance

Exit codes:
  0  it conforms, what was selected passes, or only known violations remain (--baseline)
  1  a requirement is violated
  2  no run was possible: wrong options, a rejected key, or no service at that address
  3  incomplete: nothing fails, but a MUST is inconclusive
  130  interrupted`;
