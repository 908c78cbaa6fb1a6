import { Command } from 'commander';
import { withFirstHelp, withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import { configurable } from '../configurable.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT, interruptible } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { messagesOf, print } from '../terminal.ts';

type CertifyOptions = CommandOptions<'certify'>;

/** `certify`: tests a target, or the bundled reference server where no target is given. */
export function certifyCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = withOptions(new Command('certify'), 'certify').action(async (options: CertifyOptions) => {
    endWith(await interruptible((signal) => certify(options, terminal, signal)));
  });
  withFirstHelp(command, 'certify', { examples: EXAMPLES, note: NOTE, details: DETAILS });
  return configurable(command, 'certify', terminal);
}

async function certify(options: CertifyOptions, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  // Loaded only here, so that the help appears quickly.
  const { settleCertify } = await import('../certify/settings.ts');
  const { previewLines } = await import('../certify/preview.ts');
  const { checkUnusedDay, dayUsageBefore } = await import('../certify/settings.ts');
  const settings = await settleCertify(options, process.env, new Date());
  const messages = messagesOf(terminal, settings.format);
  const preview = (): void =>
    print(messages, ...previewLines(settings, dayUsageBefore(settings, Date.now())));
  if (options.dryRun === true) {
    const { dryRunText } = await import('../terminal.ts');
    const { lacksKeys } = await import('../../options/target/read-target.ts');
    preview();
    checkUnusedDay(settings, Date.now());
    print(messages, dryRunText('sent', lacksKeys(options, process.env)));
    return EXIT.conforms;
  }
  checkUnusedDay(settings, Date.now());
  // Loaded only for a run, so that the preview and error messages appear quickly.
  const { certify } = await import('../certify/certify.ts');
  return certify(settings, terminal, signal, preview);
}

const EXAMPLES = `  petstore-conformance certify
      tests the bundled server
  petstore-conformance certify --target https://api.example.com/v1
      tests your service; with --dry-run, prints what it would send
  petstore-conformance certify --fault retry-after-absent
      shows what a violation looks like`;

const NOTE = `The key is read from PETSTORE_API_KEY, or from where --api-key-env or --api-key-file says,
never from the command line. "certify --help-all" has every option, for gateways, further
keys and parts of the requirements.`;

const DETAILS = `Keys are read from environment variables or a file, never from the command line.

More examples:
  petstore-conformance certify --plans plans.json
      tests the bundled server with the windows and quotas of this file
  PETSTORE_API_KEY=… PETSTORE_OTHER_KEY=… petstore-conformance certify --target https://api.example.com/v1 \\
      --plan pro --plan-key free=FREE_KEY --openapi https://api.example.com/openapi.json --out report
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1 --only CREATE,AUTH-1
      sends what these requirements need, and does not exhaust the quota`;
