import type { Command } from 'commander';
import { Option } from 'commander';

/** Collects the values of an option that may be given more than once. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** `--target`: the service that requests go to. */
export const targetOption = new Option('--target <url>', 'base address of the service, including /v1');

/** `--plan`: the plan whose limits apply to the key. */
export const planOption = new Option('--plan <name>', 'plan of the key').default('free');

/** `--plans`: the limits and window lengths of a target. */
export const plansOption = new Option(
  '--plans <file>',
  'plan file with the limits and window lengths of the target',
);

/** `--api-key-env`: the variable with the key. The key itself never stands on the command line. */
export const keyEnvOption = new Option(
  '--api-key-env <var>',
  'environment variable that holds the key (default: PETSTORE_API_KEY)',
);

/** `--api-key-file`: the file with the key. */
export const keyFileOption = new Option('--api-key-file <file>', 'file that holds the key');

/** `--name-pattern`: the form of the names of created categories, for a service that restricts them. */
export const namePatternOption = new Option(
  '--name-pattern <text>',
  "pattern for the names of created categories, such as 'Category {id}', for a service that restricts names; {id} becomes 6 lower-case letters, {ID} 6 capital letters, {number} 8 digits",
);

/** `--algorithm`: the rate-limit algorithm of the bundled server. */
export const algorithmOption = new Option('--algorithm <name>', 'rate-limit algorithm of the bundled server');

/** `--fault`: a violation of the specification in the bundled server. */
export const faultOption = new Option('--fault <id>', 'fault to inject into the bundled server');

/** `--variant`: an unusual but conforming behaviour of the bundled server. */
export const variantOption = new Option('--variant <id>', 'conforming variant of the bundled server');

/** `--dry-run`: the preview alone. */
export const dryRunOption = new Option('--dry-run', 'print what a run would send, and send nothing');

/** `--ca`: trust in a certificate that no public authority has signed. */
export const caOption = new Option('--ca <file>', 'PEM file of a certificate authority to trust');

/** `--header`: a header for a gateway whose value is no secret. */
export const headerOption = new Option(
  '--header <line>',
  "'Name: value' to send with every request, for a gateway; repeatable",
).argParser(repeatable);

/** `--header-env`: a header for a gateway whose value is secret. */
export const headerEnvOption = new Option(
  '--header-env <name=var>',
  'the same with a secret value from an environment variable; repeatable',
).argParser(repeatable);

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
