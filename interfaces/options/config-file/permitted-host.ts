import { UserError } from '../../../kernel/basics/user-error.ts';
import type { ChosenTarget } from './choose-target.ts';

/**
 * The host that the file permits to be loaded; undefined where it permits none. A file can lie in a folder without the
 * knowledge of whoever runs a command there, so it permits nothing alone: the user has to name the target as well. And
 * it names the host a second time, so that a changed address loads no other host.
 * @throws {UserError} when the file forbids load on this target, or names another host.
 */
export function permittedHost(
  { name, target: { url, allowLoad }, isNamed }: ChosenTarget,
  file: string,
): string | undefined {
  if (allowLoad === undefined || !URL.canParse(url)) return undefined;
  if (allowLoad === false) {
    throw new UserError(
      `${file}: targets.${name} must not be loaded ("allowLoad": false). Choose another target with --target.`,
    );
  }
  const { hostname } = new URL(url);
  if (allowLoad.toLowerCase() !== hostname) {
    throw new UserError(
      `${file}: targets.${name}.allowLoad names ${allowLoad}, but its url has the host ${hostname}: both must name the same host, so that no other host is loaded by mistake.`,
    );
  }
  return isNamed ? allowLoad : undefined;
}
