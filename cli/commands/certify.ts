import { Command } from 'commander';
import { previewLines } from '../certify/preview.ts';
import type { CertifyOptions } from '../certify/settings.ts';
import { settle } from '../certify/settings.ts';
import { dayUsageBefore } from '../certify/usage.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import {
  algorithmOption,
  caOption,
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
  targetOption,
  variantOption,
} from './options.ts';

/** `certify`: examines a target, or the bundled reference server where none is given. */
export function certifyCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('certify')
    .description('examine a target, or the bundled reference server where none is given')
    .addOption(targetOption)
    .addOption(planOption)
    .addOption(keyEnvOption)
    .addOption(keyFileOption)
    .option(
      '--other-key-env <var>',
      'variable with the key of another caller (default: PETSTORE_OTHER_KEY, where set)',
    )
    .option('--exhausted-key-env <var>', 'variable with a key whose day is already spent (LIMIT-9)')
    .option('--disposable-key-env <var>', 'variable with a key that may get banned (BAN-1, BAN-2)')
    .option(
      '--plan-key <plan=var>',
      'a key of a further plan, whose limit is looked at; repeatable',
      repeatable,
    )
    .option('--openapi <url|file>', "the target's OpenAPI document, read without any key (VER-2)")
    .option(
      '--exclusive-key',
      'state that no other client uses the key during the run: nothing stays inconclusive for that reason',
    )
    .addOption(plansOption)
    .addOption(namePatternOption)
    .option('--strict', 'every warning counts as a violation')
    .option('--out <dir>', 'folder for the journal and the reports (default: out/TIME-TAG)')
    .addOption(caOption)
    .addOption(headerOption)
    .addOption(headerEnvOption)
    .addOption(algorithmOption)
    .addOption(faultOption)
    .addOption(variantOption)
    .addOption(dryRunOption)
    .addHelpText('after', EXAMPLES)
    .action(async (options: CertifyOptions) => {
      endWith(await interruptible((signal) => certify(options, terminal, signal)));
    });
}

async function certify(options: CertifyOptions, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  const settings = await settle(options, process.env, new Date());
  print(terminal, ...previewLines(settings, dayUsageBefore(settings, Date.now())));
  if (options.dryRun === true) return EXIT.conforms;
  // Nobody who made a mistake or wants the preview waits for what a run needs.
  const { certify } = await import('../certify/certify.ts');
  return certify(settings, terminal, signal);
}

const EXAMPLES = `
Keys are read from environment variables or a file, never from the command line.

Examples:
  petstore-conformance certify
  petstore-conformance certify --plans spec/plans.json
      the bundled server with its real minute
  PETSTORE_API_KEY=… petstore-conformance certify --target https://api.example.com/v1 --dry-run
      what would be sent to your service
  PETSTORE_API_KEY=… PETSTORE_OTHER_KEY=… petstore-conformance certify --target https://api.example.com/v1 \\
      --plan pro --plan-key free=FREE_KEY --openapi https://api.example.com/openapi.json --out report
  petstore-conformance certify --fault retry-after-absent
      what a violation looks like`;
