import type { Subject, Trial } from './subjects.ts';
import { randomOf } from './subjects.ts';

/** The results of runs of one subject, counted. */
export interface Tally {
  readonly subject: string;
  readonly runs: number;
  /** Runs that found the fault: with at least one of the requirements that it is listed under. */
  readonly found: number;
  /** Runs with a `fail` of a requirement that the subject does not violate: for a conforming service, a false fail. */
  readonly unexpected: number;
  /** The numbers of the first runs with an unexpected `fail`. */
  readonly unexpectedRuns: readonly number[];
  /** The numbers of the first runs that missed the fault. */
  readonly missedRuns: readonly number[];
}

/** How many run numbers a tally lists of each kind. */
const LISTED = 5;

/** The tally of no runs. */
export const emptyTally = (subject: string): Tally => ({
  subject,
  runs: 0,
  found: 0,
  unexpected: 0,
  unexpectedRuns: [],
  missedRuns: [],
});

/** The sum of two tallies of the same subject, the earlier runs first. */
export const addTallies = (a: Tally, b: Tally): Tally => ({
  subject: a.subject,
  runs: a.runs + b.runs,
  found: a.found + b.found,
  unexpected: a.unexpected + b.unexpected,
  unexpectedRuns: [...a.unexpectedRuns, ...b.unexpectedRuns].slice(0, LISTED),
  missedRuns: [...a.missedRuns, ...b.missedRuns].slice(0, LISTED),
});

/** The failed requirements that the subject does not violate, each as `ID: because`. */
export function unexpectedFails(
  { breaks, warns }: Subject,
  { requirements }: Trial['record'],
): readonly string[] {
  const expected = new Set<string>([...breaks, ...warns]);
  return requirements
    .filter(({ id, verdict }) => verdict === 'fail' && !expected.has(id))
    .map(({ id, because }) => `${id}: ${because}`);
}

/** Whether the record shows the fault: a `fail` of what it breaks, or a `warn` where it breaks no requirement. */
export function detectsFault(
  { breaks, warns }: Subject,
  { requirements, observations }: Trial['record'],
): boolean {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  if (breaks.length > 0) return breaks.some((id) => failed.includes(id));
  const warned = requirements.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id);
  const observed = observations.filter(({ warning }) => warning !== undefined).map(({ id }) => id);
  return warns.some((id) => warned.includes(id) || observed.includes(id));
}

/** Runs the suites once against a subject; `seed` and `run` determine everything that is random. */
export const runTrial = (subject: Subject, seed: number, run: number): Promise<Trial> =>
  subject.trial(run, randomOf(seed, subject.id, run));

/** Runs the suites against a subject, from run `from` to before run `to`. */
export async function tallyRuns(subject: Subject, seed: number, from: number, to: number): Promise<Tally> {
  let tally = emptyTally(subject.id);
  for (let run = from; run < to; run += 1) {
    const { record } = await runTrial(subject, seed, run);
    const unexpected = unexpectedFails(subject, record).length > 0;
    const found = !subject.conforms && detectsFault(subject, record);
    const missed = !subject.conforms && !found;
    tally = addTallies(tally, {
      subject: subject.id,
      runs: 1,
      found: found ? 1 : 0,
      unexpected: unexpected ? 1 : 0,
      unexpectedRuns: unexpected ? [run] : [],
      missedRuns: missed ? [run] : [],
    });
  }
  return tally;
}
