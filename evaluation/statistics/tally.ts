import type { RunRecord } from '../../suites/index.ts';
import type { Subject, Trial } from './subjects.ts';
import { chanceOf } from './subjects.ts';

/** What came of the runs of one subject. */
export interface Tally {
  readonly subject: string;
  readonly runs: number;
  /** Runs that showed the fault: by at least one of the requirements that it breaks or is warned of. */
  readonly found: number;
  /** Runs in which something failed that the subject does not break: of a conforming service, a false fail. */
  readonly accused: number;
  /** The numbers of the first runs that accused wrongly, or that did not find the fault. */
  readonly wrong: readonly number[];
  readonly missed: readonly number[];
}

/** How many numbers of runs a tally names. */
const NAMED = 5;

export const nothing = (subject: string): Tally => ({
  subject,
  runs: 0,
  found: 0,
  accused: 0,
  wrong: [],
  missed: [],
});

/** Two tallies of the same subject, the earlier runs first. */
export const add = (a: Tally, b: Tally): Tally => ({
  subject: a.subject,
  runs: a.runs + b.runs,
  found: a.found + b.found,
  accused: a.accused + b.accused,
  wrong: [...a.wrong, ...b.wrong].slice(0, NAMED),
  missed: [...a.missed, ...b.missed].slice(0, NAMED),
});

/** What failed although the subject does not break it, as `ID: because`. */
export function accusations({ breaks, warns }: Subject, { requirements }: RunRecord): readonly string[] {
  const deserved = new Set<string>([...breaks, ...warns]);
  return requirements
    .filter(({ id, verdict }) => verdict === 'fail' && !deserved.has(id))
    .map(({ id, because }) => `${id}: ${because}`);
}

/** Whether the record speaks of the fault: fails what it breaks, or warns of it where it breaks nothing. */
export function shows({ breaks, warns }: Subject, { requirements, observations }: RunRecord): boolean {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  if (breaks.length > 0) return breaks.some((id) => failed.includes(id));
  const warned = requirements.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id);
  const odd = observations.filter(({ warning }) => warning !== undefined).map(({ id }) => id);
  return warns.some((id) => warned.includes(id) || odd.includes(id));
}

/** Examines a subject once; `run` and `seed` decide everything. */
export const trial = (subject: Subject, seed: number, run: number): Promise<Trial> =>
  subject.trial(run, chanceOf(seed, subject.id, run));

/** Examines a subject from run `from` to before run `to`. */
export async function tally(subject: Subject, seed: number, from: number, to: number): Promise<Tally> {
  let sum = nothing(subject.id);
  for (let run = from; run < to; run += 1) {
    const { record } = await trial(subject, seed, run);
    const wrong = accusations(subject, record).length > 0;
    const found = !subject.conforms && shows(subject, record);
    const missed = !subject.conforms && !found;
    sum = add(sum, {
      subject: subject.id,
      runs: 1,
      found: found ? 1 : 0,
      accused: wrong ? 1 : 0,
      wrong: wrong ? [run] : [],
      missed: missed ? [run] : [],
    });
  }
  return sum;
}
