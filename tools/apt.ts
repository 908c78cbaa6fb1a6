import type { Host } from '../load/k6/host.ts';
import { lastLineOf, onPath } from '../load/k6/host.ts';
import type { Say } from './finding.ts';

let before: Promise<unknown> = Promise.resolve();

/**
 * Installs packages of Debian or Ubuntu, as root; one installation after the
 * other, because apt takes a lock that it does not wait for.
 * @returns why it did not work, as a clause for a person; undefined where it did.
 */
export function aptInstall(
  host: Host,
  say: Say,
  ...packages: readonly string[]
): Promise<string | undefined> {
  const mine = before.then(() => install(host, say, packages));
  before = mine;
  return mine;
}

async function install(host: Host, say: Say, packages: readonly string[]): Promise<string | undefined> {
  if (host.platform !== 'linux' || !host.root) return 'apt-get: only root on Debian or Ubuntu can use it';
  if ((await onPath(host, ['apt-get'])).length === 0) return 'apt-get: not on this machine';
  const names = packages.join(' and ');
  say(`${names}: installing with apt-get`);
  const steps = [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ];
  for (const args of steps) {
    const done = await host.run('apt-get', args, {
      timeoutSeconds: 600,
      // The services of these packages are for the tests to start, not for the system.
      env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (done.kind !== 'ended' || done.code !== 0) return `apt-get ${args[0]}: ${lastLineOf(done)}`;
  }
  return undefined;
}
