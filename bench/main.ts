import { measureExamination } from './examination.ts';
import { measureJudging } from './judging.ts';
import { measureLoading } from './loading.ts';
import { lineOf } from './row.ts';
import { measureServing } from './serving.ts';

/** Every measurement by itself: two at a time would disturb each other. */
const measurements = {
  judging: measureJudging,
  serving: measureServing,
  loading: measureLoading,
  examination: measureExamination,
} as const;

const chosen = process.argv.slice(2);
for (const [name, measure] of Object.entries(measurements)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const row of await measure()) console.log(lineOf(row));
}
