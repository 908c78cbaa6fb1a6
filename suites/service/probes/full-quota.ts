import { accepted } from '../../../kernel/exchanges/outcome-kinds.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import { showsUntouched } from '../../../kernel/rate-limits/untouched.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { listRequest } from './category-requests.ts';
import { isBaselineAfterIdle, preflight, sendBaselineAfterIdle } from './preflight.ts';

/**
 * Begins a count from a full quota. After an idle window most quotas are
 * untouched, and the headers say so. Otherwise the key rests for two, because a
 * sliding counter remembers the window before. False where the key is not
 * accepted even then.
 */
export async function startFromFullQuota(pacer: Pacer, because: string): Promise<boolean> {
  if (pacer.isKeyStopped) return false;
  await pacer.leaveKeyIdle(1, because);
  const baseline = await pacer.sendWithKey(preflight.steps.baseline, listRequest());
  const isFull =
    baseline !== undefined &&
    accepted(baseline) &&
    showsUntouched(readingOf(baseline), pacer.limits.perMinute);
  return isFull || startAfterTwoWindows(pacer, because);
}

/** The same after two idle windows, which leave every conforming limiter with a full quota, whatever its headers show. */
export async function startAfterTwoWindows(pacer: Pacer, because: string): Promise<boolean> {
  await sendBaselineAfterIdle(pacer, because);
  const last = pacer.session.exchanges.findLast(isBaselineAfterIdle);
  return !pacer.isKeyStopped && last !== undefined && accepted(last);
}
