import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { announcedWaitSeconds } from '../../../kernel/exchanges/rate-headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { LONGEST_WAIT_WINDOWS } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { categoryNamer, createRequest, listRequest } from './category-requests.ts';
import type { Probe, RunInputs } from './probe.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';

/** How often each operation is sent beyond the limit, each time followed by a list. */
const ROUNDS = 5;

/** The specification allows a ban and says that it is temporary: one request with the key under test, then a wait as announced. */
export const ban = {
  id: 'ban',
  description:
    'every operation with the disposable key after its first 429, and a list after the announced wait',
  steps: {
    exhaustQuota: 'disposable key until its first 429',
    creation: 'one creation with the disposable key within its limit',
    persist: 'disposable key after its first 429',
    keyUnderTest: 'key under test beside the disposable key',
    afterWait: 'disposable key after the announced wait',
  },
  cost: ({ disposableKey, limits }) =>
    disposableKey
      ? {
          withOtherKeys: limits.perMinute + 1 + PERSISTENT_REQUESTS + 1,
          withKey: 1,
          categoriesCreated: limits.perMinute > 1 ? 1 : 0,
        }
      : null,
  async run(pacer, inputs) {
    // Wait now and not later: a ban may end before the key under test can be used.
    if (!(await pacer.waitForQuota())) return;
    const limited = await sendUntil429(pacer, inputs);
    if (limited === undefined) {
      pacer.session.note('The disposable key got no 429, so this run shows nothing about a ban.');
      return;
    }
    for (const request of beyondTheLimit(pacer, inputs))
      await pacer.sendOutsideQuota(ban.steps.persist, request);
    await pacer.sendWithKey(ban.steps.keyUnderTest, listRequest());
    await sendAfterWaits(pacer);
  },
} as const satisfies Probe;

const DISPOSABLE = { credential: { kind: 'bearer', caller: 'disposable' } } as const;

const withDisposableKey = (path = '/categories'): ProbeRequest => listRequest({ ...DISPOSABLE, path });

/** The operations that are sent beyond the limit besides the list. */
const OPERATIONS = ['creation', ...NAMED_OPERATIONS] as const;

/** Requests that are sent after the first 429, to see what each operation is answered, and whether the key is banned for them. */
export const PERSISTENT_REQUESTS = 2 * ROUNDS * OPERATIONS.length;

/** One operation after another, each a few times, with lists between, so that each is sent between two requests that get 429. */
function beyondTheLimit(pacer: Pacer, inputs: RunInputs): readonly ProbeRequest[] {
  const name = categoryNamer(pacer, inputs);
  return OPERATIONS.flatMap((operation) =>
    Array.from({ length: ROUNDS }, (_, round) => [
      operation === 'creation'
        ? createRequest({ name: name(`beyond-${round + 1}`) }, DISPOSABLE)
        : withDisposableKey(operation),
      withDisposableKey(),
    ]).flat(),
  );
}

/** Lists until the first 429. A creation comes second: beyond the limit it means more if one was accepted before. */
async function sendUntil429(pacer: Pacer, inputs: RunInputs): Promise<Exchange | undefined> {
  const most = 2 * pacer.limits.perMinute + 1;
  const name = categoryNamer(pacer, inputs)('within');
  for (let i = 0; i < most; i += 1) {
    const isCreation = i === 1 && pacer.limits.perMinute > 1;
    const exchange = isCreation
      ? await pacer.sendOutsideQuota(ban.steps.creation, createRequest({ name }, DISPOSABLE))
      : await pacer.sendOutsideQuota(ban.steps.exhaustQuota, withDisposableKey());
    if (isRateLimited(exchange)) return exchange;
    if (!isCreation && !accepted(exchange)) return undefined;
  }
  return undefined;
}

/** Waits as announced and sends a request; twice, because the server may round the first wait down. */
async function sendAfterWaits(pacer: Pacer): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const last = pacer.session.exchanges.findLast((exchange) => exchange.caller === 'disposable');
    const seconds = last === undefined ? undefined : announcedWaitSeconds(last);
    const longest = LONGEST_WAIT_WINDOWS * pacer.limits.minuteSeconds;
    if (seconds !== undefined && seconds > longest) {
      pacer.session.note(
        `Retry-After for the disposable key asks for ${seconds} s; this run waits for at most ${longest} s.`,
      );
      return;
    }
    await pacer.session.wait(
      Math.max(seconds ?? longest, 1),
      'the disposable key waits for the time that its 429 announced',
    );
    const exchange = await pacer.sendOutsideQuota(ban.steps.afterWait, withDisposableKey());
    if (accepted(exchange)) return;
  }
}
