import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf } from '../../../exchanges/headers.ts';
import { accepted } from '../../../exchanges/outcome-kinds.ts';
import { readRateHeaders, secondsToReset } from '../../../exchanges/rate-headers.ts';
import { impossibleGain } from '../../../rate-limits/bounds/impossible-gain.ts';
import { minuteQuota, mostRefill } from '../../../rate-limits/quota.ts';
import { ofKey } from '../../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import { stepsOf } from '../../../rate-limits/series/series.ts';
import type { Transition } from '../../../rate-limits/series/transitions.ts';
import {
  allTransitions,
  exchangesOfTransitions,
  unaccountedGain,
} from '../../../rate-limits/series/transitions.ts';
import { showsRefilled } from '../../../rate-limits/untouched.ts';
import { waitSeconds429 } from '../../../rate-limits/wait-scale.ts';
import type { Limits } from '../../../spec/plans.ts';
import { secondsText } from '../../../words/text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, pass, warn } from '../../evidence/judgement.ts';
import { drained } from '../../evidence/uses.ts';
import { exhaustQuota } from '../../probes/exhaust-quota.ts';
import { recovery, refill } from '../../probes/recovery.ts';
import type { Use } from '../../probes/uses.ts';

/** Clocks and rounding, in seconds: windows may seem this much shorter or longer. */
export const WINDOW_SLACK = 2;

export function lastsAMinute(evidence: Evidence): Judgement {
  const use = evidence.fact(drained);
  const limited = use?.limited;
  if (use === undefined || limited === undefined)
    return inconclusive(evidence.lacking('No 429 was seen.', exhaustQuota));
  const early = refillsEarly(evidence, limited.exchange);
  if (early !== undefined) return early;
  const late = endsLate(evidence, use, limited.exchange);
  if (late !== undefined) return late;
  const after = evidence
    .by('key')
    .find((exchange) => exchange.sent.mono > limited.exchange.received.mono && accepted(exchange));
  if (after === undefined)
    return inconclusive(evidence.lacking('No request was accepted after the 429.', recovery), [
      limited.exchange,
    ]);
  const waited = after.sent.mono - limited.exchange.received.mono;
  return pass(
    `The key was accepted again ${secondsText(waited)} after the 429, and no answer showed a window shorter or longer than ${evidence.run.limits.minuteSeconds} s.`,
    [limited.exchange, after],
  );
}

function refillsEarly(evidence: Evidence, limited: Exchange): Judgement | undefined {
  const { limits } = evidence.run;
  const later = ofKey(evidence.exchanges).filter((exchange) => exchange.sent.mono > limited.received.mono);
  const changes = allTransitions(stepsOf([limited, ...later]), limits.perMinute);
  return announcedEarly(changes, limits) ?? flowsTooFast(evidence, changes);
}

/** So much more than was used must be left for a window to have begun anew. */
const LANDING = 3;

/** A change after which the limit is whole again, as announced before it. */
interface Landing {
  readonly change: Transition;
  /** Unix seconds on the target's clock. */
  readonly reset: number;
  /** The earliest moment that Reset can mean, with every rounding: milliseconds on our monotonic clock. */
  readonly earliest: number;
}

function landingOf(change: Transition, { perMinute }: Limits): readonly Landing[] {
  const { exchange } = change.from;
  const answer = answerOf(exchange);
  const reset = answer === undefined ? undefined : readRateHeaders(answer.headers).reset;
  const left = answer === undefined ? undefined : secondsToReset(answer);
  const whole = showsRefilled(change.to, perMinute) && unaccountedGain(change) >= LANDING;
  if (reset === undefined || left === undefined || !whole) return [];
  return [{ change, reset, earliest: exchange.sent.mono + (left - WINDOW_SLACK) * 1000 }];
}

/**
 * The target announces two ends of its window closer together than a window,
 * and begins anew at both. What came back at the second one must be more than
 * flows back since the first: a bucket that gives back in pieces announces
 * each of them, too.
 */
