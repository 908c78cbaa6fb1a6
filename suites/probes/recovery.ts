import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { dateHeaderSeconds } from '../../exchanges/http-date.ts';
import { accepted } from '../../exchanges/outcome-kinds.ts';
import { readRateHeaders } from '../../exchanges/rate-headers.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { showsRefilled } from '../../rate-limits/untouched.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { list } from './bodies.ts';
import { BASELINE, BASELINE_AFTER_IDLE } from './preflight.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';

/** The first request after Retry-After has passed, and one more if that is refused: servers round down. */
export const recovery: Probe = {
  id: 'recovery',
  asks: 'one list when Retry-After has passed',
  cost: () => ({ ...nothing, keyed: 1 }),
  run: recover,
};

/** Asks when Retry-After has passed, and once more where that was refused. */
export async function recover(pacer: Pacer): Promise<void> {
  if (!pacer.isRateLimited) return;
  const first = await pacer.keyed('after Retry-After', list());
  if (first === undefined || statusOf(first) !== 429) return;
  await pacer.keyed('after the second Retry-After', list());
}

/** Windows may begin this much earlier than announced without that proving anything, in seconds. */
const EARLY_SLACK_SECONDS = 3;

/** Used between two refills of a bucket, so that the second one shows although it flows meanwhile. */
const USED_BETWEEN_REFILLS = 12;

/** Seconds and requests by which clocks and rounding may hide what came back at the end of a window. */
const WINDOW_SPARE = 4;
const USED_SPARE = 6;

/** Requests under way at the same time while a part of the limit is used. */
const CONNECTIONS = 16;

/** What a bucket gives back in this many request intervals is waited for, this often: one refill may come in one piece. */
const BUCKET_INTERVALS = 4;
const BUCKET_ROUNDS = 3;

/** What is asked where the wait was longer than the window. */
export const WINDOW_LATER = 'a window after it was used';

/** A second for Reset, which may be rounded up. */
const RESET_SECOND = 1;

/**
 * Only where the key recovered well before a whole window, or well after it: a
 * window that is shorter than the plan's, or a bucket that fills faster, shows
 * in what is left after further waits; and a penalty is told from a window that
 * is too long by a use of the next window that nobody refuses.
 */
export const refill: Probe = {
  id: 'refill',
  asks: 'how fast the limit comes back, if it came back early or late',
  cost: () => nothing,
  async run(pacer) {
    if (recoveredLate(pacer)) return wholeWindow(pacer);
    const recovered = earlyRecovery(pacer);
    if (recovered === undefined) return;
    if (showsRefilled(readingOf(recovered), pacer.limits.perMinute)) await nextWindow(pacer, recovered);
    else await nextTokens(pacer);
  },
};

function earlyRecovery(pacer: Pacer): Exchange | undefined {
  const keyed = pacer.session.exchanges.filter((exchange) => exchange.caller === 'key');
  const armed = keyed.findLast(
    (exchange) => exchange.step === BASELINE || exchange.step === BASELINE_AFTER_IDLE,
  );
  const last = keyed.at(-1);
  if (armed === undefined || last === undefined || last.probe !== recovery.id || !accepted(last))
    return undefined;
  const passed = (last.received.mono - armed.sent.mono) / 1000;
  const reading = readingOf(last);
  const early = passed < pacer.limits.minuteSeconds - EARLY_SLACK_SECONDS;
  return early && reading?.limit === pacer.limits.perMinute ? last : undefined;
}

/** The target asked for more than a window, was obeyed, and is as good as untouched. */
function recoveredLate(pacer: Pacer): boolean {
  const keyed = pacer.session.exchanges.filter((exchange) => exchange.caller === 'key');
  const last = keyed.at(-1);
  const limited = keyed.findLast((exchange) => statusOf(exchange) === 429);
  if (last === undefined || limited === undefined || last.probe !== recovery.id) return false;
  const { minuteSeconds, perMinute } = pacer.limits;
  const late = last.sent.mono - limited.received.mono > (minuteSeconds + EARLY_SLACK_SECONDS) * 1000;
  return late && accepted(last) && showsRefilled(readingOf(last), perMinute);
}

/** Uses the whole limit but for one request, and looks a window later: a longer window gives back less by then. */
async function wholeWindow(pacer: Pacer): Promise<void> {
  await use(pacer, pacer.limits.perMinute - 2);
  await pacer.session.rest(
    pacer.limits.minuteSeconds + RESET_SECOND,
    'the 429 asked for more than a window, so the window itself is looked at',
  );
  await pacer.urgent(WINDOW_LATER, list());
}

/** Worth waiting for only if the target itself announces the next window earlier than a whole one from now. */
async function nextWindow(pacer: Pacer, recovered: Exchange): Promise<void> {
  const answer = answerOf(recovered);
  const reset = answer === undefined ? undefined : readRateHeaders(answer.headers).reset;
  const date = answer === undefined ? undefined : dateHeaderSeconds(answer);
  if (reset === undefined || date === undefined) return;
  const seconds = reset - date;
  if (seconds <= 0 || seconds > pacer.limits.minuteSeconds - EARLY_SLACK_SECONDS) return;
  // More than a bucket gives back until then: only a window begins anew with more.
  const flows = (pacer.limits.perMinute * (seconds + WINDOW_SPARE)) / pacer.limits.minuteSeconds;
  await use(pacer, Math.ceil(flows) + USED_SPARE);
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
    if (showsRefilled(readingOf(exchange), pacer.limits.perMinute)) await use(pacer, USED_BETWEEN_REFILLS);
  }
}

/** Uses a part of the limit; the last request goes out alone, so that its answer shows what is left. */
async function use(pacer: Pacer, most: number): Promise<void> {
  const step = 'used between two refills';
  for (let left = Math.min(most, pacer.limits.perMinute - 2); left > 1; ) {
    const together = Math.min(CONNECTIONS, left - 1);
    const questions = Array.from({ length: together }, (_, i) => list({ route: `lane-${i + 1}` }));
    const exchanges = await pacer.burst(step, questions);
    if (exchanges.some((exchange) => statusOf(exchange) === 429)) return;
    left -= together;
  }
  await pacer.urgent(step, list());
}
