import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorCode, fileTrouble } from '../basics/file-trouble.ts';
import { jsonFields, parsedJson } from '../basics/json.ts';
import type { UserPlace } from '../basics/user-folders.ts';
import { userFolder } from '../basics/user-folders.ts';
import { GuardError } from './guard-error.ts';

/** The hosts that the user allows to be loaded. */
export interface AllowedHosts {
  /** From `--allow-host`. */
  readonly fromOption: readonly string[];
  /** From the user's configuration file: its path, and the hosts in it. */
  readonly fromFile: { readonly path: string; readonly hosts: readonly string[] };
}

/**
 * Why load on this host is not confirmed, in a sentence; undefined where the user has allowed it by name. There are no
 * wildcards and no prompt: a prompt would block a pipeline, and is too easily confirmed without reading.
 * @param host of the target, without a port, as written in its address.
 */
export function hostObstacle(host: string, { fromOption, fromFile }: AllowedHosts): string | undefined {
  const other = fromOption.find((one) => !isHost(one, host));
  if (other !== undefined)
    return `--allow-host names ${other}, but the target is ${host}: both must name the same host, so that no other host is loaded by mistake.`;
  if ([...fromOption, ...fromFile.hosts].some((one) => isHost(one, host))) return undefined;
  return `Load on ${host} is not confirmed: make sure that you are authorized to load this host, then add --allow-host ${host} for this run, or write {"allowedHosts": ["${host}"]} into ${fromFile.path} for every run.`;
}

const isHost = (name: string, host: string): boolean => name.toLowerCase() === host.toLowerCase();

/**
 * Reads the user's `load.json`: `{"allowedHosts": ["staging.example.com"]}`. The file may be missing.
 * @throws {GuardError} when it cannot be read or has other content.
 */
export function readAllowedHosts(place: UserPlace): AllowedHosts['fromFile'] {
  const path = join(userFolder('config', place), 'load.json');
  const text = textOf(path);
  return { path, hosts: text === undefined ? [] : hostsIn(text, path) };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw new GuardError(
      `${path}, which lists the hosts that may be loaded, cannot be read: ${fileTrouble(error)}. Correct that or remove the file.`,
    );
  }
}

function hostsIn(text: string, path: string): readonly string[] {
  const file = jsonFields(parsedJson(text.replace(/^\uFEFF/, '')));
  const hosts = Object.keys(file).join() === 'allowedHosts' ? file['allowedHosts'] : undefined;
  if (!Array.isArray(hosts) || !hosts.every((one): one is string => typeof one === 'string')) {
    throw new GuardError(
      `${path} must have the form {"allowedHosts": ["staging.example.com"]}: a list of the hosts that may be loaded.`,
    );
  }
  const invalid = hosts.find((one) => !/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(one));
  if (invalid === undefined) return hosts;
  throw new GuardError(
    `${path}: "${invalid.slice(0, 80)}" is not a host name; give the host alone, without scheme, port or wildcard.`,
  );
}
