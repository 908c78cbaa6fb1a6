import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { accepted } from '../../exchanges/outcome-kinds.ts';
import { announcedWaitSeconds } from '../../exchanges/retry-after.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { KeyedCaller } from '../wire/keyring.ts';
import { list } from './bodies.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** Requests sent after the first refusal, to see whether the key is banned for it. */
export const PERSISTENT_REQUESTS = 30;

/** The steps of the probe, in their order. */
export const BAN_STEPS = {
  exhaustQuota: 'sacrificial key until it is refused',
  persist: 'sacrificial key although it is refused',
  neighbour: 'the examined key beside a persistent one',
  lifted: 'sacrificial key after it was told to wait',
} as const;

const as = (caller: KeyedCaller) => list({ credential: { kind: 'bearer', caller } });

/**
 * Keeps sending with a key that may be lost, then looks at the examined key,
 * then waits as it was told and tries again. The specification allows a ban
 * and says that it is temporary.
 */
export const ban: Probe = {
  id: 'ban',
  asks: 'what becomes of a key that keeps sending although it is refused',
  cost: ({ disposableKey, limits }) =>
    disposableKey ? { ...nothing, others: limits.perMinute + 1 + PERSISTENT_REQUESTS + 1, keyed: 1 } : null,
  async run(pacer) {
    // Later there is no time to wait: a ban may end before the examined key could be asked.
    if (!(await pacer.room())) return;
    const limited = await until429(pacer);
    if (limited === undefined) {
      pacer.session.note('The sacrificial key was not refused, so nothing can be said of a ban.');
      return;
    }
    for (let i = 0; i < PERSISTENT_REQUESTS; i += 1) await pacer.aside(BAN_STEPS.persist, as('disposable'));
    await pacer.keyed(BAN_STEPS.neighbour, list());
    await untilLifted(pacer);
  },
};

async function until429(pacer: Pacer): Promise<Exchange | undefined> {
  const most = 2 * pacer.limits.perMinute + 1;
  for (let i = 0; i < most; i += 1) {
    const exchange = await pacer.aside(BAN_STEPS.exhaustQuota, as('disposable'));
    if (!accepted(exchange)) return statusOf(exchange) === 429 ? exchange : undefined;
  }
  return undefined;
}

/** Tries as often as the target says when: twice, because the first moment may be rounded down. */
async function untilLifted(pacer: Pacer): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const last = pacer.session.exchanges.findLast((exchange) => exchange.caller === 'disposable');
    const seconds = last === undefined ? undefined : announcedWaitSeconds(answerOf(last));
    const longest = 3 * pacer.limits.minuteSeconds;
    if (seconds !== undefined && seconds > longest) {
      pacer.session.note(
        `The sacrificial key is told to wait ${seconds} s; this run waits at most ${longest} s.`,
      );
      return;
    }
    await pacer.session.rest(Math.max(seconds ?? longest, 1), 'the sacrificial key waits as it was told');
    const exchange = await pacer.aside(BAN_STEPS.lifted, as('disposable'));
    if (accepted(exchange)) return;
  }
}
