import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserPlace } from '../load/user-folders.ts';
import { userFolder } from '../load/user-folders.ts';
import { GuardError } from './guard-error.ts';

/** How a host may have been confirmed. */
export interface Confirmation {
  /** What `--i-may-load` names. */
  readonly named: readonly string[];
  /** The user's configuration file: its path, and the hosts in it. */
  readonly configured: { readonly path: string; readonly hosts: readonly string[] };
}

/**
 * Lets a host be loaded only if the user has named it. There is no wildcard, and nobody is
 * ever asked: a pipeline would hang, and a hasty yes confirms nothing.
 * @param host of the target, without a port, as the address has it.
 * @throws {GuardError} when it was not confirmed.
 */
export function confirmHost(host: string, { named, configured }: Confirmation): void {
  const other = named.find((one) => !isHost(one, host));
  if (other !== undefined) {
    throw new GuardError(
      `--i-may-load names ${other}, and the target is ${host}: the two must be the same, so that nothing else is loaded by mistake.`,
    );
  }
  if ([...named, ...configured.hosts].some((one) => isHost(one, host))) return;
  throw new GuardError(
    `Nobody has said that ${host} may be loaded: ask who shares it, then add --i-may-load ${host} for this run, or write {"mayLoad": ["${host}"]} into ${configured.path} for every run.`,
  );
}

const isHost = (name: string, host: string): boolean => name.toLowerCase() === host.toLowerCase();

/**
 * Reads the user's `load.json`: `{"mayLoad": ["staging.example.com"]}`. It need not exist.
 * @throws {GuardError} when it cannot be read or is something else.
 */
export function readConfiguration(place: UserPlace): Confirmation['configured'] {
  const path = join(userFolder('config', place), 'load.json');
  const text = textOf(path);
  return { path, hosts: text === undefined ? [] : hostsIn(text, path) };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return undefined;
    throw new GuardError(
      `${path} says which hosts may be loaded, and cannot be read (${code}): mend it or remove it.`,
    );
  }
}

function hostsIn(text: string, path: string): readonly string[] {
  const file = parsed(text);
  const hosts = isObject(file) && Object.keys(file).join() === 'mayLoad' ? file['mayLoad'] : undefined;
  if (!Array.isArray(hosts) || !hosts.every((one): one is string => typeof one === 'string')) {
    throw new GuardError(
      `${path} is not what it should be: {"mayLoad": ["staging.example.com"]}, a list of the hosts that may be loaded.`,
    );
  }
  const strange = hosts.find((one) => !/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(one));
  if (strange === undefined) return hosts;
  throw new GuardError(
    `${path}: "${strange.slice(0, 80)}" is no host; a host stands alone, without a scheme, a port or a wildcard.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
