import type { OptionName } from './table.ts';
import { OPTION_NAMES, options } from './table.ts';

/** What a user calls each option, so that an error names the one to correct. */
export type Names = Readonly<Record<OptionName, string>>;

const named = (nameOf: (option: OptionName) => string): Names =>
  Object.fromEntries(OPTION_NAMES.map((option) => [option, nameOf(option)])) as Names;

/** The names on the command line: `--plan-key`. */
export const FLAGS: Names = named(
  (option) =>
    `--${options[option].flag ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
);

/** The variables that Playwright reads: `PETSTORE_PLAN_KEYS`. */
export const VARIABLES: Names = named(
  (option) =>
    options[option].variable ??
    options[option].usual ??
    `PETSTORE_${option.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`,
);

/** The names that the library takes. */
export const PARAMETERS: Names = named((option) => option);
