import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath } from '../load/k6/host.ts';
import { aptInstall } from './apt.ts';
import type { Missing, Search } from './finding.ts';
import { search } from './finding.ts';

/** Servers of Debian that some tests run on loopback, by the name of their command. */
export const DAEMONS = {
  'redis-server': { package: 'redis-server', for: 'the shared store' },
  prometheus: { package: 'prometheus', for: 'dashboard and rules' },
} as const;

/** The name of one of them. */
export type DaemonName = keyof typeof DAEMONS;

/** A server that answered with its version, or why there is none. */
export type Daemon = { readonly kind: 'found'; readonly path: string; readonly version: string } | Missing;

/** Finds a server on `PATH`; with `install` also installs it, by apt as root. */
export async function findDaemon(name: DaemonName, options: Partial<Search> = {}): Promise<Daemon> {
  const { host, install, say } = search(options);
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
  if (version === undefined) tried.push(`${path}: ${lastLineOf(answer)}`);
  return version === undefined ? undefined : { kind: 'found', path, version };
}

const missing = (name: DaemonName, tried: readonly string[]): Missing => ({
  kind: 'missing',
  tried,
  advice: `Install ${DAEMONS[name].package} (the tests of ${DAEMONS[name].for} are skipped without it).`,
});
