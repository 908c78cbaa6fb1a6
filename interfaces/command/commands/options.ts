import type { Command } from 'commander';
import { Option } from 'commander';
import type { ConfigurableCommand } from '../config/options-of.ts';
import type { Terminal } from '../terminal.ts';

/** Collects the values of an option that may be given more than once. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** `--plans`: the limits and window lengths of a target. */
export const plansOption = new Option(
  '--plans <file>',
  'plan file with the limits and window lengths of the target',
);

/** `--api-key-env`: the variable with the key. The key itself is never on the command line. */
export const keyEnvOption = new Option(
  '--api-key-env <var>',
  'environment variable that holds the key (default: PETSTORE_API_KEY)',
);

/** `--exclusive-key`: what the user states about the keys of a load run. */
export const exclusiveKeyOption = new Option(
  '--exclusive-key',
  'state that no other client uses the keys during the run, so that no verdict is inconclusive because of other clients',
);

/** `--dry-run`: the preview alone. */
export const dryRunOption = new Option('--dry-run', 'print what a run would send, and send nothing');

/** `--ca`: trust in a certificate that no public authority has signed. */
export const caOption = new Option('--ca <file>', 'PEM file of a certificate authority to trust');

/** `--header`: a header for a gateway whose value is no secret. */
export const headerOption = new Option(
  '--header <line>',
  "'Name: value' to send with every request, for a gateway; repeatable",
).argParser(repeatable);

/** Adds the options of `certify` and `load` for the target, its plan and the key, in a group of the help. */
export const withTargetOptions = (command: Command): Command =>
  command
    .optionsGroup('Target and key:')
    .option(
      '--target <url>',
      'base address of the service, including /v1, or the name of a target of the configuration file',
    )
    .option('--plan <name>', 'plan of the key', 'free')
    .addOption(plansOption)
    .addOption(keyEnvOption)
    .option('--api-key-file <file>', 'file that holds the key')
    .addOption(caOption)
    .option('--cert <file>', 'PEM file of a client certificate, for a target that asks for one')
    .option('--cert-key <file>', 'PEM file of the private key of --cert')
    .addOption(headerOption)
    .option(
      '--header-env <name=var>',
      'header with a secret value from an environment variable; repeatable',
      repeatable,
    );

/** Adds the options for the behaviour of the bundled server, in a group of the help. */
export const withServerOptions = (command: Command): Command =>
  command
    .optionsGroup('Bundled server, where no target is named:')
    .option('--algorithm <name>', 'rate-limit algorithm of the bundled server')
    .option('--fault <id>', 'fault to inject into the bundled server')
    .option('--variant <id>', 'conforming variant of the bundled server');

/** Adds how the result of a run is judged and printed, for a new run and for a recorded one. */
export const withResultOptions = (command: Command): Command =>
  command
    .option(
      '--baseline <file>',
      'known violations, each with reason, owner and expiry: exit 0 if nothing else fails; unknown, expired and stale entries end with 1',
    )
    .option(
      '--baseline-write <file>',
      'write the violations of this run as a baseline; entries of an existing file keep their reason, owner and expiry',
    )
    .addOption(
      new Option(
        '--format <format>',
        'console; or json, which prints report.json, and nothing else, on standard output',
      )
        .choices(['console', 'json'])
        .default('console'),
    );

/** Adds what the user states about the product under test, for the first page of the report; nothing is verified. */
export const withProductOptions = (command: Command): Command =>
  command
    .option('--product <name>', 'name of the product under test, for the report')
    .option('--vendor <name>', 'who makes it')
    .option('--product-version <version>', 'its version')
    .option('--product-configuration <text>', 'how it is set up, in one line');

/** The values of these options, as commander hands them over. */
export interface ProductOptions {
  readonly product?: string;
  readonly vendor?: string;
  readonly productVersion?: string;
  readonly productConfiguration?: string;
}

/**
 * Lets a command read a configuration file before it acts.
 * @param unusable names the options that a run with these arguments cannot use.
 */
export function configurable(
  command: Command,
  name: ConfigurableCommand,
  terminal: Terminal,
  unusable: (args: readonly string[]) => Promise<readonly string[]> = async () => [],
): Command {
  return command
    .option('--config <file>', 'configuration file (default: petstore-conformance.json, where it exists)')
    .option('--no-config', 'read no configuration file')
    .hook('preAction', async (_command, acting) => {
      if (acting !== command) return;
      const { applyConfig } = await import('../config/apply-config.ts');
      const read = applyConfig(command, name, await unusable(command.args));
      if (read !== undefined) terminal.err.write(`${read}\n`);
    });
}
