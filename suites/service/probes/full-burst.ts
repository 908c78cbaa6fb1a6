import { least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../../kernel/rate-limits/series.ts';
import { waitScale } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { listRequest } from './category-requests.ts';
import { keptPace } from './paced-window.ts';
import type { Probe } from './probe.ts';
import { durationOf, exhaustsQuota } from './quota-batches.ts';
import type { Use } from './recount.ts';
import { usesOf } from './recount.ts';

/** The pause that makes requests one after another last longer than a batch did, as a factor of its duration. */
const LONGER = 2;

/** As many requests at once as the full bucket holds and one more, then one by one, then at once: more only at once is not counted. */
export const fullBurst = {
  id: 'full-burst',
  description: 'requests at the same time from a full bucket, where the target is a small one',
  steps: {
    together: 'at the same time from a full bucket',
    apart: 'one after another from a full bucket',
    togetherAgain: 'at the same time from a full bucket, again',
  },
  async run(pacer) {
    const counted = heldBySmallBucket(pacer.session.exchanges, pacer.limits);
    if (counted === undefined) return;
    const held = Math.min(counted, pacer.smallBucket ?? counted);
    await fill(pacer);
    const first = await sendTogether(pacer, fullBurst.steps.together, held + 1);
    if (first.length === 0 || !first.every(accepted)) return;
    await fill(pacer);
    const apart = await sendApart(pacer, counted + 1, durationOf(first));
    await fill(pacer);
    await waitHalfAnIntervalOff(pacer, first);
    await sendTogether(pacer, fullBurst.steps.togetherAgain, apart + 1);
  },
} as const satisfies Probe;

/** As many as were answered from a full quota, one by one. A lower first Remaining decides, because a bucket refills meanwhile. */
function heldBySmallBucket(exchanges: readonly Exchange[], limits: Limits): number | undefined {
  const use = usesOf(exchanges, limits).findLast(isExhausting);
  if (use?.limited === undefined || !use.untouched) return undefined;
  const { before, exchange } = use.limited;
  const oneByOne = use.series.every((step) => step.exchanges.length === 1);
  const isBucket =
    waitScale(exchange, limits) === 'next request' || keptPace(exchanges, limits) !== undefined;
  if (!oneByOne || !isBucket || before.length >= limits.perMinute) return undefined;
  const shown = readingOf(use.first);
  const advertised =
    shown?.limit === limits.perMinute && shown.remaining > 0 ? shown.remaining + 1 : before.length;
  return Math.min(before.length, advertised);
}

const isExhausting = ({ series }: Use): boolean =>
  series.some(({ exchanges }) => exchanges.some(exhaustsQuota));

/** A bucket is full after a window, whatever it holds. */
const fill = (pacer: Pacer): Promise<boolean> =>
  pacer.leaveKeyIdle(1, 'the bucket has to be full before it is used in parallel, or in comparison');

async function sendTogether(pacer: Pacer, step: string, count: number): Promise<readonly Exchange[]> {
  if (pacer.isKeyStopped) return [];
  const requests = Array.from({ length: count }, () => listRequest({ route: 'new' }));
  return pacer.sendBatchWithKeyNow(step, requests);
}

/** No more after a 429. All but the first come later than a batch lasted. Returns how many were accepted. */
async function sendApart(pacer: Pacer, most: number, batchMs: number): Promise<number> {
  const exchanges: Exchange[] = [];
  while (exchanges.length < most && !pacer.isKeyStopped) {
    if (exchanges.length === 1)
      await pacer.session.wait(
        (LONGER * batchMs) / 1000,
        'the requests at the same time took longer than one',
      );
    const exchange = await pacer.sendWithKeyNow(fullBurst.steps.apart, listRequest({ route: 'new' }));
    exchanges.push(exchange);
    if (isRateLimited(exchange)) break;
  }
  return exchanges.filter(accepted).length;
}

/** Waits until the next batch lies half an interval off the first one: a limit per second, aligned to the clock, begins anew within one of them at most. */
async function waitHalfAnIntervalOff(pacer: Pacer, first: readonly Exchange[]): Promise<void> {
  const { limit, windowMs } = minuteQuota(pacer.limits);
  const interval = windowMs / limit;
  const since = pacer.session.now().mono - least(first.map(({ sent }) => sent.mono));
  const offMs = interval - ((since + interval / 2) % interval);
  await pacer.session.wait(offMs / 1000, 'the same requests come at another moment of a second');
}
