import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { runK6 } from '../../../load/run/k6-process.ts';
import type { Seams } from '../../../reference-server/seams.ts';
import { withBusyCore } from '../../determinism/busy.ts';
import { delayed } from '../degradations.ts';
import { briefLimits, judgedRecord, k6ProcessOf, startTestbed } from '../real-load.ts';
import type { SetPair } from './tally.ts';

/** Enough requests for all percentiles, in about two seconds. */
const LIMITS = { ...briefLimits, perMinute: 60, perDay: 100_000 };

/** Runs of `under` with k6, one after another, on a machine with a busy core; every second one against a server with this fault. */
export async function realRuns(runs: number, fault?: Seams): Promise<readonly LoadRecord[]> {
  return withBusyCore(async () => {
    const records: LoadRecord[] = [];
    for (let run = 0; run < runs; run += 1) records.push(await realRun(run % 2 === 0 ? undefined : fault));
    return records;
  });
}

async function realRun(fault: Seams | undefined): Promise<LoadRecord> {
  const after: (() => unknown)[] = [];
  try {
    const { job } = await startTestbed(
      { after: (undo) => void after.push(undo as () => unknown) },
      { profile: 'under', limits: LIMITS, ...(fault === undefined ? {} : { fault }) },
    );
    const startedAt = new Date().toISOString();
    return { ...judgedRecord(job, await runK6(job, k6ProcessOf())), startedAt };
  } finally {
    for (const undo of after) await undo();
  }
}

/** How the server is degraded. */
export const REAL_DEGRADATIONS: readonly (readonly [what: string, fault: Seams])[] = [
  ['each response 10 ms later', slower(() => 10)],
  ['1 of 10 responses 150 ms later', slower((n) => (n % 10 === 0 ? 150 : 0))],
  ['half of the limit enforced', halved()],
];

function slower(delayOf: (n: number) => number): Seams {
  let n = 0;
  return {
    wrapService: (answer) => (request) => {
      n += 1;
      return delayed(answer(request), delayOf(n));
    },
  };
}

function halved(): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const decision = limiter.consume(caller, request, now);
        return decision.remaining < decision.limit / 2 && caller.authenticated
          ? { ...decision, allowed: false, retryAt: now + 500 }
          : decision;
      },
    }),
  };
}

/** Two sets right after each other, starting at every run. */
export const consecutivePairs = (records: readonly LoadRecord[], runs: number): readonly SetPair[] =>
  windowsOf(records, 2 * runs).map((all) => [all.slice(0, runs), all.slice(runs)]);

/** Two sets whose runs were recorded in turn, starting at every second run. */
export const pairsInTurn = (records: readonly LoadRecord[], runs: number): readonly SetPair[] =>
  windowsOf(records, 2 * runs)
    .filter((_, from) => from % 2 === 0)
    .map((all) => [all.filter((_one, i) => i % 2 === 0), all.filter((_one, i) => i % 2 === 1)]);

const windowsOf = (records: readonly LoadRecord[], length: number): readonly (readonly LoadRecord[])[] =>
  Array.from({ length: Math.max(0, records.length - length + 1) }, (_, from) =>
    records.slice(from, from + length),
  );
