import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { freePort } from '../testing/tools/listening.ts';
import type { Service } from './services.ts';

/** The keys that each service knows: two callers, and one whose day is exhausted. */
export const KEYS = {
  key: 'sk_test_4f9a1c2b7d3e8f60',
  other: 'sk_test_9b0d5e7a2c6f1843',
  exhausted: 'sk_test_c3a8e1f04d7b9256',
} as const;

/** The plan of every key: Free. */
const { perMinute, perDay } = limitsOf(loadPlans(), 'free');

/** How a service is started. */
export interface ServiceSettings {
  /** The break; empty for the service as it conforms. */
  readonly broken: string;
  /** How long its minute lasts. */
  readonly minuteSeconds: number;
  /** Variables of the environment in the place of the usual ones, such as `PER_DAY`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What starts a service, in the folder where it was built. */
export interface Program extends Pick<Service, 'start'> {
  readonly folder: string;
}

/** How long the slowest service may take until it listens, in seconds. */
const START_SECONDS = 60;

/**
 * Starts a service with one break, or none, on loopback.
 * @throws {Error} if it does not listen in time
 */
export async function startService(
  { folder, start: [program, ...args] }: Program,
  { broken, minuteSeconds, settings = {} }: ServiceSettings,
) {
  const [port, scratch] = [await freePort(), await mkdtemp(join(tmpdir(), 'outsider-'))];
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      BREAK: broken,
      PORT: String(port),
      SCRATCH: scratch,
      KEYS: `${KEYS.key},${KEYS.other}`,
      EXHAUSTED_KEY: KEYS.exhausted,
      PER_MINUTE: String(perMinute),
      PER_DAY: String(perDay),
      MINUTE_SECONDS: String(minuteSeconds),
      DAY_SECONDS: '86400',
      ...settings,
    },
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    // The service and its workers are one process group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await rm(scratch, { recursive: true, force: true });
  };
  const deadline = performance.now() + START_SECONDS * 1000;
  while (!(await listens(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${program} did not listen (BREAK=${broken}).`);
    }
    await sleep(100);
  }
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
