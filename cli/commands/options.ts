import type { Command } from 'commander';
import { Option } from 'commander';
import type { ConfigurableCommand } from '../config/options-of.ts';
import type { Terminal } from '../terminal.ts';

/** Collects the values of an option that may be given more than once. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** `--target`: the service that requests go to. */
const targetOption = new Option(
  '--target <url>',
  'base address of the service, including /v1, or the name of a target of the configuration file',
);

/** `--plan`: the plan whose limits apply to the key. */
const planOption = new Option('--plan <name>', 'plan of the key').default('free');

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

/** `--api-key-file`: the file with the key. */
const keyFileOption = new Option('--api-key-file <file>', 'file that holds the key');

/** `--name-pattern`: the form of the names of created categories, for a service that restricts them. */
export const namePatternOption = new Option(
  '--name-pattern <text>',
  "pattern for the names of created categories, such as 'Category {id}', for a service that restricts names; {id} becomes 6 lower-case letters, {ID} 6 capital letters, {number} 8 digits",
);

/** `--algorithm`: the rate-limit algorithm of the bundled server. */
const algorithmOption = new Option('--algorithm <name>', 'rate-limit algorithm of the bundled server');

/** `--fault`: a violation of the specification in the bundled server. */
const faultOption = new Option('--fault <id>', 'fault to inject into the bundled server');

/** `--variant`: an unusual but conforming behaviour of the bundled server. */
const variantOption = new Option('--variant <id>', 'conforming variant of the bundled server');

/** What the user states about the keys of a load run. */
export const exclusiveKeyOption = new Option(
  '--exclusive-key',
  'state that no other client uses the keys during the run, so that no verdict is inconclusive because of other clients',
);

/** `--dry-run`: the preview alone. */
export const dryRunOption = new Option('--dry-run', 'print what a run would send, and send nothing');

/** `--ca`: trust in a certificate that no public authority has signed. */
export const caOption = new Option('--ca <file>', 'PEM file of a certificate authority to trust');

/** `--cert`: who the client is, for a target that asks for it. */
const certOption = new Option(
  '--cert <file>',
  'PEM file of a client certificate, for a target that asks for one',
);

/** `--cert-key`: the private key of `--cert`. */
const certKeyOption = new Option('--cert-key <file>', 'PEM file of the private key of --cert');

/** `--header`: a header for a gateway whose value is no secret. */
export const headerOption = new Option(
  '--header <line>',
  "'Name: value' to send with every request, for a gateway; repeatable",
).argParser(repeatable);

/** `--header-env`: a header for a gateway whose value is secret. */
const headerEnvOption = new Option(
  '--header-env <name=var>',
  'header with a secret value from an environment variable; repeatable',
).argParser(repeatable);

/** `--baseline`: the known violations of a target. */
const baselineOption = new Option(
  '--baseline <file>',
  'known violations, each with reason, owner and expiry: exit 0 if nothing else fails; unknown, expired and stale entries end with 1',
);

/** `--baseline-write`: a baseline from this run. */
const baselineWriteOption = new Option(
  '--baseline-write <file>',
  'write the violations of this run as a baseline; entries of an existing file keep their reason, owner and expiry',
);

/** `--only`: the requirements of a partial run. */
const onlyOption = new Option(
  '--only <names>',
  'test only these requirements: ids (CREATE-4), chapters (CREATE) and levels (MUST), separated by commas; repeatable. Such a partial run never shows that a target conforms',
).argParser(repeatable);

/** `--skip`: the requirements that a partial run leaves out. */
const skipOption = new Option(
  '--skip <names>',
  'leave out these requirements; names as for --only; a partial run',
).argParser(repeatable);

/** `--quick`: the partial run for every change. */
const quickOption = new Option(
  '--quick',
  'test what needs no 429, in seconds, with up to 20 requests of the key and without a wait; a partial run, made for every change',
);

/** `--format`: for whom the result is printed. */
const formatOption = new Option(
  '--format <format>',
  'console; or json, which prints report.json, and nothing else, on standard output',
)
  .choices(['console', 'json'])
  .default('console');

/** Adds the options of `certify` and `load` for the target, its plan and the key, in a group of the help. */
export function withTargetOptions(command: Command): Command {
  command.optionsGroup('Target and key:');
  for (const option of [
    targetOption,
    planOption,
    plansOption,
    keyEnvOption,
    keyFileOption,
    caOption,
    certOption,
    certKeyOption,
    headerOption,
    headerEnvOption,
  ])
    command.addOption(option);
  return command;
}

/** Adds the options for the behaviour of the bundled server, in a group of the help. */
export const withServerOptions = (command: Command): Command =>
  command
    .optionsGroup('Bundled server, where no target is named:')
    .addOption(algorithmOption)
    .addOption(faultOption)
    .addOption(variantOption);

/** What a run of `certify` is limited to. */
export const selectionOptions: readonly Option[] = [onlyOption, skipOption, quickOption];

/** How the result of a run is judged and printed, for a new run and for a recorded one. */
export const resultOptions: readonly Option[] = [baselineOption, baselineWriteOption, formatOption];
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
