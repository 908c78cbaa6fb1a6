import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { isKeyRejected } from '../../../kernel/exchanges/outcome-kinds.ts';
import { mayBeUntouched } from '../../../kernel/rate-limits/untouched.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { listRequest } from './category-requests.ts';
import type { Probe } from './probe.ts';
import { looksAbsent } from './target-check.ts';

const steps = {
  /** Sent as the run found the key. */
  baseline: 'baseline request',
  /** Sent after the key was idle for two windows. */
  baselineAfterIdle: 'baseline request after two idle windows',
} as const;

/**
 * The first request with the key. The count of the quota starts with it. A key
 * that was used shortly before stays idle for two windows first: a sliding
 * counter remembers the previous window.
 */
export const preflight: Probe<typeof steps> = {
  id: 'preflight',
  description: 'one list with the key, to see whether its quota is full',
  steps,
  cost: () => ({ withKey: 1 }),
  async run(pacer) {
    await sendBaseline(pacer);
  },
};

/**
 * The same for a run of selected requirements that does not exhaust the quota: no count begins at an untouched one, so a
 * key that was used shortly before needs no idle windows.
 */
export const preflightAsFound: Probe<typeof steps> = {
  ...preflight,
  description: 'one list with the key, to see whether it is accepted',
  async run(pacer) {
    const first = await pacer.sendWithKeyAndRetry(steps.baseline, listRequest());
    if (!looksAbsent(pacer)) stopIfKeyRejected(pacer, first);
  },
};

/** Whether the count of the quota starts with this request. */
export const isBaseline = ({ step }: Exchange): boolean =>
  step === steps.baseline || step === steps.baselineAfterIdle;

/** Whether the key was idle for two windows before this request. */
export const isBaselineAfterIdle = ({ step }: Exchange): boolean => step === steps.baselineAfterIdle;

/** Sends a baseline request and, where the quota is not untouched, a second one after two idle windows. */
async function sendBaseline(pacer: Pacer): Promise<void> {
  const first = await pacer.sendWithKey(steps.baseline, listRequest());
  // Without a list there is no quota to wait for; `target-check` decides first what this target is.
  if (looksAbsent(pacer)) return;
  if (first === undefined || mayBeUntouched(first, pacer.limits.perMinute)) {
    return stopIfKeyRejected(pacer, first);
  }
  if (statusOf(first) === 429) {
    const second = await pacer.sendWithKey(steps.baseline, listRequest());
    if (second === undefined || mayBeUntouched(second, pacer.limits.perMinute)) return;
  }
  await sendBaselineAfterIdle(pacer, 'the key was used shortly before, and its quota must be full');
}

/** Leaves the key idle for two windows, then sends a baseline request. */
export async function sendBaselineAfterIdle(pacer: Pacer, because: string): Promise<void> {
  if (pacer.isKeyStopped) return;
  await pacer.leaveKeyIdle(2, because);
  await pacer.sendWithKey(steps.baselineAfterIdle, listRequest());
}

/** Without a valid key there is nothing to test. A client cannot see whether the key or the target is wrong. */
function stopIfKeyRejected(pacer: Pacer, first: Exchange | undefined): void {
  if (first === undefined || !isKeyRejected(first)) return;
  pacer.stopUsingKey(
    `The target answered ${statusOf(first)} to the key under test. Either the key is not valid there, or the target rejects valid keys. Check the key and run again.`,
  );
}
