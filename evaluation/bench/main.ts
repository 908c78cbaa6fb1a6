import { measureExamination } from './examination.ts';
import { measureJudging } from './judging.ts';
import { measureLoading } from './loading.ts';
import { measureReading } from './reading.ts';
import { lineOf } from './row.ts';
import { measureServing } from './serving.ts';

/** Every measurement by itself: two at a time would disturb each other. */
const measurements = {
  judging: () => measureJudging({ exchanges: 100_000, seconds: 2, megabytes: 300 }),
  reading: measureReading,
  serving: measureServing,
  loading: measureLoading,
  examination: measureExamination,
} as const;

/** What is measured only where it is asked for: `npm run bench -- million` writes 2.5 GB. */
const furtherMeasurements = {
  million: () => measureJudging({ exchanges: 1_000_000, seconds: 60, megabytes: 1536 }),
} as const;

const chosen = process.argv.slice(2);
for (const [name, measure] of Object.entries({ ...measurements, ...furtherMeasurements })) {
  if (chosen.length > 0 ? !chosen.includes(name) : name in furtherMeasurements) continue;
  for (const row of await measure()) console.log(lineOf(row));
}
