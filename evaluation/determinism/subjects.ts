import { createHash } from 'node:crypto';
import type { LoadRecord, RunRecord } from '../../kernel/findings/record.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { findFault } from '../../reference-server/catalogue/faults/index.ts';
import { startServer } from '../../reference-server/http/server.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import type { DemoKeys } from '../../reference-server/service/callers.ts';
import type { Limits } from '../../spec/plans.ts';
import { faultsFound } from '../load/finds.ts';
import { briefLimits, briefLimitsFor, loadOnce } from '../load/real-load.ts';
import { overHttp, plansOf } from '../over-http.ts';
import { inParallel } from '../study.ts';

/** The verdicts of a run. */
export type Judged = Pick<RunRecord | LoadRecord, 'outcome' | 'requirements'>;

/** What is run again and again, and what each run has to say. */
export interface Repeatable {
  readonly name: string;
  readonly kind: 'service' | 'load';
  /** The requirements that fail. */
  readonly fails: readonly string[];
  /** How often it runs where `--runs` is 1: runs without k6 are shorter. */
  readonly times: 1 | 10;
  readonly minuteSeconds: number;
  readonly run: (runs: number) => Promise<readonly Judged[]>;
}

/** Repeats a run, two at a time. */
const repeat = (runs: number, once: (run: number) => Promise<Judged>): Promise<readonly Judged[]> =>
  inParallel([...Array(runs).keys()], 2, once);

/** The suites against one reference server over sockets; each run has keys of its own. */
const ofService = (algorithm: AlgorithmName, minuteSeconds: number): Repeatable => ({
  ...{ name: algorithm, kind: 'service', fails: [], times: 10, minuteSeconds },
  run: async (runs) => {
    const plans = plansOf(minuteSeconds);
    const server = await startServer({ plans, algorithm, keys: keysFor(runs) });
    try {
      return await repeat(runs, async (at) => {
        const [key = '', other = ''] = server.keys.free.slice(2 * at);
        const keys = { key, other, exhausted: server.keys.exhausted[0] ?? '' };
        return (await overHttp({ baseUrl: server.baseUrl, plans, keys })).record;
      });
    } finally {
      await server.close();
    }
  },
});

/** Two keys for each run, because a run with a recently used key has to wait first. None resembles another: a run sends near misses of its key. */
const keysFor = (runs: number): DemoKeys => ({
  free: Array.from(
    { length: 2 * runs },
    (_, n) => `determinism-${createHash('sha256').update(`${n}`).digest('hex')}`,
  ),
  pro: [],
  business: [],
  exhausted: ['determinism-key-exhausted'],
  disposable: [],
});

/** Short windows show this fault, and not the first that the profile must find (`evaluation/load/finds.ts`). */
const OTHER_FAULT: Readonly<Partial<Record<ProfileId, string>>> = {
  recovery: 'recovers-at-twice-retry-after',
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

/** A load profile with k6 over sockets, each run against a server of its own: one that conforms, or one with its fault. */
function ofLoad(profile: ProfileId, server: 'conforms' | 'fault'): Repeatable {
  const fault = server === 'fault' ? (OTHER_FAULT[profile] ?? faultsFound[profile][0]?.[0]) : undefined;
  const [, ...fails] = faultsFound[profile].find(([id]) => id === fault) ?? [''];
  if (fault !== undefined && fails.length === 0) throw new RangeError(`${profile} need not find ${fault}.`);
  const limits = LONGER[profile] ?? briefLimitsFor(profile);
  const trial = {
    ...{ profile, limits },
    // A fleet of one key: with two keys of one account, each would send only half of the limit.
    ...(fault === undefined ? {} : { fault: findFault(fault), fleet: 1 as const }),
    ...(fault === 'ban-for-everybody' ? { ban: { after: 5, seconds: limits.minuteSeconds } } : {}),
  };
  return {
    ...{ name: `${profile} ${fault ?? server}`, kind: 'load', fails, times: 1 },
    minuteSeconds: limits.minuteSeconds,
    run: (runs) => repeat(runs, () => loadOnce(trial)),
  };
}

/** Every subject, with windows of four seconds for the suites. */
export const subjects: readonly Repeatable[] = [
  ...algorithms.map((algorithm) => ofService(algorithm, 4)),
  ...PROFILE_IDS.flatMap((profile) => [ofLoad(profile, 'conforms'), ofLoad(profile, 'fault')]),
];
