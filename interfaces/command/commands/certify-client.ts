import { Command } from 'commander';
import { UserError } from '../../../kernel/basics/errors.ts';
import { templates, templateText } from '../../../suites/client/templates/index.ts';
import { FLAGS, withFirstHelp, withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { optionsOf } from '../../options/table.ts';
import { configurable } from '../configurable.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT, interruptible } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

type CertifyClientOptions = CommandOptions<'certify-client'>;

/** `certify-client`: tests a client, or the bundled exemplary client where no command is given. */
export function certifyClientCommand(terminal: Terminal, endWith: EndWith, args: readonly string[]): Command {
  const command = withOptions(new Command('certify-client'), 'certify-client')
    .argument('[command...]', 'program of the client and its arguments, after --')
    .passThroughOptions()
    .action(async (words: readonly string[], options: CertifyClientOptions) => {
      if (!args.includes('--')) rejectOptionsIn(words);
      endWith(await interruptible((signal) => certifyClient(options, words, terminal, signal)));
    });
  withFirstHelp(command, 'certify-client', { examples: EXAMPLES, note: TASK, details: DETAILS });
  return configurable(command, 'certify-client', terminal);
}

/**
 * What follows the program is the client's, so an option there would start the client instead of what it is meant for.
 * @throws {UserError} where one stands there without a `--` that says so.
 */
function rejectOptionsIn([program = '', ...further]: readonly string[]): void {
  const flags = optionsOf('certify-client').map((name) => FLAGS[name]);
  const option = further.find((word) => flags.includes(word.replace(/=.*$/s, '')))?.replace(/=.*$/s, '');
  if (option === undefined) return;
  throw new UserError(
    `${option} stands behind the program: write it before the program (certify-client ${option} -- ${program} …), or put -- before the program where the client itself takes it.`,
  );
}

async function certifyClient(
  options: CertifyClientOptions,
  words: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const template = templates.find(({ language }) => language === options.template);
  if (template !== undefined) {
    terminal.out.write(templateText(template));
    return EXIT.conforms;
  }
  // Loaded only here, so that the help appears quickly.
  const { makeRun } = await import('../run.ts');
  const { clientCertification } = await import('../clients/certify-client.ts');
  const command = words.length > 0 ? words : (options.command ?? []);
  return makeRun(clientCertification, { options, words: command }, terminal, signal);
}

const EXAMPLES = `  petstore-conformance certify-client
      tests the bundled exemplary client
  petstore-conformance certify-client --template python > client.py
      prints a client to start from
  petstore-conformance certify-client -- python3 client.py
      tests your client`;

const TASK = `The client is started once for each scenario, with its task in its environment:
  PETSTORE_TARGET       base address of the service, ending in /v1
  PETSTORE_API_KEY      key to send
  PETSTORE_CALLS        how many times to list the categories (default 1)
  PETSTORE_CREATES      how many categories to create afterwards (default 0)
  PETSTORE_CONCURRENCY  how many tasks share the calls, one client and the key (default 1)
It ends with status 0 only if all calls succeeded.`;

const DETAILS = `${TASK}

More examples:
  petstore-conformance certify-client --serve
      waits for a client that you attach by hand`;
