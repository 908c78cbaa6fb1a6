import { writeFile } from 'node:fs/promises';
import { commandOptions } from '../command-options.ts';
import { tallyInProcesses } from './pool.ts';
import type { SubjectResult } from './results.ts';
import {
  COMMITTED_SEED,
  meetsThreshold,
  RESULTS_FILE,
  readResults,
  repeatedRuns,
  subjectById,
} from './results.ts';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { Tally } from './tally.ts';
import { addTallies, detectsFault, emptyTally, runTrial, unexpectedFails } from './tally.ts';
import type { Batch } from './worker.ts';

const USAGE = `npm run prove [-- --seed N] [--only SUBJECT [--run K]] [--share S] [--write]

Runs the suites against conforming services and faults in virtual time, more than
100,000 times. The exit code is 1 if a conforming service received a fail, or a
fault that must be found was missed.

  --only SUBJECT  only the subjects whose id begins with this
  --run K         repeats one run of the subject and prints its findings
  --share S       this share of the runs, such as 0.1
  --seed N        another seed than that of the committed results
  --write         stores the results of these subjects`;

const values = commandOptions(USAGE, {
  seed: { type: 'string', default: String(COMMITTED_SEED) },
  only: { type: 'string' },
  run: { type: 'string' },
  share: { type: 'string', default: '1' },
  write: { type: 'boolean', default: false },
});
const seed = Number(values.seed);

/** Runs that one process does at a time. */
const BATCH_RUNS = 50;

/** The command that repeats one run. */
function repeatCommand({ id }: Subject, run: number): string {
  return `npm run prove -- --seed ${seed} --only ${id} --run ${run}`;
}

async function runOnce(id: string, run: number): Promise<void> {
  const subject = subjectById(id);
  if (subject === undefined || !Number.isSafeInteger(run)) return rejectSubject(id);
  const { record, circumstances } = await runTrial(subject, seed, run);
  console.log(circumstances);
  for (const { id, verdict, because } of record.requirements) {
    if (verdict === 'fail' || verdict === 'warn') console.log(`${id} ${verdict}: ${because}`);
  }
  const unexpected = unexpectedFails(subject, record);
  if (unexpected.length > 0) console.log(`Unexpected fails: ${unexpected.length}.`);
  if (!subject.conforms)
    console.log(detectsFault(subject, record) ? 'The fault was found.' : 'The fault was missed.');
  if (unexpected.length > 0) process.exitCode = 1;
}

function rejectSubject(id: string): void {
  console.error(
    `There is no subject "${id}" with this run. Valid subjects are, for example, ${subjects[0]?.id} and ${subjects.at(-1)?.id}.`,
  );
  process.exitCode = 2;
}

function batchesOf(subject: Subject): readonly Batch[] {
  const runs = Math.max(repeatedRuns(subject), Math.ceil(subject.runs * Number(values.share)));
  const batches: Batch[] = [];
  for (let from = 0; from < runs; ) {
    const to = from === 0 ? repeatedRuns(subject) : Math.min(runs, from + BATCH_RUNS);
    batches.push({ subject: subject.id, seed, from, to });
    from = to;
  }
  return batches;
}

/** The sum of all batches of each subject, and its first batch alone. */
interface Tallies {
  readonly sums: ReadonlyMap<string, Tally>;
  readonly first: ReadonlyMap<string, Tally>;
}

/** Runs all batches and prints the progress in steps of 5 %. */
async function tallyAll(batches: readonly Batch[], total: number): Promise<Tallies> {
  const sums = new Map<string, Tally>();
  const first = new Map<string, Tally>();
  const started = performance.now();
  let done = 0;
  let printed = 0;
  await tallyInProcesses(batches, ({ subject, from }, tally) => {
    if (from === 0) first.set(subject, tally);
    sums.set(subject, addTallies(sums.get(subject) ?? emptyTally(subject), tally));
    done += tally.runs;
    if (done < (printed + 0.05) * total) return;
    printed = done / total;
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${Math.floor(100 * printed)} % after ${seconds} s`);
  });
  return { sums, first };
}

async function runAll(): Promise<void> {
  const chosen = subjects.filter(({ id }) => values.only === undefined || id.startsWith(values.only));
  if (chosen.length === 0) return rejectSubject(values.only ?? '');
  const batches = chosen.flatMap(batchesOf);
  const total = batches.reduce((sum, { from, to }) => sum + to - from, 0);
  console.log(`${total} runs of ${chosen.length} subjects, seed ${seed}.`);
  const { sums, first } = await tallyAll(batches, total);
  const results = chosen.map(
    ({ id }): SubjectResult => ({
      subject: id,
      ...countsOf(sums.get(id) ?? emptyTally(id)),
      first: countsOf(first.get(id) ?? emptyTally(id)),
    }),
  );
  if (values.write) await writeResults(results);
  const missed = chosen.filter((subject) => !report(subject, sums.get(subject.id) ?? emptyTally(subject.id)));
  console.log(
    missed.length === 0 ? 'All thresholds are met.' : `Subjects that miss their threshold: ${missed.length}.`,
  );
  if (missed.length > 0) process.exitCode = 1;
}

const countsOf = ({ runs, found, unexpected }: Tally): SubjectResult['first'] => ({
  runs,
  found,
  unexpected,
});

/** Writes these results, and the committed ones of all other subjects, in the order of the subjects. */
async function writeResults(results: readonly SubjectResult[]): Promise<void> {
  const committed = seed === readResults()?.seed ? (readResults()?.rows ?? []) : [];
  const byId = new Map([...committed, ...results].map((row) => [row.subject, row]));
  const rows = subjects.flatMap(({ id }) => byId.get(id) ?? []);
  await writeFile(RESULTS_FILE, `${JSON.stringify({ seed, rows }, null, 1)}\n`);
}

/** Prints the result of a subject, and the commands that repeat its wrong runs; false where it misses its threshold. */
function report(subject: Subject, tally: Tally): boolean {
  const { runs, found, unexpected, unexpectedRuns, missedRuns } = tally;
  const share = subject.conforms ? '' : `, found in ${((100 * found) / runs).toFixed(1)} %`;
  console.log(`${subject.id}: ${runs} runs${share}, ${unexpected} with unexpected fails`);
  const isMet = meetsThreshold(subject, tally);
  const wrongRuns = isMet ? [] : [...unexpectedRuns, ...(subject.conforms ? [] : missedRuns)];
  for (const run of wrongRuns) console.log(`  ${repeatCommand(subject, run)}`);
  return isMet;
}

if (values.run === undefined) await runAll();
else await runOnce(values.only ?? '', Number(values.run));
