import { setTimeout as delay } from 'node:timers/promises';
import type { Family, SystemProcess } from './processes.ts';
import { livingOf } from './processes.ts';

/** How long a client may take to end after SIGTERM, in milliseconds. */
const GRACE_MS = 1000;
const POLL_MS = 50;

/** How often SIGKILL is sent to processes that appear again. */
const KILLS = 10;

/** What was found of a family when it had to end. */
export interface EndedFamily {
  /** The processes that lived. */
  readonly found: readonly SystemProcess[];
  /** The processes that could not be ended. */
  readonly unended: readonly SystemProcess[];
}

/** Ends every process of a family: SIGTERM, a second, then SIGKILL to its group and to those outside of it. */
export async function endFamily(family: Family): Promise<EndedFamily> {
  const found = await livingOf(family);
  let living = found;
  const wait = async (): Promise<void> => {
    await delay(POLL_MS);
    living = await livingOf(family);
  };
  signal(family, living, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS && isAlive(family, living); waited += POLL_MS) await wait();
  for (let sent = 0; sent < KILLS && isAlive(family, living); sent += 1) {
    signal(family, living, 'SIGKILL');
    await wait();
  }
  return { found, unended: living };
}

function signal({ leader }: Family, living: readonly SystemProcess[], name: NodeJS.Signals): void {
  // The number of a group without members may soon belong to others.
  if (living.length > 0 || !SHOWS_PROCESSES) send(-leader, name);
  for (const { pid } of living) send(pid, name);
}

/** Whether `livingOf` finds processes here. Elsewhere the group alone can be asked for. */
const SHOWS_PROCESSES = process.platform === 'linux';

const isAlive = ({ leader }: Family, living: readonly SystemProcess[]): boolean =>
  living.length > 0 || (!SHOWS_PROCESSES && send(-leader, 0));

/** Whether a signal could be sent: not to a process or group that has ended. */
function send(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
