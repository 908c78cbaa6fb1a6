import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { isKeyRejected } from '../../exchanges/outcome-kinds.ts';
import { mayBeUntouched } from '../../rate-limits/untouched.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { list } from './bodies.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';
import { looksAbsent } from './target-check.ts';

/** The step of an arming request that was sent as the run found the key. */
export const BASELINE = 'first request';
/** The step of an arming request before which the key was idle for two windows. */
export const BASELINE_AFTER_IDLE = 'first request after two idle windows';

/**
 * The first keyed request, from which the use of the limit is counted. A key
 * that was used a moment ago is left alone for two windows first: a sliding
 * counter remembers the window before the current one.
 */
export const preflight: Probe = {
  id: 'preflight',
  asks: 'one list of categories with the key, to see whether the limit is untouched',
  cost: () => ({ ...nothing, keyed: 1 }),
  async run(pacer) {
    await sendBaseline(pacer);
  },
};

/** Sends an arming request and, where the limit is not untouched, a second one after two idle windows. */
export async function sendBaseline(pacer: Pacer): Promise<void> {
  const first = await pacer.keyed(BASELINE, list());
  // A list that is absent shows no limit to wait for; `target-check` decides first what this target is.
  if (looksAbsent(pacer)) return;
  if (first === undefined || mayBeUntouched(first, pacer.limits.perMinute))
    return giveUpRejectedKey(pacer, first);
  if (statusOf(first) === 429) {
    const second = await pacer.keyed(BASELINE, list());
    if (second === undefined || mayBeUntouched(second, pacer.limits.perMinute)) return;
  }
  await sendBaselineAfterIdle(
    pacer,
    'the key was used a moment ago, and its limit must be untouched to be examined',
  );
}

/** Leaves the key alone for two windows, then sends an arming request. */
export async function sendBaselineAfterIdle(pacer: Pacer, because: string): Promise<void> {
  if (pacer.givenUp !== undefined) return;
  await pacer.idle(2, because);
  await pacer.keyed(BASELINE_AFTER_IDLE, list());
}

/** Without a key that the target knows there is nothing to examine; whose fault that is cannot be seen from outside. */
function giveUpRejectedKey(pacer: Pacer, first: Exchange | undefined): void {
  if (first === undefined || !isKeyRejected(first)) return;
  pacer.giveUp(
    `The target answered ${statusOf(first)} to the key it was given; either the key is not valid there, or the target refuses valid keys. Check the key and run again.`,
  );
}
