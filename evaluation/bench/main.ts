import { UserError } from '../../kernel/basics/user-error.ts';
import { measureCertifying } from './certifying.ts';
import { measureGrowth } from './growing.ts';
import { measureJudging } from './judging.ts';
import { measureJudgingLoad } from './judging-load.ts';
import { providedK6 } from './provided-k6.ts';
import { measureReading } from './reading.ts';
import type { BenchRow } from './row.ts';
import { lineOf } from './row.ts';
import { measureServing } from './serving.ts';

// npm run bench [-- NAME…]: one measurement after the other, because two at a time would
// disturb each other.

type Measure = () => Promise<readonly BenchRow[]>;

const measurements: Readonly<Record<string, Measure>> = {
  judging: () => measureJudging({ exchanges: 100_000, rounds: 3, timeRatio: 4, memoryRatio: 1.5 }),
  growing: () => measureGrowth(5000),
  'judging-load': () => measureJudgingLoad({ keys: 2000, minutes: 10, runners: 4 }),
  reading: measureReading,
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
