import type { AlgorithmName, DemoKeys } from '../../reference-server/index.ts';
import { startServer } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import type { RunRecord } from '../../suites/index.ts';
import type { HttpRun } from '../over-http.ts';
import { overHttp } from '../over-http.ts';

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
  readonly vectors: readonly { readonly runs: number; readonly record: RunRecord }[];
  readonly seconds: number;
}

/** `id verdict`, one for each requirement: what two examinations of the same server must agree on. */
export const vectorOf = ({ requirements }: RunRecord): readonly string[] =>
  requirements.map(({ id, verdict }) => `${id} ${verdict}`);

/** The requirements in which a record differs from another, with both verdicts and the reason of the second. */
export function differences(usual: RunRecord, other: RunRecord): readonly string[] {
  const before = vectorOf(usual);
  return other.requirements.flatMap(({ id, verdict, because }, at) =>
    before[at] === `${id} ${verdict}` ? [] : [`${before[at]}, now ${verdict}: ${because}`],
  );
}

/** Examines one server so many times, each time with keys of its own, over real sockets. */
export async function repeat({ algorithm, runs, atOnce, minuteSeconds }: Repetition): Promise<Repeated> {
  const plans = plansOf(minuteSeconds);
  const server = await startServer({ plans, algorithm, keys: keysFor(runs) });
  const started = performance.now();
  const records: RunRecord[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < runs) {
      const [key = '', other = ''] = server.keys.free.slice(2 * next);
      next += 1;
      const run: HttpRun = {
        baseUrl: server.baseUrl,
        plans,
        keys: { key, other, spent: server.keys.spent[0] ?? '' },
      };
      records.push((await overHttp(run)).record);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, worker));
  } finally {
    await server.close();
  }
  return { runs, vectors: grouped(records), seconds: (performance.now() - started) / 1000 };
}

function grouped(records: readonly RunRecord[]): Repeated['vectors'] {
  const groups = new Map<string, RunRecord[]>();
  for (const record of records) {
    const vector = vectorOf(record).join('\n');
    groups.set(vector, [...(groups.get(vector) ?? []), record]);
  }
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((alike) => (alike[0] === undefined ? [] : [{ runs: alike.length, record: alike[0] }]));
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
  spent: ['determinism-key-whose-day-is-spent'],
  sacrificial: [],
});
