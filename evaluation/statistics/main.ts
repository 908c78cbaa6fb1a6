import { writeFileSync } from 'node:fs';
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

const USAGE = `npm run prove [-- --seed N] [--only SUBJECT [--run K]] [--kind KIND] [--share S] [--write]

Runs the suites against conforming services and faults in virtual time, more than
100,000 times. The exit code is 1 if a conforming service received a fail, or a
fault that must be found was missed.

  --only SUBJECT  only the subjects whose id begins with this
  --kind KIND     only the conforming services (conforming), or only the faults (fault)
  --run K         repeats one run of the subject and prints its findings
  --share S       this share of the runs, such as 0.1
  --seed N        another seed than that of the committed results
  --write         stores the results of these subjects`;

const values = commandOptions(USAGE, {
  seed: { type: 'string', default: String(COMMITTED_SEED) },
  only: { type: 'string' },
  kind: { type: 'string' },
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

/** What the batches of a subject have given so far. */
interface Progress {
  readonly sum: Tally;
  /** The first batch alone. */
  readonly first: Tally;
  readonly remaining: number;
}

/** Runs all batches, prints the progress in steps of 5 %, and hands on the result of each subject when its last batch is done. */
async function tallyAll(
  batches: readonly Batch[],
  total: number,
  finished: (subject: string, progress: Progress) => void,
): Promise<void> {
  const progress = new Map<string, Progress>();
  for (const { subject } of batches) {
    const { remaining } = progress.get(subject) ?? { remaining: 0 };
    progress.set(subject, { sum: emptyTally(subject), first: emptyTally(subject), remaining: remaining + 1 });
  }
  const started = performance.now();
  let done = 0;
  let printed = 0;
  await tallyInProcesses(batches, ({ subject, from }, tally) => {
    const before = progress.get(subject);
    if (before === undefined) return;
    const { sum, first, remaining } = before;
    const after = {
      sum: addTallies(sum, tally),
      first: from === 0 ? tally : first,
      remaining: remaining - 1,
    };
    progress.set(subject, after);
    if (after.remaining === 0) finished(subject, after);
    done += tally.runs;
    if (done < (printed + 0.05) * total) return;
    printed = done / total;
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${Math.floor(100 * printed)} % after ${seconds} s`);
  });
}

async function runAll(): Promise<void> {
  const chosen = new Map(
    subjects
      .filter(({ id }) => values.only === undefined || id.startsWith(values.only))
      .filter(
        ({ conforms }) => values.kind === undefined || values.kind === (conforms ? 'conforming' : 'fault'),
      )
      .map((subject) => [subject.id, subject]),
  );
  if (chosen.size === 0) return rejectSubject(values.only ?? '');
  const batches = [...chosen.values()].flatMap(batchesOf);
  const total = batches.reduce((sum, { from, to }) => sum + to - from, 0);
  console.log(`${total} runs of ${chosen.size} subjects, seed ${seed}.`);
  let missed = 0;
  await tallyAll(batches, total, (id, { sum, first }) => {
    const subject = chosen.get(id);
    if (subject === undefined) return;
    if (!report(subject, sum)) missed += 1;
    // Each at once, so that a run of hours that is ended early leaves what it has found.
    if (values.write) storeResult({ subject: id, ...countsOf(sum), first: countsOf(first) });
  });
  console.log(missed === 0 ? 'All thresholds are met.' : `Subjects that miss their threshold: ${missed}.`);
  if (missed > 0) process.exitCode = 1;
}

const countsOf = ({ runs, found, unexpected }: Tally): SubjectResult['first'] => ({
  runs,
  found,
  unexpected,
});

/** Writes this result into the file, beside those of all other subjects with the same seed, in the order of the subjects. */
function storeResult(result: SubjectResult): void {
  const stored = readResults();
  const others = seed === stored?.seed ? stored.rows : [];
  const byId = new Map([...others, result].map((row) => [row.subject, row]));
  const rows = subjects.flatMap(({ id }) => byId.get(id) ?? []);
  writeFileSync(RESULTS_FILE, `${JSON.stringify({ seed, rows }, null, 1)}\n`);
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

if (values.kind !== undefined && !['conforming', 'fault'].includes(values.kind)) {
  console.error(`There is no kind "${values.kind}": name conforming or fault.`);
  process.exit(2);
}
if (values.run === undefined) await runAll();
else await runOnce(values.only ?? '', Number(values.run));
