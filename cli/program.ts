import { Command } from 'commander';
import { SUITE } from '../suites/model/suite.ts';
import type { EndWith, ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** The command line, and the exit code of the command that ran. */
export interface Program {
  readonly program: Command;
  codeOf(): ExitCode;
}

type CreateCommand = (terminal: Terminal, endWith: EndWith) => Command;

/** Every command, loaded only when it is needed: `judge` does not wait for a server that it never starts. */
const COMMANDS: ReadonlyMap<string, () => Promise<CreateCommand>> = new Map([
  ['certify', async () => (await import('./commands/certify.ts')).certifyCommand],
  ['certify-client', async () => (await import('./commands/certify-client.ts')).certifyClientCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['faults', async () => (await import('./commands/faults.ts')).faultsCommand],
  ['variants', async () => (await import('./commands/variants.ts')).variantsCommand],
  ['requirements', async () => (await import('./commands/requirements.ts')).requirementsCommand],
  ['attest', async () => (await import('./commands/attest.ts')).attestCommand],
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand],
  ['explain', async () => (await import('./commands/explain.ts')).explainCommand],
  ['watch', async () => (await import('./commands/watch.ts')).watchCommand],
  ['judge', async () => (await import('./commands/judge.ts')).judgeCommand],
  ['compare', async () => (await import('./commands/compare.ts')).compareCommand],
  ['matrix', async () => (await import('./commands/matrix.ts')).matrixCommand],
  ['har', async () => (await import('./commands/har.ts')).harCommand],
  ['load', async () => (await import('./commands/load.ts')).loadCommand],
  ['k6', async () => (await import('./commands/k6.ts')).k6Command],
]);

/** The named command, or all commands for the help and for suggestions. */
function commandsFor(named: string | undefined): Promise<readonly CreateCommand[]> {
  const command = COMMANDS.get(named ?? '');
  return Promise.all((command === undefined ? [...COMMANDS.values()] : [command]).map((load) => load()));
}

/**
 * Builds the command line. Usage errors are thrown, not printed.
 * @param named the first argument, which is usually a command.
 */
export async function createProgram(terminal: Terminal, named: string | undefined): Promise<Program> {
  let code: ExitCode = EXIT.conforms;
  const endWith: EndWith = (exitCode) => {
    code = exitCode;
  };
  const program = new Command('petstore-conformance')
    .description('Tests whether an implementation conforms to the Pet Store Service specification.')
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
      tests the bundled reference server; the verdict takes under ten seconds
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1
      tests your service
  petstore-conformance certify-client -- COMMAND
      tests your client
  petstore-conformance judge out/RUN/journal.ndjson
      judges a recorded run again, offline

Exit codes:
  0  the target conforms, or everything that it violates is known (--baseline)
  1  a requirement is violated
  2  no run was possible: usage, configuration, target not reachable
  3  incomplete: no violation was found, but a MUST is undecided, or the run was partial
  130  interrupted`;
