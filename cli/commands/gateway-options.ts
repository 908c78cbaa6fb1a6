import { Option } from 'commander';

/** Collects the values of an option that may be given more than once. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

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
