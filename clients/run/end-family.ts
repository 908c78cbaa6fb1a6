import { setTimeout as delay } from 'node:timers/promises';
import type { Family, SystemProcess } from './processes.ts';
import { livingOf } from './processes.ts';

/** How long a client may take to end after SIGTERM, in milliseconds. */
const GRACE_MS = 1000;
const POLL_MS = 50;

/** How often SIGKILL is sent to processes that appear again. */
const KILLS = 10;

/**
 * Ends every process of a family: SIGTERM, a second, then SIGKILL to its group and to those outside of it.
 * @returns the processes that could not be ended.
 */
export async function endFamily(family: Family): Promise<readonly SystemProcess[]> {
  signal(family, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS && isAlive(family); waited += POLL_MS) await delay(POLL_MS);
  for (let sent = 0; sent < KILLS && isAlive(family); sent += 1) {
    signal(family, 'SIGKILL');
    await delay(POLL_MS);
  }
  return livingOf(family);
}

function signal(family: Family, name: NodeJS.Signals): void {
  send(-family.leader, name);
  for (const { pid } of livingOf(family)) send(pid, name);
}

function isAlive(family: Family): boolean {
  if (livingOf(family).length > 0) return true;
  // Without /proc the group alone can be asked for.
  return process.platform !== 'linux' && send(-family.leader, 0);
}

/** Whether a signal could be sent: not to a process or group that has ended. */
function send(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
