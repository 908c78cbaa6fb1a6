import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { showsRefilled } from '../../rate-limits/untouched.ts';
import { waitSeconds429 } from '../../rate-limits/wait-scale.ts';
import type { Limits } from '../../spec/plans.ts';
import { listRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';
import { noRequests } from './probe.ts';
import { recovery, refill } from './recovery.ts';

const steps = { paced: 'at the pace of the plan' } as const;

/** So many more requests than the limit: a window that is longer than the plan's ends within them. */
const BEYOND_LIMIT = 5;

/** The time between a response and the next request, in intervals: a little more than one, because clocks differ. */
const SPACING = 1.02;

/** Seconds by which a wait must exceed the window: less may be rounding. */
const LONGER_SECONDS = 3;

/** The requests take no longer than this many windows: over a slow link they would show another rate than the plan's. */
const MOST_WINDOWS = 1.5;

/**
 * Sent only where the target asked for more than a window, and the quota after
 * that wait did not show how long its window is: more requests than the limit,
 * at the pace of the plan. A limiter that keeps the rate of the plan accepts
 * them all, whatever its algorithm and however few it holds at once.
 */
export const pacedWindow: Probe<typeof steps> = {
  id: 'paced-window',
  description: 'requests at the pace of the plan, where a 429 asked for more than a window',
  steps,
  cost: () => noRequests,
  async run(pacer) {
    const { session, limits } = pacer;
    if (pacer.isKeyStopped || pacer.isRateLimited || !isOpen(session.exchanges, limits)) return;
    const { limit, windowMs } = minuteQuota(limits);
    const startedAt = session.now().mono;
    for (let sent = 0; sent < limit + BEYOND_LIMIT; sent += 1) {
      await session.wait((SPACING * windowMs) / limit / 1000, 'requests come at the pace of the plan');
      if (session.now().mono - startedAt > MOST_WINDOWS * windowMs) return;
      if (!accepted(await pacer.sendWithKeyNow(steps.paced, listRequest()))) return;
    }
  },
};

/** Whether the last 429 asked for more than a window, the key recovered, and no response shows a full quota a window later. */
function isOpen(exchanges: readonly Exchange[], limits: Limits): boolean {
  const keyed = exchanges.filter(({ caller }) => caller === 'key');
  const limited = keyed.findLast(isRateLimited);
  if (limited === undefined) return false;
  const isLonger = (waitSeconds429(limited) ?? 0) > limits.minuteSeconds + LONGER_SECONDS;
  const recovered = keyed.some(
    (one) => one.probe === recovery.id && one.sent.mono > limited.received.mono && accepted(one),
  );
  const later = keyed.find(({ step }) => step === refill.steps.windowLater);
  return isLonger && recovered && !showsRefilled(later && readingOf(later), limits.perMinute);
}

/** What shows that the target keeps the rate of the plan. */
export interface KeptPace {
  readonly exchanges: readonly Exchange[];
  /** How long the requests took, in milliseconds. */
  readonly milliseconds: number;
}

/** The requests at the pace of the plan, where more than the limit were sent and all were accepted; else undefined. */
export function keptPace(exchanges: readonly Exchange[], { perMinute }: Limits): KeptPace | undefined {
  const paced = exchanges.filter(({ probe }) => probe === pacedWindow.id);
  if (paced.length <= perMinute || !paced.every(accepted)) return undefined;
  const begun = least(paced.map(({ sent }) => sent.mono));
  return { exchanges: paced, milliseconds: greatest(paced.map(({ received }) => received.mono)) - begun };
}
