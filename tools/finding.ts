import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath, thisHost } from '../load/k6/host.ts';

/** Called with one line before each step that takes long. */
export type OnProgress = (line: string) => void;

/** A tool that reported its version. */
export interface FoundTool {
  readonly kind: 'found';
  /** Of its command, or of the Python that has it. */
  readonly path: string;
  readonly version: string;
}

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

/** How one tool is found. */
interface Finding<Found> {
  /** Looks for it, and adds to `tried` why it is not there. */
  readonly present: (tried: string[]) => Promise<Found | undefined>;
  /** Each installs it, or resolves to why it cannot, as a clause for a person; the next one is for that case. */
  readonly installers: readonly (() => Promise<string | undefined>)[];
  readonly advice: string;
}

/** Finds a tool; with `install` it installs it where it is missing. @param tried earlier attempts that failed */
export async function findOrInstall<Found>(
  install: boolean,
  { present, installers, advice }: Finding<Found>,
  tried: string[] = [],
): Promise<Found | MissingTool> {
  let found = await present(tried);
  for (const installer of install ? installers : []) {
    if (found !== undefined) break;
    const failure = await installer();
    if (failure === undefined) found = await present(tried);
    else tried.push(failure);
  }
  return found ?? { kind: 'missing', tried, advice };
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
