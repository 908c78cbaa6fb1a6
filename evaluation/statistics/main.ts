import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { doAll } from './pool.ts';
import type { StatisticsRow } from './results.ts';
import { firstRuns, meetsThreshold, RESULTS, readResults, SEED, subjectOf } from './results.ts';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { Tally } from './tally.ts';
import { accusations, add, nothing, shows, trial } from './tally.ts';
import type { Piece } from './worker.ts';

// npm run prove [-- --seed N] [--only SUBJECT [--run K]] [--share S] [--write]:
// examines conforming services and faults in virtual time, some 100,000 times;
// ends in red where a service that conforms was accused, or a fault that must be
// found was not. With --run it examines once and says what it found; with --write
// it keeps what came of the chosen subjects (all, or those that --only begins).

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(SEED) },
    only: { type: 'string' },
    run: { type: 'string' },
    share: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);

/** Runs that one thread does at a time. */
const PIECE = 50;

/** How to repeat one run. */
function again({ id }: Subject, run: number): string {
  return `npm run prove -- --seed ${seed} --only ${id} --run ${run}`;
}

async function runOnce(id: string, run: number): Promise<void> {
  const subject = subjectOf(id);
  if (subject === undefined || !Number.isSafeInteger(run)) return reject(id);
  const { record, told } = await trial(subject, seed, run);
  console.log(told);
  for (const { id, verdict, because } of record.requirements) {
    if (verdict === 'fail' || verdict === 'warn') console.log(`${id} ${verdict}: ${because}`);
  }
  const wrong = accusations(subject, record);
  if (wrong.length > 0) console.log(`Accused wrongly: ${wrong.length}.`);
  if (!subject.conforms)
    console.log(shows(subject, record) ? 'The fault was found.' : 'The fault was missed.');
  if (wrong.length > 0) process.exitCode = 1;
}

function reject(id: string): void {
  console.error(
    `There is no subject "${id}". Give one such as ${subjects[0]?.id} or ${subjects.at(-1)?.id}.`,
  );
  process.exitCode = 2;
}

function piecesOf(subject: Subject): readonly Piece[] {
  const runs = Math.max(firstRuns(subject), Math.ceil(subject.runs * Number(values.share)));
  const pieces: Piece[] = [];
  for (let from = 0; from < runs; ) {
    const to = from === 0 ? firstRuns(subject) : Math.min(runs, from + PIECE);
    pieces.push({ subject: subject.id, seed, from, to });
    from = to;
  }
  return pieces;
}

async function proveAll(): Promise<void> {
  const chosen = subjects.filter(({ id }) => values.only === undefined || id.startsWith(values.only));
  if (chosen.length === 0) return reject(values.only ?? '');
  const pieces = chosen.flatMap(piecesOf);
  const total = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  console.log(`${total} examinations of ${chosen.length} subjects, seed ${seed}.`);
  const sums = new Map<string, Tally>();
  const firsts = new Map<string, Tally>();
  const started = performance.now();
  let done = 0;
  let told = 0;
  await doAll(pieces, (piece, tally) => {
    if (piece.from === 0) firsts.set(piece.subject, tally);
    sums.set(piece.subject, add(sums.get(piece.subject) ?? nothing(piece.subject), tally));
    done += tally.runs;
    if (done < (told + 0.05) * total) return;
    told = done / total;
    console.log(`${Math.floor(100 * told)} % after ${Math.round((performance.now() - started) / 1000)} s`);
  });
  const missed = chosen.filter((subject) => !report(subject, sums.get(subject.id) ?? nothing(subject.id)));
  const rows = chosen.map(({ id }): StatisticsRow => {
    const { runs, found, accused } = sums.get(id) ?? nothing(id);
    const first = firsts.get(id) ?? nothing(id);
    return {
      subject: id,
      runs,
      found,
      accused,
      first: { runs: first.runs, found: first.found, accused: first.accused },
    };
  });
  if (values.write) await writeFile(RESULTS, `${JSON.stringify({ seed, rows: withKept(rows) }, null, 1)}\n`);
  console.log(missed.length === 0 ? 'Every bar is met.' : `${missed.length} bars are missed.`);
  if (missed.length > 0) process.exitCode = 1;
}

/** These rows, and the committed ones of every other subject that there still is, in the order of the subjects. */
function withKept(rows: readonly StatisticsRow[]): readonly StatisticsRow[] {
  const kept = seed === readResults()?.seed ? (readResults()?.rows ?? []) : [];
  const byId = new Map([...kept, ...rows].map((row) => [row.subject, row]));
  return subjects.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Prints one line of the table, and how to repeat what went wrong; false where the bar is missed. */
function report(subject: Subject, { runs, found, accused, wrong, missed }: Tally): boolean {
  const share = subject.conforms ? '' : `, found in ${((100 * found) / runs).toFixed(1)} %`;
  console.log(`${subject.id}: ${runs} runs${share}, ${accused} accused wrongly`);
  const good = meetsThreshold(subject, { runs, found, accused });
  const shown = good ? [] : [...wrong, ...(subject.conforms ? [] : missed)];
  for (const run of shown) console.log(`  ${again(subject, run)}`);
  return good;
}

if (values.run === undefined) await proveAll();
else await runOnce(values.only ?? '', Number(values.run));
