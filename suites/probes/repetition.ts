import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import {
  answeredBefore429,
  first429Of,
  readingThatCovers,
  sameWithinOne,
} from '../../rate-limits/attribution/early-429.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { ofKey } from '../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import { showsUntouched } from '../../rate-limits/untouched.ts';
import { waitScale } from '../../rate-limits/wait-scale.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { list } from './bodies.ts';
import { EXHAUST_STEPS, sendPastLimit } from './exhaust-quota.ts';
import { BASELINE, BASELINE_AFTER_IDLE, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe } from './probe.ts';
import { nothing } from './probe.ts';
import { recover } from './recovery.ts';

/** How often a doubtful refusal is looked for again if two rounds in a row end alike, and at the most. */
export const ROUNDS = 2;
export const MOST_ROUNDS = 4;

/**
 * Only where the key was refused too early, or again after its Retry-After:
 * another client that uses the key at the same moment does that to a target that
 * conforms, too. What is the target's own doing happens again, in the same way,
 * from a limit that was left alone; it costs a conforming target nothing.
 */
export const repetition: Probe = {
  id: 'repetition',
  asks: 'the end of the limit again, where the key was refused although it should not have been',
  cost: () => nothing,
  async run(pacer, inputs) {
    // Where no other client uses the key, once is enough.
    if (inputs.exclusiveKey) return;
    const ends: End[] = [];
    while (ends.length < MOST_ROUNDS && !endAlike(ends)) {
      const why = doubts(ofKey(pacer.session.exchanges), pacer.limits);
      if (why.length === 0 || !(await startAgain(pacer, why))) return;
      await sendPastLimit(pacer);
      if (why.includes(IN_VAIN)) await recover(pacer);
      ends.push(endOf(ofKey(pacer.session.exchanges), pacer.limits));
    }
  },
};

/** After how many requests a round was refused, and how many were promised then: both 0 where it was not too early. */
interface End {
  readonly answered: number;
  readonly promised: number;
}

function endOf(keyed: readonly Exchange[], limits: Limits): End {
  const series = seriesOf(keyed, limits).findLast(usesUp);
  const limited = series === undefined ? undefined : first429Of(series);
  if (series === undefined || limited === undefined || !tooEarly(series, limits))
    return { answered: 0, promised: 0 };
  const { answered } = answeredBefore429(series, limited, minuteQuota(limits));
  return { answered, promised: readingThatCovers(series, limited.step, limits)?.remaining ?? 0 };
}

function endAlike(ends: readonly End[]): boolean {
  const [last, before] = [ends.at(-1), ends.at(-ROUNDS)];
  if (last === undefined || before === undefined) return false;
  return sameWithinOne(last.answered, before.answered) && sameWithinOne(last.promised, before.promised);
}

/** What the last refusal would be held against the target for. */
const UNKNOWN = 'the key was refused as if it were not known';
const EARLY = 'the key was refused before its limit was used up';
const IN_VAIN = 'the key was refused although it had waited as it was told';

function doubts(keyed: readonly Exchange[], limits: Limits): readonly string[] {
  const series = seriesOf(keyed, limits).findLast(usesUp);
  return [
    ...(endedAsUnknown(keyed) ? [UNKNOWN] : []),
    ...(series !== undefined && tooEarly(series, limits) ? [EARLY] : []),
    ...(series !== undefined && inVain(keyed, series) ? [IN_VAIN] : []),
  ];
}

/**
 * A key that has rested for a window is mostly as good as new, and says so; else
 * it rests for two, as sliding counters need, and as it takes to notice whoever
 * has the key banned between two requests. False where the key is not accepted
 * even then: nothing can be told from a repetition.
 */
async function startAgain(pacer: Pacer, why: readonly string[]): Promise<boolean> {
  pacer.forgive();
  if (pacer.givenUp !== undefined) return false;
  const because = `${why.join(', and ')}; another client of the key can cause that, so it is tried again`;
  if (why.every((one) => one === EARLY)) {
    await pacer.idle(1, because);
    const armed = await pacer.keyed(BASELINE, list());
    if (armed !== undefined && accepted(armed) && showsUntouched(readingOf(armed), pacer.limits.perMinute))
      return true;
  }
  await sendBaselineAfterIdle(pacer, because);
  // A key that is never accepted again shows so only over several windows.
  if (lastArmed(pacer)?.outcome.kind === 'answer' && !isAccepted(pacer) && why.includes(IN_VAIN))
    await sendBaselineAfterIdle(pacer, `${IN_VAIN}, and after two idle windows, too`);
  return pacer.givenUp === undefined && isAccepted(pacer);
}

const lastArmed = (pacer: Pacer): Exchange | undefined =>
  pacer.session.exchanges.findLast((exchange) => exchange.step === BASELINE_AFTER_IDLE);

function isAccepted(pacer: Pacer): boolean {
  const last = lastArmed(pacer);
  return last !== undefined && accepted(last);
}

const usesUpLimit = ({ step }: Exchange): boolean =>
  step === EXHAUST_STEPS.one || step === EXHAUST_STEPS.many;

/** Whether this is a stretch in which the limit was used up, and not only a retry after one. */
const usesUp = (series: Series): boolean => series.some(({ exchanges }) => exchanges.some(usesUpLimit));

/** Whether the last request that used the limit up was answered 401 or 403, as a ban is, and not 429. */
function endedAsUnknown(keyed: readonly Exchange[]): boolean {
  const last = keyed.findLast(usesUpLimit);
  return last !== undefined && isKeyRejected(last);
}

function tooEarly(series: Series, limits: Limits): boolean {
  const limited = first429Of(series);
  if (limited === undefined || waitScale(limited.exchange, limits) !== 'window') return false;
  const { answered, expected } = answeredBefore429(series, limited, minuteQuota(limits));
  return answered < expected || readingThatCovers(series, limited.step, limits) !== undefined;
}

/** Whether the key was refused again although it had waited as it was told, twice, or was not known any more. */
function inVain(keyed: readonly Exchange[], series: Series): boolean {
  const limited = first429Of(series)?.exchange;
  if (limited === undefined) return false;
  const [first, second] = keyed.filter((exchange) => exchange.sent.mono >= limited.received.mono);
  if (first === undefined) return false;
  return isKeyRejected(first) || (isRateLimited(first) && second !== undefined && isRateLimited(second));
}
