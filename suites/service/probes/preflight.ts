import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { mayBeUntouched, showsUntouched } from '../../../kernel/rate-limits/bounds/windows.ts';
import { readingOf } from '../../../kernel/rate-limits/series.ts';
import { isAbsent, likelyBase, readTarget, UNDER_VERSION } from '../model/target-reading.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { categoryNamer, createRequest, listRequest, unauthenticatedList } from './category-requests.ts';
import type { Probe } from './probe.ts';

/** Where the list does not exist even with the key, a creation tells a broken implementation from another server. */
export const targetCheck = {
  id: 'target-check',
  description: 'one invalid creation, where the list does not exist at this address',
  steps: {
    invalidCreation: 'invalid creation, because the list is absent',
    listUnderVersion: UNDER_VERSION,
  },
  async run(pacer, inputs) {
    if (!looksAbsent(pacer)) return;
    const marker = categoryNamer(pacer, inputs)('bad-0');
    await pacer.sendWithKeyAndRetry(
      targetCheck.steps.invalidCreation,
      createRequest({ description: marker }),
    );
    if (readTarget(pacer.session.exchanges).kind !== 'not-the-service') return;
    const below = likelyBase(`http://target${pacer.session.basePath}`)?.below;
    if (below === undefined) return;
    const path = `${below}/categories`;
    await pacer.sendOutsideQuota(targetCheck.steps.listUnderVersion, unauthenticatedList('none', { path }));
  },
} as const satisfies Probe;

/** Whether the list was absent with the key, and no other response shows the service. */
function looksAbsent(pacer: Pacer): boolean {
  const { exchanges } = pacer.session;
  const isListAbsent = exchanges.some((one) => one.caller === 'key' && isAbsent(one));
  return isListAbsent && readTarget(exchanges).kind === 'unknown';
}

/** A key that was used shortly before rests for two windows first: a sliding counter remembers the previous one. */
export const preflight = {
  id: 'preflight',
  description: 'one list with the key, to see whether its quota is full',
  steps: {
    baseline: 'baseline request',
    baselineAfterIdle: 'baseline request after two idle windows',
  },
  cost: () => ({ withKey: 1 }),
  run: sendBaseline,
} as const satisfies Probe;

/** The same where the quota is not exhausted: no count begins at an untouched one, so the key needs no rest. */
export const preflightAsFound = {
  ...preflight,
  description: 'one list with the key, to see whether it is accepted',
  async run(pacer) {
    const first = await pacer.sendWithKeyAndRetry(preflight.steps.baseline, listRequest());
    if (!looksAbsent(pacer)) stopIfKeyRejected(pacer, first);
  },
} as const satisfies Probe;

/** Whether the count of the quota starts with this request. */
export const isBaseline = ({ step }: Exchange): boolean =>
  step === preflight.steps.baseline || step === preflight.steps.baselineAfterIdle;

export const isBaselineAfterIdle = ({ step }: Exchange): boolean =>
  step === preflight.steps.baselineAfterIdle;

/** Sends a baseline request and, where the quota is not untouched, a second one after two idle windows. */
async function sendBaseline(pacer: Pacer): Promise<void> {
  const first = await pacer.sendWithKey(preflight.steps.baseline, listRequest());
  // Without a list there is no quota to wait for; `target-check` decides first what this target is.
  if (looksAbsent(pacer)) return;
  if (first === undefined || mayBeUntouched(first, pacer.limits.perMinute)) {
    return stopIfKeyRejected(pacer, first);
  }
  if (isRateLimited(first)) {
    const second = await pacer.sendWithKey(preflight.steps.baseline, listRequest());
    if (second === undefined || mayBeUntouched(second, pacer.limits.perMinute)) return;
  }
  await sendBaselineAfterIdle(pacer, 'the key was used shortly before, and its quota must be full');
}

/** Leaves the key idle for two windows, then sends a baseline request; undefined where the key is stopped. */
export async function sendBaselineAfterIdle(pacer: Pacer, because: string): Promise<Exchange | undefined> {
  await pacer.leaveKeyIdle(2, because);
  return pacer.sendWithKey(preflight.steps.baselineAfterIdle, listRequest());
}

/** After an idle window, or else after two, because a sliding counter remembers. False where the key is not accepted even then. */
export async function startFromFullQuota(pacer: Pacer, because: string): Promise<boolean> {
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
  const baseline = await sendBaselineAfterIdle(pacer, because);
  return baseline !== undefined && accepted(baseline);
}

/** Without a valid key there is nothing to test. A client cannot see whether the key or the target is wrong. */
function stopIfKeyRejected(pacer: Pacer, first: Exchange | undefined): void {
  if (first === undefined || !isKeyRejected(first)) return;
  pacer.stopUsingKey(
    `The target answered ${statusOf(first)} to the key under test. Either the key is not valid there, or the target rejects valid keys. Check the key and run again.`,
  );
}

/** The OpenAPI document that the target publishes and those that it refers to, kept as evidence. They were fetched without a key. */
export const openapiDocument = {
  id: 'openapi-document',
  description: 'the OpenAPI document that the target publishes',
  steps: {},
  cost: (inputs) => (inputs.openapi === undefined ? null : {}),
  async run(pacer, inputs) {
    for (const document of inputs.openapi ?? []) pacer.session.recordDocument(document);
  },
} as const satisfies Probe;
