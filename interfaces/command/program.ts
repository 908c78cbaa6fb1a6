import type { CommanderError } from 'commander';
import { Command } from 'commander';
import { COMMAND } from '../../kernel/basics/text.ts';
import { SUITE } from '../../kernel/findings/tested.ts';
import { withFirstHelp, withOptions } from '../options/command-line.ts';
import { CONFIGURABLE, fileFor } from '../options/config-file/file-for.ts';
import type { Around, CommandEntry } from './commands.ts';
import { COMMANDS } from './commands.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

type EndWith = (code: ExitCode) => void;

async function complete(entry: CommandEntry, around: Around, endWith: EndWith): Promise<Command> {
  const { name, description, taker, declare, help, commands = [] } = entry;
  const command = new Command(name).description(description);
  if (taker !== undefined) withOptions(command, taker);
  declare?.(command);
  for (const one of commands) command.addCommand(await complete(one, around, endWith));
  // Commander hands on what the entry declares.
  const act = entry.action as (around: Around, ...given: unknown[]) => Promise<ExitCode | undefined>;
  command.action(async (...given: unknown[]) => endWith((await act(around, ...given)) ?? EXIT.conforms));
  if (typeof help === 'string') command.addHelpText('after', help);
  else if (taker !== undefined) withFirstHelp(command, taker, await help());
  return command;
}

/**
 * A command line with the commands that these words name: the one that runs, or the one that "help" and "completion" are
 * about. The others have a name and a description alone, which is all that the help and suggestions need, so they appear
 * without loading what the commands need.
 */
async function programWith(words: readonly string[], around: Around, endWith: EndWith): Promise<Command> {
  const program = new Command('petstore-conformance')
    .description(
      'Tests whether a service, or a client of it, conforms to the Pet Store Service specification, and how a service behaves under load.',
    )
    .version(SUITE.version)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES)
    .hook('preAction', (_program, acting) => readConfiguration(acting, around.terminal))
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      subcommandDescription: (command) =>
        command
          .description()
          .split(/; |: | \(/, 1)
          .join(),
    });
  for (const entry of COMMANDS) {
    const stated = new Command(entry.name).description(entry.description);
    program.addCommand(words.includes(entry.name) ? await complete(entry, around, endWith) : stated);
  }
  return program;
}

/** Reads the configuration file before a command acts that takes one: it gives the options that the command line does not have. */
async function readConfiguration(command: Command, terminal: Terminal): Promise<void> {
  const name = CONFIGURABLE.find((one) => one === command.name());
  const { config } = command.opts<{ readonly config?: string | false }>();
  if (name === undefined || fileFor(config) === undefined) return;
  // Loaded only here, so that a run without a file starts quickly.
  const { optionsInFile } = await import('../options/config-file/read-options.ts');
  const { appliesTo } = await import('../options/given.ts');
  const given = Object.fromEntries(
    Object.entries(command.opts()).filter(([option]) => command.getOptionValueSource(option) === 'cli'),
  );
  const read = optionsInFile(name, given, process.env);
  if (read === undefined) return;
  for (const [option, value] of Object.entries(read.values)) {
    // A file has options for profiles that this run is not of.
    if (name !== 'load' || appliesTo(option, command.args[0] ?? ''))
      command.setOptionValueWithSource(option, value, 'config');
  }
  terminal.err.write(`${read.sentence}\n`);
}

/**
 * Runs a command line. Usage errors are thrown, not printed.
 * @returns the exit code of the command.
 */
export async function runProgram(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.conforms;
  const program = await programWith(args, { terminal, args }, (exitCode) => {
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
  await program.parseAsync(args, { from: 'user' });
  return code;
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
