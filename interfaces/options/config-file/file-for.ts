import { existsSync } from 'node:fs';

// A file of its own: what reads and checks such a file is loaded only where there is one.

/** The commands that read such a file. Playwright reads it as `certify` does. */
export const CONFIGURABLE = ['certify', 'load', 'certify-client'] as const;

export type ConfigurableCommand = (typeof CONFIGURABLE)[number];

/** The file that is read from the current folder where `--config` names no other. */
export const CONFIG_FILE = 'petstore-conformance.json';

/** The file that an option names, or the one in the current folder; none where the option is false. */
export function fileFor(option: string | false | undefined): string | undefined {
  if (typeof option === 'string') return option;
  return option !== false && existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined;
}
