import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { answeredBefore429 } from '../../rate-limits/attribution/early-429.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { sentAfterWait } from '../../rate-limits/retries.ts';
import { allTransitions, fallBeyondUse } from '../../rate-limits/series/transitions.ts';
import { waitScale, waitSeconds429 } from '../../rate-limits/wait-scale.ts';
import { isBaselineAfterIdle } from '../probes/preflight.ts';
import type { Use } from '../probes/uses.ts';
import type { Evidence } from './evidence.ts';
import { uses } from './uses.ts';

/** How often a key must be rate-limited again, each time after the wait that the 429 before it announced. */
const ATTEMPTS = 4;

/** How many of these must announce at least half a window: one may stand between two ways to count it. */
const LONG_WAITS = 3;

/** Windows that must lie between the first 429 and the last one. */
const WINDOWS = 4;

/** A key that was never accepted again: its first 429, and all that followed. */
export interface NeverAgain {
  readonly first: Exchange;
  readonly later: readonly Exchange[];
}

/**
 * A key that stays rate-limited for ever although it waits as announced.
 *
 * Another client of the key could do this to a conforming service only by
 * leaving nothing of the quota at each of the announced instants. Until the
 * first 429 the run's own accounting excludes that client: from an untouched
 * limit, Remaining fell by exactly what was sent, and the 429 came when that
 * exhausted the quota. So the client would have had to begin after this 429.
 *
 * What it takes then follows from the waits. Three of the later 429s must
 * announce at least half a window, and none more than one. A bucket or a sliding count, which
 * any steady client holds empty, gives one request back sooner than that and
 * announces it. Only a fixed window remains, and the full quota is available
 * again at the announced instant, where this run asks within the second to
 * which waits are rounded: the client would have to exhaust the quota within
 * that second, each time, over more than four windows, against the
 * specification's own rule for clients, and unseen in the minute before. That
 * is less likely than a limiter that never recovers, which shows exactly this
 * every time. A wait beyond the window is a ban, which another client may have
 * earned within moments: it proves nothing here.
 */
export function neverAgain(evidence: Evidence): NeverAgain | undefined {
  const { limits } = evidence.run;
  const all = evidence.fact(uses);
  const at = all.findIndex(({ limited }) => limited !== undefined);
  const use = all[at];
  const first = use?.limited?.exchange;
  if (!evidence.finished || use === undefined || first === undefined) return undefined;
  if (!all.slice(0, at + 1).every((one) => accountsExactly(one, evidence))) return undefined;
  const later = evidence.by('key').filter(({ sent }) => sent.mono >= first.received.mono);
  const last = later.at(-1);
  const ofWindow = [first, ...later].every(
    (one) => isRateLimited(one) && ['window', 'next request'].includes(waitScale(one, limits)),
  );
  const long = later.filter((one) => (waitSeconds429(one) ?? 0) >= limits.minuteSeconds / 2);
  const patient = later.every((one, i) => sentAfterWait(later[i - 1] ?? first, one));
  const rested = later.some(isBaselineAfterIdle);
  if (
    last === undefined ||
    !ofWindow ||
    long.length < LONG_WAITS ||
    !patient ||
    !rested ||
    later.length < ATTEMPTS
  )
    return undefined;
  const spanMs = last.sent.mono - first.received.mono;
  return spanMs >= WINDOWS * limits.minuteSeconds * 1000 ? { first, later } : undefined;
}

/** Whether a stretch began untouched, fell by what was sent alone, and ended where that exhausted the quota. */
function accountsExactly(use: Use, { run: { limits } }: Evidence): boolean {
  const { series, untouched, limited } = use;
  const exact = allTransitions(series, limits.perMinute).every((change) => fallBeyondUse(change) === 0);
  if (!untouched || !exact || limited === undefined) return untouched && exact;
  const { answered, expected } = answeredBefore429(series, limited, minuteQuota(limits));
  return answered >= expected;
}
