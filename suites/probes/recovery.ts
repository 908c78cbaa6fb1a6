import { accepted, readingOf } from '../limits/series.ts';
import type { Exchange } from '../model/exchange.ts';
import { answerOf, dateOf, rateReading, statusOf } from '../model/headers.ts';
import type { Pacer } from '../pace/pacer.ts';
import { list } from './bodies.ts';
import { ARM, ARM_RESTED } from './first-look.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The first request after Retry-After has passed, and one more if that is refused: servers round down. */
export const recovery: Probe = {
  id: 'recovery',
  asks: 'one list when Retry-After has passed',
  cost: () => ({ ...nothing, keyed: 1 }),
  async run(pacer) {
    if (!pacer.refused) return;
    const first = await pacer.keyed('after Retry-After', list());
    if (first === undefined || statusOf(first) !== 429) return;
    await pacer.keyed('after the second Retry-After', list());
  },
};

/** Windows may begin this much earlier than announced without that proving anything, in seconds. */
const EARLY_SLACK_SECONDS = 3;

/** Used between two refills, so that the second one shows: of windows, and of buckets, which flow meanwhile. */
const USED_BETWEEN_WINDOWS = 5;
const USED_BETWEEN_REFILLS = 12;

/** What a bucket gives back in this many request intervals is waited for, this often: one refill may come in one piece. */
const BUCKET_INTERVALS = 4;
const BUCKET_ROUNDS = 3;

/**
 * Only where the key recovered well before a whole window: a window that is
 * shorter than the plan's, or a bucket that fills faster, shows in what is
 * left after further waits.
 */
export const refill: Probe = {
  id: 'refill',
  asks: 'how fast the limit comes back, if it came back early',
  cost: () => nothing,
  async run(pacer) {
    const recovered = earlyRecovery(pacer);
    if (recovered === undefined) return;
    if (landed(recovered, pacer.limits.perMinute)) await nextWindow(pacer, recovered);
    else await nextTokens(pacer);
  },
};

function earlyRecovery(pacer: Pacer): Exchange | undefined {
  const keyed = pacer.session.exchanges.filter((exchange) => exchange.caller === 'key');
  const armed = keyed.findLast((exchange) => exchange.step === ARM || exchange.step === ARM_RESTED);
  const last = keyed.at(-1);
  if (armed === undefined || last === undefined || last.probe !== recovery.id || !accepted(last))
    return undefined;
  const passed = (last.received.mono - armed.sent.mono) / 1000;
  const reading = readingOf(last);
  const early = passed < pacer.limits.minuteSeconds - EARLY_SLACK_SECONDS;
  return early && reading?.limit === pacer.limits.perMinute ? last : undefined;
}

const landed = (exchange: Exchange, perMinute: number): boolean =>
  (readingOf(exchange)?.remaining ?? 0) >= perMinute - 2;

/** Worth waiting for only if the target itself announces the next window earlier than a whole one from now. */
async function nextWindow(pacer: Pacer, recovered: Exchange): Promise<void> {
  const answer = answerOf(recovered);
  const reset = answer === undefined ? undefined : rateReading(answer.headers).reset;
  const date = answer === undefined ? undefined : dateOf(answer);
  if (reset === undefined || date === undefined) return;
  const seconds = reset - date;
  if (seconds <= 0 || seconds > pacer.limits.minuteSeconds - EARLY_SLACK_SECONDS) return;
  await use(pacer, USED_BETWEEN_WINDOWS);
  await pacer.session.rest(
    seconds + 1,
    'the target announces its next window earlier than a whole one after the last',
  );
  await pacer.urgent('in the next announced window', list());
}

async function nextTokens(pacer: Pacer): Promise<void> {
  const seconds = (BUCKET_INTERVALS * pacer.limits.minuteSeconds) / pacer.limits.perMinute;
  for (let round = 0; round < BUCKET_ROUNDS; round += 1) {
    await pacer.session.rest(seconds, 'what the limit gives back in this time shows how fast it fills');
    const exchange = await pacer.urgent('after a short pause', list());
    if (statusOf(exchange) === 429) return;
    if (landed(exchange, pacer.limits.perMinute)) await use(pacer, USED_BETWEEN_REFILLS);
  }
}

async function use(pacer: Pacer, most: number): Promise<void> {
  const count = Math.min(most, pacer.limits.perMinute - 2);
  for (let i = 0; i < count; i += 1) {
    const exchange = await pacer.urgent('used between two refills', list());
    if (statusOf(exchange) === 429) return;
  }
}
