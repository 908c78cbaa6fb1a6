import { Option } from 'commander';

/** Collects the values of an option that may be given more than once. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** `--target`: the service that is asked. */
export const targetOption = new Option('--target <url>', 'base address of the service, /v1 included');

/** `--plan`: whose numbers hold for the key. */
export const planOption = new Option('--plan <name>', "the key's plan").default('free');

/** `--plans`: numbers and window lengths of a target's own. */
export const plansOption = new Option(
  '--plans <file>',
  "plan file with the target's own numbers and window lengths",
);

/** `--api-key-env`: where the key is, which never stands on the command line itself. */
export const keyEnvOption = new Option(
  '--api-key-env <var>',
  'environment variable that holds the key (default: PETSTORE_API_KEY)',
);

/** `--api-key-file`: the same in a file. */
export const keyFileOption = new Option('--api-key-file <file>', 'file that holds the key');

/** `--name-pattern`: how the names of created categories are written, for a service with rules of its own. */
export const namePatternOption = new Option(
  '--name-pattern <text>',
  "how names of categories are written, such as 'Category {id}', where the service has rules for them: {id} becomes 6 lower-case letters, {ID} 6 capital letters, {number} 8 digits",
);

/** `--algorithm`: how the bundled server counts, where no target is given. */
export const algorithmOption = new Option('--algorithm <name>', 'limiter of the bundled server');

/** `--fault`: what is wrong with it. */
export const faultOption = new Option('--fault <id>', 'fault of the bundled server');

/** `--variant`: what is odd about it, and lawful. */
export const variantOption = new Option('--variant <id>', 'conforming variant of the bundled server');

/** `--dry-run`: the preview alone. */
export const dryRunOption = new Option('--dry-run', 'say what would be sent, and send nothing');

/** `--ca`: what lets a target be trusted whose certificate no public authority has signed. */
export const caOption = new Option('--ca <file>', 'PEM file of the certificate authority to trust');

/** `--header`: what a gateway wants to see, in the open. */
export const headerOption = new Option(
  '--header <line>',
  "'Name: value' on every request, for a gateway; repeatable",
).argParser(repeatable);

/** `--header-env`: the same for what nobody may read on the command line. */
export const headerEnvOption = new Option(
  '--header-env <name=var>',
  'the same with a secret value out of a variable; repeatable',
).argParser(repeatable);
