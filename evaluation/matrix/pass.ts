import type { Fault } from '../../catalogue/index.ts';
import { startServer } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import type { Outcome, RunRecord } from '../../suites/index.ts';
import { overHttp } from '../over-http.ts';
import { virtualRun } from '../simulation/virtual-run.ts';

/** What an examination of the reference server with one fault found. */
export interface Found {
  readonly id: string;
  /** Requirements that failed, sorted. */
  readonly red: readonly string[];
  /** Requirements and observations of which it warned, sorted. */
  readonly amber: readonly string[];
  readonly outcome: Outcome;
  /** Why, one sentence for each that failed or warned. */
  readonly because: readonly string[];
}

/** A window that is short enough for a test and long enough for a busy machine, for faults that need sockets. */
const SHORT_WINDOW: Plans = {
  minuteSeconds: 4,
  daySeconds: 86_400,
  plans: { free: { perMinute: 60, perDay: 1000 } },
};

/** Examinations over sockets that go on at the same time: nearly all of each is waiting. */
const SIDE_BY_SIDE = 12;

/**
 * One examination for each fault, in the same order: in virtual time, or over
 * sockets where the fault is one of bytes. Takes about 20 seconds, of which it
 * computes for half.
 */
export async function runFaults(faults: readonly Fault[]): Promise<readonly Found[]> {
  const found = new Map<string, Found>();
  const queue = faults.filter(({ kind }) => kind === 'bytes');
  const scenario = async (): Promise<void> => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      found.set(fault.id, await overSockets(fault));
    }
  };
  // First those that only compute: what is timed on a socket must not wait for them.
  for (const fault of faults) {
    if (fault.kind !== 'bytes') found.set(fault.id, await inVirtualTime(fault));
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, scenario));
  return faults.flatMap(({ id }) => found.get(id) ?? []);
}

async function inVirtualTime(fault: Fault): Promise<Found> {
  const withDisposableKey = fault.breaks.some((id) => id.startsWith('BAN'));
  const { record } = await virtualRun({ fault, withDisposableKey });
  return told(fault.id, record);
}

async function overSockets(fault: Fault): Promise<Found> {
  const server = await startServer({ plans: SHORT_WINDOW, seams: fault });
  const [key = '', other = ''] = server.keys.free;
  const keys = { key, other, exhausted: server.keys.exhausted[0] ?? '' };
  try {
    const { record } = await overHttp({ baseUrl: server.baseUrl, plans: SHORT_WINDOW, keys });
    return told(fault.id, record);
  } finally {
    await server.close();
  }
}

function told(id: string, { requirements, observations, outcome }: RunRecord): Found {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  const warned = requirements.filter(({ verdict }) => verdict === 'warn');
  const odd = observations.filter(({ warning }) => warning !== undefined);
  const ids = (all: readonly { readonly id: string }[]) => all.map((one) => one.id).sort();
  return {
    id,
    red: ids(failed),
    amber: ids([...warned, ...odd]),
    outcome,
    because: [...failed, ...warned].map((one) => `${one.id} ${one.verdict}: ${one.because}`),
  };
}
