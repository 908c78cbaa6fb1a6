import type { Host } from '../load/k6/host.ts';
import { lastWords, onPath, thisHost } from '../load/k6/host.ts';
import type { Say } from './apt.ts';
import { aptInstall } from './apt.ts';

/** Servers of Debian that some tests run on loopback, by the name of their command. */
export const DAEMONS = {
  'redis-server': { package: 'redis-server', for: 'the shared store' },
  prometheus: { package: 'prometheus', for: 'dashboard and rules' },
} as const;

/** The name of one of them. */
export type DaemonName = keyof typeof DAEMONS;

/** A server that answered with its version, or why there is none. */
export type Daemon =
  | { readonly kind: 'found'; readonly path: string; readonly version: string }
  | { readonly kind: 'missing'; readonly tried: readonly string[]; readonly advice: string };

/** How to look for a server. All of it has a default. */
export interface DaemonOptions {
  readonly host?: Host;
  /** False looks without installing anything, as tests do. */
  readonly install?: boolean;
  readonly say?: Say;
}

/** Finds a server on `PATH`; with `install` also installs it, by apt as root. */
export async function findDaemon(name: DaemonName, options: DaemonOptions = {}): Promise<Daemon> {
  const { host = thisHost(), install = false, say = () => undefined } = options;
  const tried: string[] = [];
  const present = await look(host, name, tried);
  if (present !== undefined || !install) return present ?? missing(name, tried);
  const failure = await aptInstall(host, say, DAEMONS[name].package);
  if (failure !== undefined) tried.push(failure);
  return (failure === undefined ? await look(host, name, tried) : undefined) ?? missing(name, tried);
}

async function look(host: Host, name: DaemonName, tried: string[]): Promise<Daemon | undefined> {
  const [path] = await onPath(host, [name]);
  if (path === undefined) {
    tried.push('PATH: not there');
    return undefined;
  }
  const answer = await host.run(path, ['--version'], { timeoutSeconds: 30 });
  const version =
    answer.kind === 'ended' ? /\d+\.\d+\.\d+/.exec(answer.stdout + answer.stderr)?.[0] : undefined;
  if (version === undefined) tried.push(`${path}: ${lastWords(answer)}`);
  return version === undefined ? undefined : { kind: 'found', path, version };
}

const missing = (name: DaemonName, tried: readonly string[]): Daemon => ({
  kind: 'missing',
  tried,
  advice: `Install ${DAEMONS[name].package} (the tests of ${DAEMONS[name].for} are skipped without it).`,
});
