import type { LoadRecord } from '../../../kernel/findings/record.ts';
import type { ProfileId } from '../../../load/model/profile.ts';
import { runK6 } from '../../../load/run/k6-process.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Trial } from '../../load/real-load.ts';
import {
  briefLimits,
  briefLimitsFor,
  judgedRecord,
  k6ProcessOf,
  startTestbed,
} from '../../load/real-load.ts';
import type { VerdictGroup } from '../vectors.ts';
import { groupByVerdicts, runInParallel } from '../vectors.ts';

/** How many repeated runs of a profile against one server came to the same verdicts. */
export interface LoadDeterminismResult {
  readonly profile: ProfileId;
  /** The fault of the server, or null where it conforms. */
  readonly fault: string | null;
  readonly runs: number;
  /** The size of the largest group of runs with the same verdicts. */
  readonly equal: number;
  readonly verdict: string;
  /** The expectations that failed. */
  readonly failed: readonly string[];
  readonly minuteSeconds: number;
  /** How long all runs took, in seconds. */
  readonly seconds: number;
}

/** For each profile, one of the faults that it must find (`evaluation/load/finds.ts`) and that short windows show. */
export const FAULT_OF_PROFILE: Readonly<Record<ProfileId, string>> = {
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
  capacity: 'half-the-limit',
  plans: 'one-too-many',
};

/** The profiles for which the windows of `briefLimitsFor` are too short: the wait of a 429 must not be explained by a smaller part of the limit. */
const LONGER: Readonly<Partial<Record<ProfileId, Limits>>> = {
  'at-limit': { ...briefLimits, minuteSeconds: 4 },
  // A bucket must not refill during a burst on a busy machine, and the Reset of a shorter window may follow the clock.
  'over-limit': { ...briefLimits, minuteSeconds: 20 },
  // The other key must send a request while the first is rate-limited.
  isolation: { ...briefLimits, perMinute: 60, minuteSeconds: 4 },
  breakpoint: { ...briefLimits, perMinute: 60, minuteSeconds: 4 },
  plans: { ...briefLimits, perMinute: 60, minuteSeconds: 10 },
};

/** Limits with short windows in which a profile faultsFound its fault in every run. */
export const limitsFor = (profile: ProfileId): Limits => LONGER[profile] ?? briefLimitsFor(profile);

/** How often, and how, to repeat a load run against one server. */
export interface LoadRepetition {
  readonly profile: ProfileId;
  /** The injected fault; undefined for a conforming server. */
  readonly fault: string | undefined;
  readonly runs: number;
  /** How many runs are in progress at the same time. */
  readonly parallelRuns: number;
}

/** The verdicts of repeated load runs, grouped. */
export interface RepeatedLoadRuns {
  /** The groups of runs with the same verdicts, the largest first. */
  readonly groups: readonly VerdictGroup<LoadRecord>[];
  /** How long all runs took. */
  readonly seconds: number;
}

/** Repeats a load run with k6 over real sockets, each against a server of its own, and judges each run. */
export async function repeatLoad(repetition: LoadRepetition): Promise<RepeatedLoadRuns> {
  const { profile, fault, runs, parallelRuns } = repetition;
  const limits = limitsFor(profile);
  const trial: Trial = {
    profile,
    limits,
    // A fleet of one key: with two keys of one account, each would send only half of the limit.
    ...(fault === undefined ? {} : { fault: findFault(fault), fleet: 1 }),
    ...(fault === 'ban-for-everybody' ? { ban: { after: 5, seconds: limits.minuteSeconds } } : {}),
  };
  const started = performance.now();
  const records = await runInParallel(runs, parallelRuns, () => runOnce(trial));
  const groups = groupByVerdicts(records, ({ requirements: findings }) => findings);
  return { groups, seconds: (performance.now() - started) / 1000 };
}

async function runOnce(trial: Trial): Promise<LoadRecord> {
  const after: (() => unknown)[] = [];
  try {
    const { job } = await startTestbed({ after: (undo) => void after.push(undo as () => unknown) }, trial);
    return judgedRecord(job, await runK6(job, k6ProcessOf()));
  } finally {
    for (const undo of after) await undo();
  }
}
