import type { Option } from 'commander';
import { Command } from 'commander';
import type { CertifyOptions } from '../certify/settings.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { messagesOf, print } from '../terminal.ts';
import {
  algorithmOption,
  caOption,
  certKeyOption,
  certOption,
  configurable,
  dryRunOption,
  faultOption,
  headerEnvOption,
  headerOption,
  keyEnvOption,
  keyFileOption,
  namePatternOption,
  planOption,
  plansOption,
  repeatable,
  resultOptions,
  selectionOptions,
  targetOption,
  variantOption,
  withProductOptions,
} from './options.ts';

/** How the target is reached, how the bundled server behaves, and whether anything is sent. */
const FURTHER_OPTIONS: readonly Option[] = [
  caOption,
  certOption,
  certKeyOption,
  headerOption,
  headerEnvOption,
  algorithmOption,
  faultOption,
  variantOption,
  dryRunOption,
];

/** `certify`: tests a target, or the bundled reference server where no target is given. */
export function certifyCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = new Command('certify')
    .addOption(targetOption)
    .addOption(planOption)
    .addOption(keyEnvOption)
    .addOption(keyFileOption)
    .option(
      '--other-key-env <var>',
      'environment variable with the key of another caller (default: PETSTORE_OTHER_KEY, if set)',
    )
    .option(
      '--exhausted-key-env <var>',
      'environment variable with a key whose daily quota is exhausted (LIMIT-9)',
    )
    .option(
      '--disposable-key-env <var>',
      'environment variable with a key that may get banned (BAN-1, BAN-2)',
    )
    .option(
      '--plan-key <plan=var>',
      'environment variable with a key of a further plan, whose limit is checked with one request (RATE-5); repeatable',
      repeatable,
    )
    .option('--openapi <url|file>', "the target's OpenAPI document, which is read without a key (VER-2)")
    .option(
      '--exclusive-key',
      'state that no other client uses the key during the run, so that no verdict is inconclusive because of other clients',
    )
    .option(
      '--thorough',
      'test three windows in place of one, with three times the requests: the limit again over new connections and beside similar keys, and requests around the end of a window; recommended for a certificate',
    )
    .option(
      '--spend-day',
      'use the whole daily quota of the key, which must not have been used for a day, and test whether the day is enforced (LIMIT-9): for Free about 1,000 requests in 18 minutes',
    )
    .addOption(plansOption)
    .addOption(namePatternOption)
    .option(
      '--challenge <text>',
      'a text that an examiner chose: the names of what the run creates follow from it, which "verify" checks',
    )
    .option('--strict', 'count every warning as a violation')
    .option(
      '--out <dir>',
      'folder for the journal and the reports; files of an earlier run are moved (default: out/TIME-TAG)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: CertifyOptions) => {
      endWith(await interruptible((signal) => certify(options, terminal, signal)));
    });
  for (const option of [...selectionOptions, ...resultOptions, ...FURTHER_OPTIONS]) command.addOption(option);
  return configurable(withProductOptions(command), 'certify', terminal);
}

async function certify(options: CertifyOptions, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  // Loaded only here, so that the help appears quickly.
  const { settleCertify } = await import('../certify/settings.ts');
  const { previewLines } = await import('../certify/preview.ts');
  const { checkUnusedDay, dayUsageBefore } = await import('../certify/usage.ts');
  const settings = await settleCertify(options, process.env, new Date());
  print(
    messagesOf(terminal, settings.format),
    ...previewLines(settings, dayUsageBefore(settings, Date.now())),
  );
  checkUnusedDay(settings, Date.now());
  if (options.dryRun === true) {
    const { dryRunText } = await import('../preview-texts.ts');
    print(messagesOf(terminal, settings.format), dryRunText('sent'));
    return EXIT.conforms;
  }
  // Loaded only for a run, so that the preview and error messages appear quickly.
  const { certify } = await import('../certify/certify.ts');
  return certify(settings, terminal, signal);
}

const EXAMPLES = `
Keys are read from environment variables or a file, never from the command line.

Examples:
  petstore-conformance certify
  petstore-conformance certify --plans plans.json
      tests the bundled server with the windows and quotas of this file
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1 --dry-run
      prints what a run would send to your service
  PETSTORE_API_KEY=… PETSTORE_OTHER_KEY=… petstore-conformance certify --target https://api.example.com/v1 \\
      --plan pro --plan-key free=FREE_KEY --openapi https://api.example.com/openapi.json --out report
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1 --only CREATE,AUTH-1
      sends what these requirements need, and leaves the quota alone
  petstore-conformance certify --fault retry-after-absent
      shows what a violation looks like`;
