import { Command } from 'commander';
import { SUITE } from '../suites/given/suite.ts';
import { certifyCommand } from './commands/certify.ts';
import { faultsCommand } from './commands/faults.ts';
import { judgeCommand } from './commands/judge.ts';
import { k6Command } from './commands/k6.ts';
import { loadCommand } from './commands/load.ts';
import { requirementsCommand } from './commands/requirements.ts';
import { serveCommand } from './commands/serve.ts';
import { variantsCommand } from './commands/variants.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** What a command's action does with the code that it ends with. */
export type EndWith = (code: ExitCode) => void;

/** The whole command line, and the exit code of the command that was run. */
export interface Program {
  readonly program: Command;
  codeOf(): ExitCode;
}

const COMMANDS = [
  certifyCommand,
  serveCommand,
  faultsCommand,
  variantsCommand,
  requirementsCommand,
  judgeCommand,
  loadCommand,
  k6Command,
];

/** Builds the command line. Usage errors are thrown, not printed. */
export function createProgram(terminal: Terminal): Program {
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
  for (const create of COMMANDS) program.addCommand(create(terminal, endWith));
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
