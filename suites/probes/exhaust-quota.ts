import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { accepted, isRateLimited, unavailable } from '../../exchanges/outcome-kinds.ts';
import { secondsToReset } from '../../exchanges/rate-headers.ts';
import { overrunOf } from '../../rate-limits/bounds/overrun.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { ofKey } from '../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { create, list } from './bodies.ts';
import { namer } from './names.ts';
import { BASELINE, BASELINE_AFTER_IDLE, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import { nothing } from './probe.ts';

/** Requests sent one by one at the end, so that exactly one exceeds the limit; of a small limit a third. */
const TAIL = 7;
const tailOf = (perMinute: number): number => Math.min(TAIL, Math.floor(perMinute / 3));

/** Requests under way at the same time while most of a large limit is used up. */
const CONNECTIONS = 32;

/** Requests sent one by one before the end of the limit is asked for at once. */
const PATIENCE = 3 * TAIL;

/** Up to this share of a window may have passed since the first request when the drain begins. */
const LATE = 1 / 3;

/**
 * The part of a window for which the key rests when its limit is nearly used
 * up: counters that are forgotten long before the end that they announce are
 * whole again by then. It costs a window nothing, since its end stays where it
 * is, and a bucket the few requests that flow back.
 */
const BREATH = 1 / 24;

/** Where this many times the limit was sent, what the target says is left is no word about its end. */
const MANY_MORE = 1.5;

/** Requests before the drain that may not count against the limit: those that are refused as invalid. */
const UNCOUNTED = 60;

/** The drain's own steps. */
export const EXHAUST_STEPS = {
  many: 'many at the same time',
  one: 'one by one',
  mixed: 'before the drain',
  aside: 'without a key, between answers that did not come',
} as const;

/**
 * Uses up what is left of the minute and sends one request more: the one that
 * must be refused. Large parts go out side by side, the end one by one over
 * new connections; it stops at the first refusal, at the first answer that is
 * neither success nor 429, and as soon as the limit is proven not to hold.
 */
export const exhaustQuota: Probe = {
  id: 'exhaust-quota',
  asks: 'what is left of the limit, and one request more',
  cost({ limits: { perMinute } }, before) {
    const packed = fits(before.keyed, perMinute);
    return { ...nothing, keyed: perMinute - (packed ? before.keyed : 0) + 1, leaves: packed ? 0 : 1 };
  },
  async run(pacer, inputs) {
    if (pacer.givenUp !== undefined || pacer.isRateLimited) return;
    if (!stillFresh(pacer)) await startOver(pacer, inputs);
    if (pacer.givenUp !== undefined) return;
    await sendPastLimitWithRests(pacer);
  },
};

/** Sends what is left of the limit and one request more, from an arming request in this very window. */
export async function sendPastLimit(pacer: Pacer): Promise<void> {
  while (await once(pacer, 0));
}

/** The same with a rest before the end, and with another if the limit was whole again after it: a window may begin anew once at any moment. */
async function sendPastLimitWithRests(pacer: Pacer): Promise<void> {
  const { perMinute, minuteSeconds } = pacer.limits;
  let begun = 0;
  let rested = false;
  do {
    const current = currentSeries(pacer);
    if (rested && (leftByTarget(current, perMinute) ?? 0) > perMinute / 2) {
      begun = current.length - 1;
      rested = false;
    }
    if (!rested && nearlyUsedUp(current.slice(begun), pacer.limits)) {
      rested = true;
      await pacer.session.rest(
        BREATH * minuteSeconds,
        'what is left after a pause shows whether the limit is kept for as long as it says',
      );
    }
  } while (await once(pacer, begun));
}

/**
 * Whether few are left and the end is far, by the target's own word. Only after
 * a request that went out alone, so that what comes back is no doing of
 * requests sent at the same time; and not where more was promised than the limit.
 */
function nearlyUsedUp(current: readonly Exchange[], { perMinute, minuteSeconds }: Limits): boolean {
  const last = current.at(-1);
  const told = leftByTarget(current, perMinute) ?? 0;
  const answer = last === undefined ? undefined : answerOf(last);
  if (last?.step !== EXHAUST_STEPS.one || answer === undefined || current.length > MANY_MORE * perMinute)
    return false;
  const end = secondsToReset(answer) ?? 0;
  return told > 0 && told <= tailOf(perMinute) && end > 2 * BREATH * minuteSeconds;
}

/** Whether what was sent before the drain leaves room for its end in the same window. */
const fits = (before: number, perMinute: number): boolean => before + tailOf(perMinute) <= perMinute;

async function startOver(pacer: Pacer, inputs: RunInputs): Promise<void> {
  await sendBaselineAfterIdle(pacer, 'the limit must be untouched before it is used up');
  // A change of method early on shows counters that are kept for each operation.
  if (pacer.limits.perMinute > TAIL) {
    await pacer.keyed(EXHAUST_STEPS.mixed, list());
    await pacer.keyed(EXHAUST_STEPS.mixed, create({ name: namer(pacer, inputs)('exhaust-quota') }));
  }
}

/** Whether the use of the limit can be counted from an arming request in this very window. */
function stillFresh(pacer: Pacer): boolean {
  const { limits } = pacer;
  const current = currentSeries(pacer);
  const first = current[0];
  if (first === undefined || (first.step !== BASELINE && first.step !== BASELINE_AFTER_IDLE)) return false;
  const passed = pacer.session.now().mono - first.sent.mono;
  return fits(current.length, limits.perMinute) && passed < LATE * minuteQuota(limits).windowMs;
}

function currentSeries(pacer: Pacer): readonly Exchange[] {
  return (seriesOf(ofKey(pacer.session.exchanges), pacer.limits).at(-1) ?? []).flatMap(
    (step) => step.exchanges,
  );
}

/** Sends the next request or block of a use that began with the request at `begun`; false when the drain is over. */
async function once(pacer: Pacer, begun: number): Promise<boolean> {
  const current = currentSeries(pacer);
  const stop = whyStop(pacer, current);
  if (stop !== undefined) {
    pacer.session.note(stop);
    return false;
  }
  const block = blockSize(current.slice(begun), pacer.limits);
  if (block < 2) {
    const exchange = await pacer.urgent(EXHAUST_STEPS.one, list({ route: 'new' }));
    return goesOn(pacer, [told(exchange) ? exchange : await again(pacer)]);
  }
  const questions = Array.from({ length: block }, (_, i) => list({ route: `lane-${i + 1}` }));
  const exchanges = await pacer.burst(EXHAUST_STEPS.many, questions);
  return goesOn(pacer, exchanges.filter(told));
}

/** Whether all of these were accepted; what is neither that nor a 429 is told, because nothing about a 429 will be seen then. */
function goesOn(pacer: Pacer, exchanges: readonly Exchange[]): boolean {
  const odd = exchanges.find((exchange) => !accepted(exchange) && !isRateLimited(exchange));
  if (odd !== undefined) {
    const how = statusOf(odd) === undefined ? 'got no answer' : `was answered ${statusOf(odd)}`;
    pacer.session.note(`Exchange ${odd.n} ${how}, neither success nor 429, so no more were sent.`);
  }
  return exchanges.every(accepted);
}

/** Whether the target told anything: neither was the answer lost, nor was nobody there to give one. */
const told = (exchange: Exchange): boolean => statusOf(exchange) !== undefined && !unavailable(exchange);

/**
 * One or two lost answers may be the network's doing; three in a row are the
 * target's, when somebody without a key is answered between them.
 */
async function again(pacer: Pacer): Promise<Exchange> {
  const second = await pacer.urgent(EXHAUST_STEPS.one, list({ route: 'new' }));
  if (told(second)) return second;
  await pacer.aside(EXHAUST_STEPS.aside, list({ credential: { kind: 'none' }, route: 'new' }));
  return pacer.urgent(EXHAUST_STEPS.one, list({ route: 'new' }));
}

/**
 * As many at once as leave the tail. A bucket may give back as fast as requests
 * come one by one: then all that is left is asked for at once, what flows back
 * on the way, and one more.
 */
function blockSize(current: readonly Exchange[], limits: Limits): number {
  const still = left(current, limits.perMinute);
  const singles = current.filter(({ step }) => step === EXHAUST_STEPS.one).length;
  const keepsUp = singles >= PATIENCE || current.length >= limits.perMinute + PATIENCE;
  if (!keepsUp) return Math.min(CONNECTIONS, still - tailOf(limits.perMinute));
  const last = current.at(-1);
  const tripMs = last === undefined ? 0 : last.received.mono - last.sent.mono;
  return Math.min(
    CONNECTIONS,
    still + Math.ceil((limits.perMinute * tripMs) / minuteQuota(limits).windowMs) + 1,
  );
}

/** What may still be accepted, by our count and by what the target says, whichever is less. */
function left(current: readonly Exchange[], perMinute: number): number {
  const told = leftByTarget(current, perMinute);
  const byCount = perMinute - current.length;
  if (told === undefined) return byCount;
  return byCount > 0 ? Math.min(byCount, told) : told;
}

/** The last Remaining of the minute; undefined where the last reading describes another limit. */
function leftByTarget(current: readonly Exchange[], perMinute: number): number | undefined {
  const reading = current.map(readingOf).findLast((one) => one !== undefined);
  return reading?.limit === perMinute ? reading.remaining : undefined;
}

function whyStop(pacer: Pacer, current: readonly Exchange[]): string | undefined {
  const { limits } = pacer;
  const { windowMs } = minuteQuota(limits);
  const [series = []] = seriesOf(current, limits);
  const over = overrunOf(series, limits);
  if (over !== undefined) {
    return `${over.accepted} requests were accepted where at most ${over.allowed} may be, so no more were sent.`;
  }
  const passed = pacer.session.now().mono - (current[0]?.sent.mono ?? 0);
  const flows = Math.floor((limits.perMinute * passed) / windowMs);
  if (current.length > 2 * limits.perMinute + flows + UNCOUNTED) {
    return `${current.length} requests were sent without a refusal and without proof; no more were sent.`;
  }
  if (passed > 2 * windowMs) {
    return `The target is slower than its window: ${current.length} requests took ${Math.round(passed / 1000)} s and none was refused.`;
  }
  return undefined;
}
