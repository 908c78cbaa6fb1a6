import { Command } from 'commander';
import type { CertifyOptions } from '../certify/settings.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { messagesOf, print } from '../terminal.ts';
import {
  configurable,
  dryRunOption,
  repeatable,
  withProductOptions,
  withResultOptions,
  withServerOptions,
  withTargetOptions,
} from './options.ts';

/** `certify`: tests a target, or the bundled reference server where no target is given. */
export function certifyCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = withTargetOptions(new Command('certify'))
    .option(
      '--name-pattern <text>',
      "pattern for the names of created categories, such as 'Category {id}', for a service that restricts names; {id} becomes 6 lower-case letters, {ID} 6 capital letters, {number} 8 digits",
    )
    .optionsGroup('Evidence:')
    .option(
      '--thorough',
      'test three windows instead of one, with three times the requests; recommended for a certificate. The second one tests the limit again over new connections and with similar keys, the third one the end of a window',
    )
    .option(
      '--other-key-env <var>',
      'environment variable with the key of another caller (default: PETSTORE_OTHER_KEY, if set)',
    )
    .option(
      '--plan-key <plan=var>',
      'environment variable with a key of a further plan, whose limit is checked with one request (RATE-5); repeatable',
      repeatable,
    )
    .option(
      '--exhausted-key-env <var>',
      'environment variable with a key whose daily quota is exhausted (LIMIT-9)',
    )
    .option(
      '--spend-day',
      'use the whole daily quota of the key and test whether the day is enforced (LIMIT-9): for Free about 1,000 requests in 18 minutes. The key must not have been used for a day',
    )
    .option(
      '--disposable-key-env <var>',
      'environment variable with a key that may get banned (BAN-1, BAN-2)',
    )
    .option(
      '--exclusive-key',
      'state that no other client uses the key during the run, so that no verdict is inconclusive because of other clients',
    )
    .option('--openapi <url|file>', "the target's OpenAPI document, which is read without a key (VER-2)")
    .optionsGroup('Result:')
    .option('--strict', 'count every warning as a violation')
    .option(
      '--out <dir>',
      'folder for the journal and the reports; files of an earlier run are moved (default: out/TIME-TAG)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: CertifyOptions) => {
      endWith(await interruptible((signal) => certify(options, terminal, signal)));
    });
  withSelectionOptions(withProductOptions(withResultOptions(command)));
  withServerOptions(command).optionsGroup('Options:').addOption(dryRunOption);
  return configurable(command, 'certify', terminal);
}

/** Adds what a run is limited to, in a group of the help. */
const withSelectionOptions = (command: Command): Command =>
  command
    .optionsGroup('A part of the requirements:')
    .option(
      '--only <names>',
      'test only these requirements: ids (CREATE-4), chapters (CREATE) and levels (MUST), separated by commas; repeatable. Such a partial run ends with 0 where all of them pass, and never shows that a target conforms',
      repeatable,
    )
    .option('--skip <names>', 'leave out these requirements; names as for --only; a partial run', repeatable)
    .option(
      '--quick',
      'test what needs no 429, in seconds, with up to 20 requests of the key and without a wait; a partial run, made for every change',
    );

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
      sends what these requirements need, and does not exhaust the quota
  petstore-conformance certify --fault retry-after-absent
      shows what a violation looks like`;
