import { findFault } from '../../../catalogue/index.ts';
import type { ProfileId } from '../../../load/model/profile.ts';
import type { LoadRecord } from '../../../load/model/record.ts';
import { runK6 } from '../../../load/run/k6-process.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Trial } from '../../load/real-load.ts';
import {
  briefLimits,
  briefLimitsFor,
  judgedRecord,
  k6ProcessOf,
  startTestbed,
} from '../../load/real-load.ts';
import type { Alike } from '../vectors.ts';
import { grouped, severalAtOnce } from '../vectors.ts';

/** For each profile one of the faults that it must find (`evaluation/load/finds.ts`), which shows within short windows. */
export const FAULTS: Readonly<Record<ProfileId, string>> = {
  smoke: 'created-200',
  under: 'half-the-limit',
  'at-limit': 'one-too-few',
  'over-limit': 'one-too-many',
  recovery: 'recovers-at-twice-retry-after',
  backoff: 'never-limited',
  offender: 'ban-for-everybody',
  isolation: 'one-counter-for-each-plan',
  'day-quota': 'too-many-requests-503',
  soak: 'half-the-limit',
  spike: 'crashes-under-concurrency',
  breakpoint: 'half-the-limit',
};

/** Where the windows of `briefLimitsFor` are too short: a refusal proves the most where no smaller portion of the limit explains its wait. */
const LONGER: Readonly<Partial<Record<ProfileId, Limits>>> = {
  'at-limit': { ...briefLimits, minuteSeconds: 4 },
  // A bucket must not give anything back while a burst lasts on a machine that is busy.
  'over-limit': { ...briefLimits, minuteSeconds: 10 },
  // The other key must send something while the first is refused.
  isolation: { ...briefLimits, minuteSeconds: 4 },
  breakpoint: { ...briefLimits, perMinute: 60, minuteSeconds: 4 },
};

/** Limits in which a profile finds its fault every time, and that end soon. */
export const limitsFor = (profile: ProfileId): Limits => LONGER[profile] ?? briefLimitsFor(profile);

/** A profile against one server, again and again. */
export interface LoadRepetition {
  readonly profile: ProfileId;
  /** The fault of the server; it conforms where none is named. */
  readonly fault: string | undefined;
  readonly runs: number;
  /** How many runs are under way at the same time. */
  readonly atOnce: number;
}

/** The verdicts of load runs that ought to be equal. */
export interface LoadRepeated {
  /** Every different vector of verdicts, the commonest first. */
  readonly vectors: readonly Alike<LoadRecord>[];
  readonly seconds: number;
}

/** Runs a profile so many times with k6 over real sockets, each time against a server of its own, and judges each run. */
export async function repeatLoad({ profile, fault, runs, atOnce }: LoadRepetition): Promise<LoadRepeated> {
  const limits = limitsFor(profile);
  const trial: Trial = {
    profile,
    limits,
    // Two keys of one account would each be granted half of the limit, which is a fault of these.
    ...(fault === undefined ? {} : { fault: findFault(fault), fleet: 1 }),
    ...(fault === 'ban-for-everybody' ? { ban: { after: 5, seconds: limits.minuteSeconds } } : {}),
  };
  const started = performance.now();
  const records = await severalAtOnce(runs, atOnce, () => once(trial));
  const vectors = grouped(records, ({ findings }) => findings);
  return { vectors, seconds: (performance.now() - started) / 1000 };
}

async function once(trial: Trial): Promise<LoadRecord> {
  const after: (() => unknown)[] = [];
  try {
    const { job } = await startTestbed({ after: (undo) => void after.push(undo as () => unknown) }, trial);
    return judgedRecord(job, await runK6(job, k6ProcessOf()));
  } finally {
    for (const undo of after) await undo();
  }
}
