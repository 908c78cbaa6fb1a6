import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoted } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';

/**
 * Checks that the program of a client exists, before a run is previewed and started.
 * @throws {UserError} where it does not.
 */
export function checkProgram(name: string, env: NodeJS.ProcessEnv): void {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const places = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  if (places.some((place) => existsSync(place))) return;
  const where = name.includes('/') ? 'at this path' : 'in the folders of PATH';
  throw new UserError(
    `The client ${quoted(name)} could not be started: there is no such program ${where}. Give a program and its arguments after "--", as in a shell without its operators.`,
  );
}
