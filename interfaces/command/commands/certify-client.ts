import { Command, Option } from 'commander';
import { templates, templateText } from '../../../suites/client/templates/index.ts';
import type { CertifyClientOptions } from '../clients/settings.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { configurable, withProductOptions } from './options.ts';

interface CommandOptions extends CertifyClientOptions {
  readonly template?: string;
  /** The command of the configuration file. */
  readonly words?: readonly string[];
}

const templateOption = new Option(
  '--template <language>',
  'print a client that conforms, to start from',
).choices(templates.map(({ language }) => language));

/** `certify-client`: tests a client, or the bundled exemplary client where no command is given. */
export function certifyClientCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = new Command('certify-client')
    .argument('[command...]', 'program of the client and its arguments, after --')
    .passThroughOptions()
    .addOption(templateOption)
    .option('--only <ids>', 'requirements to test, such as CLIENT-1,CLIENT-4')
    .option(
      '--thorough',
      'also announce waits of 75 s and of an hour, which show a client that cuts long waits',
    )
    .option('--seconds <n>', 'end the run after n seconds; what was not tested by then is inconclusive')
    .option('--jobs <n>', 'how many clients run at a time (default: 4 for each core)')
    .option('--remote', 'the client runs on another host, whose clock and network get an allowance')
    .option('--serve', 'start no client: wait for one that you attach, until Ctrl-C')
    .option(
      '--listen <host[:port]>',
      'address to listen at (default: 127.0.0.1, and every address with --remote)',
    )
    .option('--strict', 'count every warning as a violation')
    .option('--out <dir>', 'folder for the journal and the reports (default: out/TIME-client)')
    .option('--dry-run', 'print what a run would start, and start nothing')
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], options: CommandOptions) => {
      endWith(await interruptible((signal) => certifyClient(options, words, terminal, signal)));
    });
  return configurable(withProductOptions(command), 'certify-client', terminal);
}

async function certifyClient(
  options: CommandOptions,
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
  const { settleClient } = await import('../clients/settings.ts');
  const { clientPreview } = await import('../clients/preview.ts');
  const settings = settleClient(options, words.length > 0 ? words : (options.words ?? []), new Date());
  print(terminal, ...clientPreview(settings));
  if (options.dryRun === true) {
    const { dryRunText } = await import('../preview-texts.ts');
    print(terminal, '', dryRunText('started'));
    return EXIT.conforms;
  }
  // Loaded only for a run, so that the preview and error messages appear quickly.
  const { certifyClient } = await import('../clients/certify-client.ts');
  return certifyClient(settings, terminal, signal);
}

const HELP = `
The client is started once for each scenario, with its task in its environment:
  PETSTORE_TARGET       base address of the service, ending in /v1
  PETSTORE_API_KEY      key to send
  PETSTORE_CALLS        how many times to list the categories (default 1)
  PETSTORE_CREATES      how many categories to create afterwards (default 0)
  PETSTORE_CONCURRENCY  how many tasks share the calls, one client and the key (default 1)
It ends with status 0 only if all calls succeeded.

Examples:
  petstore-conformance certify-client
      tests the bundled exemplary client
  petstore-conformance certify-client --template python > client.py
      prints a client to start from
  petstore-conformance certify-client -- python3 client.py
      tests your client
  petstore-conformance certify-client --serve
      waits for a client that you attach by hand`;
