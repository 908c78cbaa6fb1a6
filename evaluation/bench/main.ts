import { UserError } from '../../kernel/basics/errors.ts';
import { findK6 } from '../../load/k6/find.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { overHttpTo } from '../over-http.ts';
import { measureGrowth, measureJudging, measureJudgingLoad } from './judging.ts';
import { measureQuick } from './quick.ts';
import { measureReading } from './reading.ts';
import type { BenchRow } from './row.ts';
import { atMost, lineOf, rowOf } from './row.ts';
import { measureServing } from './serving.ts';

/** A run takes the window that it has to wait for, and this much more of it at most. */
const MOST_WINDOWS = 1.05;

/** Certifies the reference server with the real window of a minute. Takes that minute. */
async function measureCertifying(): Promise<readonly BenchRow[]> {
  const plans = loadPlans();
  const { record, seconds } = await overHttpTo({ plans });
  if (record.outcome !== 'conforms') throw new Error(`The outcome of the run is "${record.outcome}".`);
  const times = [seconds, limitsOf(plans, 'free').minuteSeconds] as const;
  return [rowOf('certification run: duration / window of the limit', times, atMost(MOST_WINDOWS))];
}

// npm run bench [-- NAME…]: one measurement after the other, because two at a time would
// disturb each other.

type Measure = () => Promise<readonly BenchRow[]>;

const measurements: Readonly<Record<string, Measure>> = {
  judging: () => measureJudging({ exchanges: 100_000, rounds: 3, timeRatio: 3, memoryRatio: 1.5 }),
  growing: () => measureGrowth(5000),
  quick: measureQuick,
  'judging-load': () => measureJudgingLoad({ keys: 2000, minutes: 10, runners: 4 }),
  reading: async () => measureReading(),
  serving: measureServing,
  loading: async () => {
    const k6 = await providedK6();
    // Its imports look for k6, too, and have no message for a user who has none.
    const { measureLoading } = await import('./loading.ts');
    return measureLoading(k6);
  },
  certifying: measureCertifying,
};

/** Measured only where they are named: `npm run bench -- million` writes 2.5 GB, `ten-million` 7 GB. */
const onRequest: Readonly<Record<string, Measure>> = {
  million: () => measureJudging({ exchanges: 1_000_000, rounds: 1, timeRatio: 4, memoryRatio: 0.75 }),
  'ten-million': () => measureJudgingLoad({ keys: 10_000, minutes: 19, runners: 4 }),
};

const all = { ...measurements, ...onRequest };
const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  console.error(
    `There is no measurement "${unknown.join('", "')}". Name any of: ${Object.keys(all).join(', ')}.`,
  );
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(measurements)) {
  try {
    for (const row of (await all[name]?.()) ?? []) console.log(lineOf(row));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`${name}: ${error.message}`);
    process.exitCode = 2;
  }
}

/**
 * The path of a k6, which is installed where it is missing.
 * @throws {UserError} where there is none and none can be installed.
 */
async function providedK6(): Promise<string> {
  const k6 = await findK6({ report: (line) => console.log(`  … ${line}`) });
  if (k6.kind === 'missing') {
    throw new UserError(`this measurement needs k6, which is missing and cannot be installed. ${k6.advice}`);
  }
  return k6.path;
}
