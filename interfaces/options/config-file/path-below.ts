import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quoted } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';

/**
 * Reads the paths of a configuration file. It can come with a foreign repository, so it names nothing outside of its own
 * folder, and no link that leads out of it.
 * @param file its path.
 * @returns a function that throws a UserError where a path leads out of the folder.
 */
export const pathBelow =
  (file: string) =>
  (path: string | undefined): string | undefined => {
    if (path === undefined) return undefined;
    const folder = dirname(file);
    const whole = join(folder, path);
    if (
      !isAbsolute(path) &&
      isBelow(resolve(folder), resolve(whole)) &&
      isBelow(realPath(folder), realPath(whole))
    )
      return whole;
    throw new UserError(
      `${file}: the path ${quoted(path)} leads out of the folder of the file. Name a path below it, or give the option on the command line.`,
    );
  };

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** Where a path leads, links followed as far as they exist. */
function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const parent = dirname(whole);
  return parent === whole ? whole : join(realPath(parent), relative(parent, whole));
}
