import type { AlgorithmName, DemoKeys } from '../../reference-server/index.ts';
import { startServer } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import type { RunRecord } from '../../suites/index.ts';
import type { HttpRun } from '../over-http.ts';
import { overHttp } from '../over-http.ts';
import type { Alike } from './vectors.ts';
import { grouped, severalAtOnce } from './vectors.ts';

/** Examinations of one server, again and again. */
export interface Repetition {
  readonly algorithm: AlgorithmName;
  readonly runs: number;
  /** How many examinations are under way at the same time. */
  readonly atOnce: number;
  /** How long the server's minute lasts, in seconds. */
  readonly minuteSeconds: number;
}

/** The verdicts of examinations that ought to be equal. */
export interface Repeated {
  readonly runs: number;
  /** Every different vector of verdicts, the commonest first, and how many runs came to it. */
  readonly vectors: readonly Alike<RunRecord>[];
  readonly seconds: number;
}

/** Examines one server so many times, each time with keys of its own, over real sockets. */
export async function repeat({ algorithm, runs, atOnce, minuteSeconds }: Repetition): Promise<Repeated> {
  const plans = plansOf(minuteSeconds);
  const server = await startServer({ plans, algorithm, keys: keysFor(runs) });
  const started = performance.now();
  try {
    const records = await severalAtOnce(runs, atOnce, async (at) => {
      const [key = '', other = ''] = server.keys.free.slice(2 * at);
      const run: HttpRun = {
        baseUrl: server.baseUrl,
        plans,
        keys: { key, other, exhausted: server.keys.exhausted[0] ?? '' },
      };
      return (await overHttp(run)).record;
    });
    const vectors = grouped(records, ({ requirements }) => requirements);
    return { runs, vectors, seconds: (performance.now() - started) / 1000 };
  } finally {
    await server.close();
  }
}

const plansOf = (minuteSeconds: number): Plans => ({
  minuteSeconds,
  daySeconds: 86_400,
  plans: { free: { perMinute: 60, perDay: 1000 } },
});

/** Two keys for each run, because a key that was used a moment ago would have to rest first. */
const keysFor = (runs: number): DemoKeys => ({
  free: Array.from({ length: 2 * runs }, (_, n) => `determinism-${n}-key-of-a-caller-of-its-own`),
  pro: [],
  business: [],
  exhausted: ['determinism-key-whose-daily-quota-is-used-up'],
  disposable: [],
});
