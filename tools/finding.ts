import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath, thisHost } from '../load/k6/host.ts';

/** Called with one line before each step that takes long. */
export type OnProgress = (line: string) => void;

/** Why a tool is not available. */
export interface MissingTool {
  readonly kind: 'missing';
  /** The attempts that failed, each as a clause for a person. */
  readonly tried: readonly string[];
  /** What to do, in one line. */
  readonly advice: string;
}

/** How to find a tool. */
export interface ToolSearch {
  readonly host: Host;
  /** Whether to install a tool that is not found; tests never do. */
  readonly install: boolean;
  readonly onProgress: OnProgress;
}

/** A search with defaults: on this machine, without installing, without progress output. */
export function toolSearch({
  host = thisHost(),
  install = false,
  onProgress = () => undefined,
}: Partial<ToolSearch>): ToolSearch {
  return { host, install, onProgress };
}

let previousInstallation: Promise<unknown> = Promise.resolve();

/**
 * Installs packages of Debian or Ubuntu, as root. Installations run one after
 * another, because apt fails while another process holds its lock.
 * @returns why it failed, as a clause for a person; undefined if it succeeded.
 */
export function aptInstall(
  host: Host,
  onProgress: OnProgress,
  ...packages: readonly string[]
): Promise<string | undefined> {
  const installation = previousInstallation.then(() => install(host, onProgress, packages));
  previousInstallation = installation;
  return installation;
}

async function install(
  host: Host,
  onProgress: OnProgress,
  packages: readonly string[],
): Promise<string | undefined> {
  if (host.platform !== 'linux' || !host.root) return 'apt-get: only root on Debian or Ubuntu can use it';
  if ((await onPath(host, ['apt-get'])).length === 0) return 'apt-get: not on this machine';
  const names = packages.join(' and ');
  onProgress(`${names}: installing with apt-get`);
  const steps = [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ];
  for (const args of steps) {
    const done = await host.run('apt-get', args, {
      timeoutSeconds: 600,
      // With this run level the packages do not start their services; the tests start them.
      env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (done.kind !== 'ended' || done.code !== 0) return `apt-get ${args[0]}: ${lastLineOf(done)}`;
  }
  return undefined;
}