function announcedEarly(changes: readonly Transition[], limits: Limits): Judgement | undefined {
  const quota = minuteQuota(limits);
  const landings = changes.flatMap((change) => landingOf(change, limits));
  for (const [i, second] of landings.entries()) {
    const first = landings[i - 1];
    if (first === undefined) continue;
    const apart = second.reset - first.reset;
    if (apart <= 0 || apart >= limits.minuteSeconds - WINDOW_SLACK) continue;
    const { from, to } = first.change;
    const again = second.change.to;
    const since = again.exchange.received.mono - first.earliest;
    const flows = mostRefill(quota, Math.max(since, second.change.atMostMs)) + LANDING;
    if (to.exchange.received.mono < first.earliest || unaccountedGain(second.change) <= flows) continue;
    return fail(
      `Expected a window of ${limits.minuteSeconds} s, but the target announced two Resets ${apart} s apart and began anew at both: Remaining was ${to.remaining} in ${exchangeName(to.exchange)} and again ${again.remaining} in ${exchangeName(again.exchange)}.`,
      [from.exchange, to.exchange, again.exchange],
    );
  }
  return undefined;
}

/** More came back in short pauses than flows back in their time, even if one refill came in one piece. */
function flowsTooFast(evidence: Evidence, changes: readonly Transition[]): Judgement | undefined {
  const quota = minuteQuota(evidence.run.limits);
  const start = evidence.fact(drained)?.series[0]?.sent ?? 0;
  const found = impossibleGain(changes, quota, start + quota.windowMs);
  const [first] = found?.changes ?? [];
  const last = found?.changes.at(-1);
  if (found === undefined || first === undefined || last === undefined) return undefined;
  const span = last.to.exchange.received.mono - first.from.exchange.sent.mono;
  return fail(
    `Expected the limit to come back at ${quota.limit} in ${evidence.run.limits.minuteSeconds} s, but between ${exchangeName(first.from.exchange)} and ${exchangeName(last.to.exchange)} (${secondsText(span)}) ${found.unexplained} more came back than that.`,
    exchangesOfTransitions(found.changes),
  );
}

/** The target itself says on accepted requests, and again on the 429, that its window is longer. */
function endsLate(evidence: Evidence, { series }: Use, limited: Exchange): Judgement | undefined {
  const { run } = evidence;
  const longest = run.limits.minuteSeconds + 1 + WINDOW_SLACK;
  const waits = waitSeconds429(limited) ?? 0;
  if (waits <= longest) return undefined;
  const telling = series
    .flatMap(({ exchanges }) => exchanges)
    .find((exchange) => {
      const answer = answerOf(exchange);
      if (answer === undefined || !accepted(exchange) || readingOf(exchange)?.limit !== run.limits.perMinute)
        return false;
      return (secondsToReset(answer) ?? 0) > longest + 3;
    });
  if (telling === undefined) return waitsLonger(evidence, limited, waits);
  return fail(
    `Expected a window of ${run.limits.minuteSeconds} s, but ${exchangeName(telling)} announces its end later than that, and the 429 of ${exchangeName(limited)} asks for a wait of ${waits} s.`,
    [telling, limited],
  );
}

/** A wait beyond the window is a penalty if the window that follows is no longer than the plan's. */
function waitsLonger(evidence: Evidence, limited: Exchange, waits: number): Judgement {
  const text = `The 429 asks for a wait of ${waits} s, longer than the window`;
  const turned = wholeAgain(evidence);
  return turned === undefined
    ? inconclusive(`${text}; a day, a ban or a penalty may be the reason.`, [limited])
    : warn(
        `${text}: a penalty, of which the specification says nothing. The window itself is no longer than the plan’s: what was used was there again in ${exchangeName(turned.to.exchange)}, ${secondsText(turned.atLeastMs)} later.`,
        [limited, ...exchangesOfTransitions([turned])],
      );
}

/** Where all that was used of a window was back after it, as fast as the plan says, and nobody was refused. */
function wholeAgain(evidence: Evidence): Transition | undefined {
  const { perMinute, minuteSeconds } = evidence.run.limits;
  const [later] = evidence.step(refill, refill.steps.windowLater);
  const changes = allTransitions(stepsOf(ofKey(evidence.of(refill))), perMinute);
  const change = changes.find(({ to }) => to.exchange === later);
  if (change === undefined || later === undefined || !accepted(later)) return undefined;
  // A second that the wait is longer than the window, and the slack of clocks.
  const longestMs = change.atMostMs - (1 + WINDOW_SLACK) * 1000;
  const back = unaccountedGain(change);
  const whole = showsRefilled(change.to, perMinute) && back >= LANDING;
  return whole && back * minuteSeconds * 1000 >= perMinute * longestMs ? change : undefined;
}
