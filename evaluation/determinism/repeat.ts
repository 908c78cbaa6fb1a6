import { createHash } from 'node:crypto';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import type { DemoKeys } from '../../reference-server/service/demo-keys.ts';
import type { Plans } from '../../spec/plans.ts';
import type { HttpRun } from '../over-http.ts';
import { overHttp } from '../over-http.ts';
import type { VerdictGroup } from './vectors.ts';
import { groupByVerdicts, runInParallel } from './vectors.ts';

/** How many repeated runs with one algorithm came to the same verdicts. */
export interface DeterminismResult {
  readonly runs: number;
  /** The size of the largest group of runs with the same verdicts. */
  readonly equal: number;
  readonly outcome: string;
  readonly minuteSeconds: number;
  /** How long all runs took, in seconds. */
  readonly seconds: number;
}

/** How often, and how, to repeat a run against one server. */
export interface Repetition {
  readonly algorithm: AlgorithmName;
  readonly runs: number;
  /** How many runs are in progress at the same time. */
  readonly parallelRuns: number;
  /** How long the server's minute lasts, in seconds. */
  readonly minuteSeconds: number;
}

/** The verdicts of repeated runs, grouped. */
export interface RepeatedRuns {
  readonly runs: number;
  /** The groups of runs with the same verdicts, the largest first. */
  readonly groups: readonly VerdictGroup<RunRecord>[];
  /** How long all runs took. */
  readonly seconds: number;
}

/** Repeats a run against one server over real sockets; each run has keys of its own. */
export async function repeatRuns(repetition: Repetition): Promise<RepeatedRuns> {
  const { algorithm, runs, parallelRuns, minuteSeconds } = repetition;
  const plans = plansOf(minuteSeconds);
  const server = await startServer({ plans, algorithm, keys: keysFor(runs) });
  const started = performance.now();
  try {
    const records = await runInParallel(runs, parallelRuns, async (at) => {
      const [key = '', other = ''] = server.keys.free.slice(2 * at);
      const run: HttpRun = {
        baseUrl: server.baseUrl,
        plans,
        keys: { key, other, exhausted: server.keys.exhausted[0] ?? '' },
      };
      return (await overHttp(run)).record;
    });
    const groups = groupByVerdicts(records, ({ requirements }) => requirements);
    return { runs, groups, seconds: (performance.now() - started) / 1000 };
  } finally {
    await server.close();
  }
}

const plansOf = (minuteSeconds: number): Plans => ({
  minuteSeconds,
  daySeconds: 86_400,
  plans: { free: { perMinute: 60, perDay: 1000 } },
});

/** Two keys for each run, because a run with a recently used key has to wait first. None resembles another: a run sends near misses of its key. */
const keysFor = (runs: number): DemoKeys => ({
  free: Array.from(
    { length: 2 * runs },
    (_, n) => `determinism-${createHash('sha256').update(`${n}`).digest('hex')}`,
  ),
  pro: [],
  business: [],
  exhausted: ['determinism-key-exhausted'],
  disposable: [],
});
