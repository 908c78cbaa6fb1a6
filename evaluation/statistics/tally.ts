import { groupedNumber } from '../../kernel/basics/text.ts';
import { table } from '../../tools/docs/blocks.ts';
import { readResults } from '../study.ts';
import { idsWith } from '../testing/verdicts.ts';
import type { Subject, Trial } from './subjects.ts';
import { randomOf, subjects } from './subjects.ts';

/** The results of runs of one subject, counted. */
export interface Tally {
  readonly runs: number;
  /** Runs that found the fault: with at least one of the requirements that it is listed under. */
  readonly found: number;
  /** Runs with a `fail` of a requirement that the subject does not violate: for a conforming service, a false fail. */
  readonly unexpected: number;
  /** The numbers of the first runs that failed so, or missed the fault. */
  readonly wrong: readonly number[];
}

/** How many run numbers a tally lists. */
const LISTED = 10;

/** The sum of tallies of the same subject, the earlier runs first. */
export const sumOf = (tallies: readonly Tally[]): Tally => {
  const sum = (of: (one: Tally) => number): number => tallies.reduce((before, one) => before + of(one), 0);
  return {
    runs: sum(({ runs }) => runs),
    found: sum(({ found }) => found),
    unexpected: sum(({ unexpected }) => unexpected),
    wrong: tallies.flatMap(({ wrong }) => wrong).slice(0, LISTED),
  };
};

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
export function detectsFault({ breaks, warns }: Subject, record: Trial['record']): boolean {
  if (breaks.length > 0) return breaks.some((id) => idsWith(record, 'fail').includes(id));
  const observed = record.observations.filter(({ warning }) => warning !== undefined).map(({ id }) => id);
  const warned: readonly string[] = [...idsWith(record, 'warn'), ...observed];
  return warns.some((id) => warned.includes(id));
}

/** Runs the suites once against a subject; `seed` and `run` determine everything that is random. */
export const runTrial = (subject: Subject, seed: number, run: number): Promise<Trial> =>
  subject.trial(run, randomOf(seed, subject.id, run));

/** Runs the suites against a subject, from run `from` to before run `to`. */
export async function tallyRuns(subject: Subject, seed: number, from: number, to: number): Promise<Tally> {
  const tallies: Tally[] = [];
  for (let run = from; run < to; run += 1) {
    const { record } = await runTrial(subject, seed, run);
    const isUnexpected = unexpectedFails(subject, record).length > 0;
    const isFound = !subject.conforms && detectsFault(subject, record);
    const isWrong = isUnexpected || (!subject.conforms && !isFound);
    tallies.push({
      runs: 1,
      found: Number(isFound),
      unexpected: Number(isUnexpected),
      wrong: isWrong ? [run] : [],
    });
  }
  return sumOf(tallies);
}

/** The results of all runs of a subject, and of its first runs, which `npm test` repeats. */
export interface SubjectResult extends Pick<Tally, 'runs' | 'found' | 'unexpected'> {
  readonly first: Pick<Tally, 'runs' | 'found' | 'unexpected'>;
}

/** The seed of the committed results. */
export const COMMITTED_SEED = 20_261_121;

/** How many of the first runs of a subject `npm test` repeats. */
export const repeatedRuns = ({ conforms, runs }: Subject): number => (conforms ? Math.ceil(runs / 600) : 1);

const LIKE_A_BUCKET =
  'Over a long link a conforming bucket refills as much between two responses as this fault grants, so it proves nothing.';

/** Faults that a run may miss over some links, by their ids, and why. Each calm run has to find all others. */
export const notAlwaysFound: Readonly<Record<string, string>> = {
  'date-in-local-time':
    'Where the clock of the service is hours off as well, RATE-9 fails instead of warning: nothing shows that Reset is right.',
  'window-forgotten-once':
    'RATE-9 fails only where more than the limit was accepted before the announced end, which depends on the pace of the run; elsewhere it warns.',
  'creations-reset-the-counter': LIKE_A_BUCKET,
  'every-third-request-not-counted': LIKE_A_BUCKET,
  'workers-count-for-themselves': LIKE_A_BUCKET,
  'bucket-fills-half-again-as-fast': LIKE_A_BUCKET,
  'window-of-75-seconds':
    'It announces no more than two windows, and over a long link nothing shows that no conforming limiter does so.',
  'window-of-55-seconds':
    'It needs three windows whose ends show within two seconds, which a long link hides.',
  'bucket-of-twenty-answers-503':
    'Over a long link the bucket gives back so much between two responses that its rounds end after different numbers.',
  'updates-lost':
    'It needs two requests that reach the server within ten milliseconds, which depends on the network.',
  'bucket-of-five-loses-updates':
    'It needs requests that reach the server together, in a bucket that gives back soon.',
  'bucket-of-one-loses-updates':
    'It needs requests that reach the server together, in a bucket that gives back soon.',
  'retry-after-rounded-down':
    'It is less than a second short: over a long link the retry arrives after the window has passed.',
  'retry-after-two-seconds-short':
    'One second is tolerated as rounding, and over a long link the rest has passed when the retry arrives.',
};

