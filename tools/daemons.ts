import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath } from '../load/k6/host.ts';
import type { FoundTool, MissingTool, ToolSearch } from './finding.ts';
import { aptInstall, findOrInstall, toolSearch } from './finding.ts';

/** Servers from Debian packages that some tests and evaluations run on the loopback interface, by the name of their command. */
export const DAEMONS = {
  'redis-server': { package: 'redis-server', for: 'evaluations of services over Redis' },
  prometheus: { package: 'prometheus', for: 'the tests of dashboard and rules' },
} as const;

/** The command of one of these servers. */
export type DaemonName = keyof typeof DAEMONS;

/** Finds a server on `PATH`. With `install` it installs it if necessary, with apt as root. */
export async function findDaemon(
  name: DaemonName,
  options: Partial<ToolSearch> = {},
): Promise<FoundTool | MissingTool> {
  const { host, install, onProgress } = toolSearch(options);
  const { package: debian, for: purpose } = DAEMONS[name];
  return findOrInstall(install, {
    present: (tried) => findInstalled(host, name, tried),
    installers: [() => aptInstall(host, onProgress, debian)],
    advice: `Install ${debian} (${purpose} are skipped without it).`,
  });
}

async function findInstalled(host: Host, name: DaemonName, tried: string[]): Promise<FoundTool | undefined> {
  const [path] = await onPath(host, [name]);
  if (path === undefined) {
    tried.push('PATH: not found');
    return undefined;
  }
  const answer = await host.run(path, ['--version'], { timeoutSeconds: 30 });
  const version =
    answer.kind === 'ended' ? /\d+\.\d+\.\d+/.exec(answer.stdout + answer.stderr)?.[0] : undefined;
  if (version === undefined) tried.push(`${path}: ${lastLineOf(answer)}`);
  return version === undefined ? undefined : { kind: 'found', path, version };
}
