import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { hasToWaitWithoutKey } from '../pacing/wait-without-key.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import { listRequest, unauthenticatedList } from './category-requests.ts';
import { exhaustQuota, sendPastLimit } from './exhaust-quota.ts';
import { startFromFullQuota } from './full-quota.ts';
import { preflight } from './preflight.ts';
import type { Probe } from './probe.ts';
import { oneByOneOf, tailOf } from './quota-batches.ts';
import { creationsWithin } from './quota-tail.ts';
import { recovery, sendAfterRetryAfter } from './recovery.ts';

/**
 * The order of lists with the key (.), each over a new connection, and of lists
 * with a key that differs from it by little. It has no period, so that requests
 * of another client fall where the similar keys are by chance alone, and each
 * kind of similar key comes often enough to tell the two apart.
 */
const ORDER = '....~..~....+.-.+.-..+.-.......-.+...~.+....-.+.+.~......~.-.-.~.....~...';

/** The similar keys of the order. */
const SIMILAR_KEYS: ReadonlyMap<string, InvalidCredential> = new Map([
  ['-', 'key without its last character'],
  ['+', 'key with one character more'],
  ['~', 'key with other last characters'],
]);

const steps = {
  ...preflight.steps,
  ...exhaustQuota.steps,
  ...recovery.steps,
  newConnection: 'over a new connection, between requests with a similar key',
  similarKey: 'a similar key between requests with the key',
} as const;

/**
 * The limit again, from a full quota: what is enforced once, and what differs
 * after the first window, shows now. Each request goes over a new connection.
 * Requests with a similar key between them must neither use the quota of the key
 * nor restore it. One request exceeds the limit, and one follows its Retry-After.
 */
export const secondWindow: Probe<typeof steps> = {
  id: 'second-window',
  description: 'the limit again, over new connections, between requests with a similar key',
  steps,
  cost({ thorough, limits: { perMinute } }) {
    if (!thorough) return null;
    const order = orderFor(perMinute);
    const unauthenticated = [...order].filter((kind) => SIMILAR_KEYS.has(kind)).length;
    const remaining = perMinute - 1 - (order.length - unauthenticated);
    const categoriesCreated = creationsWithin(oneByOneOf(remaining, perMinute));
    return { withKey: perMinute + 2, unauthenticated, categoriesCreated };
  },
  async run(pacer, inputs) {
    if (!isWorthwhile(pacer)) return;
    if (!(await startFromFullQuota(pacer, 'the limit is tested again in a second window'))) return;
    await sendBetweenSimilarKeys(pacer);
    await sendPastLimit(pacer, inputs);
    await sendAfterRetryAfter(pacer, inputs);
  },
};

/** Whether the first window ended in a 429: without one, a further window shows no more than the first. */
export const isWorthwhile = ({ isKeyStopped, session }: Pacer): boolean =>
  !isKeyStopped &&
  session.exchanges.some((exchange) => exchange.probe === exhaustQuota.id && isRateLimited(exchange));

/** The part of the order that leaves the end of the quota, with the request that exceeds it, to `sendPastLimit`. */
function orderFor(perMinute: number): string {
  const most = Math.max(0, perMinute - 1 - tailOf(perMinute));
  const keyed = [...ORDER].flatMap((kind, at) => (kind === '.' ? [at] : []));
  return ORDER.slice(0, keyed[most]);
}

async function sendBetweenSimilarKeys(pacer: Pacer): Promise<void> {
  for (const kind of orderFor(pacer.limits.perMinute)) {
    if (pacer.isKeyStopped) return;
    const similar = SIMILAR_KEYS.get(kind);
    if (similar !== undefined) {
      const request = unauthenticatedList(similar, { route: 'new' });
      if (!hasToWaitWithoutKey(pacer)) await pacer.sendOutsideQuota(steps.similarKey, request);
      continue;
    }
    const exchange = await pacer.sendWithKeyNow(steps.newConnection, listRequest({ route: 'new' }));
    if (isRateLimited(exchange)) return;
  }
}