/**
 * Whether a subject meets its threshold. A conforming service never receives a
 * `fail`, under all network conditions and with all other clients. A fault is
 * found in every calm run, unless `notAlwaysFound` says why not.
 */
export function meetsThreshold(
  subject: Subject,
  tally: Pick<Tally, 'runs' | 'found' | 'unexpected'>,
): boolean {
  const { conforms, where, name } = subject;
  if (conforms) return tally.unexpected === 0;
  return where !== 'calm' || name in notAlwaysFound || tally.found === tally.runs;
}

/** Whether `npm test` repeats the first runs of a subject: it does for all subjects with a threshold. */
export const isRepeatedByTests = ({ conforms, where }: Subject): boolean => conforms || where === 'calm';

/** The subject with this id, or undefined. */
export const subjectById = (id: string): Subject | undefined => subjects.find((one) => one.id === id);

/** The committed results of each service or fault, by the conditions of its runs. */
function resultsByName(conforms: boolean): ReadonlyMap<string, ReadonlyMap<Subject['where'], SubjectResult>> {
  const results = readResults<SubjectResult>('statistics');
  const byName = new Map<string, Map<Subject['where'], SubjectResult>>();
  for (const subject of subjects) {
    const result = results[subject.id];
    if (result === undefined || subject.conforms !== conforms) continue;
    const byConditions = byName.get(subject.name) ?? new Map<Subject['where'], SubjectResult>();
    byName.set(subject.name, byConditions.set(subject.where, result));
  }
  return byName;
}

/** How many runs of each conforming service ended in a `fail`, under all network conditions. */
function falseFailTable(): string {
  const cell = (result: SubjectResult | undefined): string =>
    result === undefined ? '–' : `${result.unexpected} of ${result.runs}`;
  return table(
    ['Service', 'False fails, calm', 'False fails, lossy', 'False fails, shared key'],
    [...resultsByName(true)].map(([name, results]) => [
      `\`${name}\``,
      ...(['calm', 'lossy', 'shared'] as const).map((where) => cell(results.get(where))),
    ]),
  );
}

/** How many runs found each fault, in percent, in every stratum. */
function detectionTable(): string {
  const cell = (result: SubjectResult | undefined): string => {
    if (result === undefined) return '–';
    const { found, runs } = result;
    return `${((100 * found) / runs).toFixed(found === runs ? 0 : 1)} %`;
  };
  return table(
    [
      ...['Fault', 'Calm', 'Every algorithm', 'Lossy', 'Shared key'],
      ...['Other requirements failed', 'Why not in every run'],
    ],
    [...resultsByName(false)].map(([name, results]) => [
      `\`${name}\``,
      ...(['calm', 'any-algorithm', 'lossy', 'shared'] as const).map((where) => cell(results.get(where))),
      ...[otherFails([...results.values()]), notAlwaysFound[name] ?? ''],
    ]),
  );
}

/** How many runs failed a requirement that the fault is not listed under: often a consequence of the same fault. */
function otherFails(results: readonly SubjectResult[]): string {
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  const unexpected = results.reduce((sum, result) => sum + result.unexpected, 0);
  return unexpected === 0 ? '' : `in ${unexpected} of ${runs}`;
}

/** The committed results in one line. */
function statisticsSummary(): string {
  const rows = Object.entries(readResults<SubjectResult>('statistics'));
  const runs = rows.reduce((sum, [, row]) => sum + row.runs, 0);
  const ids = new Set(subjects.filter(({ conforms }) => conforms).map(({ id }) => id));
  const conforming = rows.filter(([subject]) => ids.has(subject));
  const falseFails = conforming.reduce((sum, [, row]) => sum + row.unexpected, 0);
  const conformingRuns = conforming.reduce((sum, [, row]) => sum + row.runs, 0);
  return `${groupedNumber(runs)} runs with seed ${COMMITTED_SEED}. Of ${groupedNumber(conformingRuns)} runs against conforming services, ${falseFails} ended in a \`fail\`.`;
}

/** The committed results of `npm run evaluate -- statistics`. */
export const statistics = (): string =>
  [statisticsSummary(), falseFailTable(), detectionTable()].join('\n\n');
