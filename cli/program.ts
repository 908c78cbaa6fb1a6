import { Command } from 'commander';
import { SUITE } from '../suites/inputs/suite.ts';
import type { EndWith, ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** The whole command line, and the exit code of the command that was run. */
export interface Program {
  readonly program: Command;
  codeOf(): ExitCode;
}

type CreateCommand = (terminal: Terminal, endWith: EndWith) => Command;

/** Every command, loaded where it is needed: `judge` shall not wait for a server that it never starts. */
const COMMANDS: ReadonlyMap<string, () => Promise<CreateCommand>> = new Map([
  ['certify', async () => (await import('./commands/certify.ts')).certifyCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['faults', async () => (await import('./commands/faults.ts')).faultsCommand],
  ['variants', async () => (await import('./commands/variants.ts')).variantsCommand],
  ['requirements', async () => (await import('./commands/requirements.ts')).requirementsCommand],
  ['judge', async () => (await import('./commands/judge.ts')).judgeCommand],
  ['load', async () => (await import('./commands/load.ts')).loadCommand],
  ['k6', async () => (await import('./commands/k6.ts')).k6Command],
]);

/** The command that is named first, or all of them: for the help, and to suggest the likely one. */
function commandsFor(named: string | undefined): Promise<readonly CreateCommand[]> {
  const one = COMMANDS.get(named ?? '');
  return Promise.all((one === undefined ? [...COMMANDS.values()] : [one]).map((load) => load()));
}

/**
 * Builds the command line. Usage errors are thrown, not printed.
 * @param named the first argument, which is most often a command.
 */
export async function createProgram(terminal: Terminal, named: string | undefined): Promise<Program> {
  let code: ExitCode = EXIT.conforms;
  const endWith: EndWith = (ended) => {
    code = ended;
  };
  const program = new Command('petstore-conformance')
    .description('Says whether an implementation keeps the Pet Store Service specification.')
    .version(SUITE.version)
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  for (const create of await commandsFor(named)) program.addCommand(create(terminal, endWith));
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({ outputError: () => undefined });
  }
  return { program, codeOf: () => code };
}

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

const EXAMPLES = `
Examples:
  petstore-conformance certify
      examines the bundled reference server: a verdict in under ten seconds
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1
      examines your service
  petstore-conformance judge out/RUN/journal.ndjson
      judges a recorded run again, with no network

Exit codes:
  0  conforms        1  a requirement is violated
  2  no run could be made: usage, configuration, target out of reach
  3  incomplete: nothing violated, but a MUST could not be decided
  130  interrupted`;
