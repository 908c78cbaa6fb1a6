import { groupedNumber } from '../../kernel/basics/text.ts';
import { table } from '../../tools/docs/blocks.ts';
import { print, readResults } from '../study.ts';
import { seededBy } from '../testing/suites/limiters.ts';
import { idsWith } from '../testing/verdicts.ts';
import type { Subject, Trial } from './subjects.ts';
import { subjects } from './subjects.ts';

/** The results of runs of one subject, counted. */
interface Tally {
  readonly runs: number;
  /** Runs that found the fault: with at least one of the requirements that it is listed under. */
  readonly found: number;
  /** Runs with a `fail` of a requirement that the subject does not violate: for a conforming service, a false fail. */
  readonly unexpected: number;
}

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
  subject.trial(run, seededBy(`${seed} ${subject.id} ${run}`));

/** Runs the suites against a subject, run after run. Prints what repeats a run that alone would miss the threshold. */
export async function tallyRuns(subject: Subject, seed: number, runs: number): Promise<SubjectResult> {
  let [found, unexpected] = [0, 0];
  const repeated = repeatedRuns(subject);
  let first: Tally = { runs: 0, found, unexpected };
  for (let run = 0; run < runs; run += 1) {
    const { record } = await runTrial(subject, seed, run);
    const isUnexpected = unexpectedFails(subject, record).length > 0;
    const isFound = !subject.conforms && detectsFault(subject, record);
    if (isUnexpected) unexpected += 1;
    if (isFound) found += 1;
    if (run < repeated) first = { runs: run + 1, found, unexpected };
    const one = { runs: 1, found: Number(isFound), unexpected: Number(isUnexpected) };
    if (!meetsThreshold(subject, one))
      print(`  npm run evaluate -- statistics ${subject.id} --seed ${seed} --run ${run}`);
  }
  return { runs, found, unexpected, first };
}

/** The results of all runs of a subject, and of its first runs, which `npm test` repeats. */
export interface SubjectResult extends Tally {
  readonly first: Tally;
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
export function meetsThreshold(subject: Subject, tally: Tally): boolean {
  const { conforms, where, name } = subject;
  if (conforms) return tally.unexpected === 0;
  return where !== 'calm' || name in notAlwaysFound || tally.found === tally.runs;
}

/** Whether `npm test` repeats the first runs of a subject: it does for all subjects with a threshold. */
export const isRepeatedByTests = ({ conforms, where }: Subject): boolean => conforms || where === 'calm';

/** The subject with this id, or undefined. */
export const subjectById = (id: string): Subject | undefined => subjects.find((one) => one.id === id);

/** The results of services or faults, each by the conditions of its runs. */
type ResultsByName = ReadonlyMap<string, ReadonlyMap<Subject['where'], SubjectResult>>;

const NOT_RUN: Tally = { runs: 0, found: 0, unexpected: 0 };

const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, { runs, found, unexpected }) => ({
      runs: sum.runs + runs,
      found: sum.found + found,
      unexpected: sum.unexpected + unexpected,
    }),
    NOT_RUN,
  );

/** The committed results of the conforming services, or of the faults. */
function resultsByName(conforms: boolean): ResultsByName {
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
function falseFailTable(services: ResultsByName): string {
  const rows = [...services].map(([name, results]) => [
    `\`${name}\``,
    ...(['calm', 'lossy', 'shared'] as const).map((where) => {
      const result = results.get(where);
      return result === undefined ? '–' : `${result.unexpected} of ${result.runs}`;
    }),
  ]);
  return table(['Service', 'False fails, calm', 'False fails, lossy', 'False fails, shared key'], rows);
}

/** How many runs found each fault, in percent, in every stratum, and how many failed a requirement that the fault is not listed under: often a consequence of it. */
function detectionTable(faults: ResultsByName): string {
  const heads = ['Fault', 'Calm', 'Every algorithm', 'Lossy', 'Shared key'];
  const rows = [...faults].map(([name, results]) => {
    const all = sumOf([...results.values()]);
    return [
      `\`${name}\``,
      ...(['calm', 'any-algorithm', 'lossy', 'shared'] as const).map((where) => {
        const { found, runs } = results.get(where) ?? NOT_RUN;
        return `${((100 * found) / runs).toFixed(found === runs ? 0 : 1)} %`;
      }),
      ...[all.unexpected === 0 ? '' : `in ${all.unexpected} of ${all.runs}`, notAlwaysFound[name] ?? ''],
    ];
  });
  return table([...heads, 'Other requirements failed', 'Why not in every run'], rows);
}

/** The committed results of `npm run evaluate -- statistics`. */
export function statistics(): string {
  const [services, faults] = [resultsByName(true), resultsByName(false)];
  const ofServices = sumOf([...services.values()].flatMap((results) => [...results.values()]));
  const ofFaults = sumOf([...faults.values()].flatMap((results) => [...results.values()]));
  const runs = groupedNumber(ofServices.runs + ofFaults.runs);
  const summary = `${runs} runs with seed ${COMMITTED_SEED}. Of ${groupedNumber(ofServices.runs)} runs against conforming services, ${ofServices.unexpected} ended in a \`fail\`.`;
  return [summary, falseFailTable(services), detectionTable(faults)].join('\n\n');
}
