import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { Tally } from './tally.ts';

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
  'replicas-count-for-themselves': LIKE_A_BUCKET,
  'workers-count-for-themselves': LIKE_A_BUCKET,
  'bucket-fills-half-again-as-fast': LIKE_A_BUCKET,
  'window-of-75-seconds':
    'It announces no more than two windows, and over a long link nothing shows that no conforming limiter does so.',
  'window-of-55-seconds':
    'It needs three windows whose ends show within two seconds, which a long link hides.',
  'bucket-of-twenty-answers-503':
    'Over a long link the bucket gives back so much between two responses that its rounds end after different numbers.',
  'updates-lost-in-fifty-milliseconds':
    'It needs two requests that reach the server within fifty milliseconds, which depends on the network.',
  'updates-lost':
    'It needs two requests that reach the server within ten milliseconds, which depends on the network.',
  'updates-lost-in-twenty-milliseconds':
    'It needs two requests that reach the server within twenty milliseconds, which depends on the network.',
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

/** A run of this variant takes a hundred times as long as any other, so `npm test` repeats it over a calm network alone. */
const LONG = 'variant/list-of-fifty-thousand';

/** Whether `npm test` repeats the first runs of a subject: it does for all subjects with a threshold but the long ones. */
export const isRepeatedByTests = ({ id, conforms, where }: Subject): boolean =>
  where === 'calm' || (conforms && !id.startsWith(`${LONG}/`));

/** The subject with this id, or undefined. */
export const subjectById = (id: string): Subject | undefined => subjects.find((one) => one.id === id);
