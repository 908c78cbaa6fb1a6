import { secondsText } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { accepted, exchangeName, isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf, secondsToReset } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { First429 } from '../../../../kernel/rate-limits/attribution.ts';
import { sameWithinOne } from '../../../../kernel/rate-limits/attribution.ts';
import { impossibleGain } from '../../../../kernel/rate-limits/bounds/refill.ts';
import { showsRefilled, showsUse } from '../../../../kernel/rate-limits/bounds/windows.ts';
import type { Quota } from '../../../../kernel/rate-limits/quota.ts';
import { mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import type { Transition } from '../../../../kernel/rate-limits/series.ts';
import {
  allTransitions,
  exchangesOf,
  exchangesOfTransitions,
  fallBeyondUse,
  mayCount,
  ofKey,
  readingOf,
  stepsOf,
  unaccountedGain,
} from '../../../../kernel/rate-limits/series.ts';
import { waitSeconds429 } from '../../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../../spec/plans.ts';
import { clockSkew, pacedText } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import {
  acceptedAfter,
  exhaustingUse,
  hasSeveralCounts,
  sharedUse,
  thirdUses,
  unlessAnotherClient,
} from '../../evidence/uses.ts';
import { countsOlderRequests } from '../../probes/later-windows.ts';
import type { Use } from '../../probes/recount.ts';
import { refill } from '../../probes/recovery.ts';
import { spendsDay } from '../../probes/spend-day.ts';

/** Clocks and rounding, in seconds: windows may seem this much shorter or longer. */
export const WINDOW_SLACK = 2;

export function lastsAMinute(evidence: Evidence): Judgement {
  const use = evidence.fact(exhaustingUse);
  const limited = use?.limited;
  if (use === undefined || limited === undefined)
    return inconclusive(evidence.lacking('No 429 response was received.', 'exhaust-quota'));
  const { exchange } = limited;
  const changes = changesAfter(evidence, exchange);
  const contradicted =
    announcedEarly(evidence, changes) ??
    endsLate(evidence, use, limited) ??
    neverEnds(evidence) ??
    refillsTooFast(evidence, changes);
  if (contradicted !== undefined) return contradicted;
  const after = acceptedAfter(evidence, exchange);
  if (after === undefined)
    return inconclusive(evidence.lacking('No request was accepted after the 429.', 'recovery'), [exchange]);
  const waited = after.sent.mono - exchange.received.mono;
  return pass(
    `The key was accepted again ${secondsText(waited)} after the 429, and no response shows a window shorter or longer than ${evidence.limits.minuteSeconds} s.`,
    [exchange, after],
  );
}

/** What Remaining shows from this 429 on; a 429 of another limit shows nothing of it. */
function changesAfter(evidence: Evidence, limited: Exchange): readonly Transition[] {
  const sent = mayCount(evidence.exchanges).filter((exchange) => !spendsDay(exchange));
  const from = sent.filter((one) => one === limited || one.sent.mono > limited.received.mono);
  const own = hasSeveralCounts(evidence)
    ? from
    : from.filter((one) => !isOfAnotherLimit(one, sent, evidence.quota));
  return allTransitions(stepsOf(own), evidence.limits.perMinute);
}

/** Whether a 429 shows less left than was used between two accepted requests that belong to one count. */
function isOfAnotherLimit(limited: Exchange, sent: readonly Exchange[], quota: Quota): boolean {
  if (!isRateLimited(limited)) return false;
  const last = sent.findLast((one) => accepted(one) && one.received.mono <= limited.sent.mono);
  const next = sent.find((one) => accepted(one) && one.sent.mono >= limited.received.mono);
  const [before, shown, after] = [last, limited, next].map((one) => one && readingOf(one));
  if (before === undefined || shown === undefined || after === undefined) return false;
  if (shown.limit !== before.limit || after.limit !== before.limit) return false;
  // What was under way together with the accepted request may have been counted after it.
  const requests = sent.filter(
    (one) =>
      one !== last && one.received.mono > before.exchange.sent.mono && one.sent.mono <= limited.received.mono,
  ).length;
  const back = mostRefill(quota, after.exchange.received.mono - before.exchange.sent.mono);
  return (
    before.remaining - shown.remaining - requests >= LANDING && after.remaining <= before.remaining + back
  );
}

/** Remaining must rise by this much more than was used to show a new window. */
const LANDING = 3;

type Landing = ReturnType<typeof landingOf>[number];

/** A change after which the quota is full again, as Reset announced before; none where it is no such change. */
function landingOf(change: Transition, { perMinute }: Limits) {
  const { exchange } = change.from;
  const { reset } = rateHeadersOf(exchange);
  const ahead = secondsToReset(exchange);
  const full = showsRefilled(change.to, perMinute) && unaccountedGain(change) >= LANDING;
  if (reset === undefined || ahead === undefined || !full) return [];
  // The earliest moment that Reset can mean, with every rounding, on our monotonic clock.
  return [{ change, reset, earliest: exchange.sent.mono + (ahead - WINDOW_SLACK) * 1000 }];
}

/** Whether Remaining falls by more than was sent: a full quota before that may have been that of another count. */
const fallsBack = (change: Transition): boolean =>
  fallBeyondUse(change) >= LANDING && !isRateLimited(change.to.exchange);

/** In Unix seconds, with a second to either side. What only a 429 announces may be the end of a penalty. */
function endsOfWindows(evidence: Evidence): ReadonlySet<number> {
  const ends = evidence
    .by('key')
    .filter(accepted)
    .flatMap((exchange) => rateHeadersOf(exchange).reset ?? []);
  return new Set(ends.flatMap((end) => [end - 1, end, end + 1]));
}

/** Two ends closer together than a window, each with a full quota. A bucket that refills in portions announces each, too. */
function announcedEarly(evidence: Evidence, changes: readonly Transition[]): Judgement | undefined {
  const { limits, quota } = evidence;
  if (changes.some(fallsBack)) return undefined;
  const landings = changes
    .flatMap((change) => landingOf(change, limits))
    .filter(
      ({ change, reset }) => !isRateLimited(change.from.exchange) || evidence.fact(endsOfWindows).has(reset),
    );
  for (const [i, second] of landings.entries()) {
    const inARow = threeTooEarly(landings.slice(Math.max(0, i - 2), i + 1), evidence);
    if (inARow !== undefined) return inARow;
    const first = landings[i - 1];
    if (first === undefined) continue;
    const apart = second.reset - first.reset;
    if (apart <= 0 || apart >= limits.minuteSeconds - WINDOW_SLACK) continue;
    const { from, to } = first.change;
    const again = second.change.to;
    const since = again.exchange.received.mono - first.earliest;
    const flows = mostRefill(quota, Math.max(since, second.change.atMostMs)) + LANDING;
    if (to.exchange.received.mono < first.earliest || unaccountedGain(second.change) <= flows) continue;
    return fail({
      expected: `a window of ${limits.minuteSeconds} s`,
      received: `two Resets ${apart} s apart with a full quota at both: Remaining ${to.remaining} in ${exchangeName(to.exchange)} and ${again.remaining} in ${exchangeName(again.exchange)}`,
      exchanges: [from.exchange, to.exchange, again.exchange],
    });
  }
  return undefined;
}

/**
 * Three windows in a row, each shorter by less than clocks and rounding hide at one end: BOUNDS.md, "Three windows in
 * a row".
 */
function threeTooEarly(landings: readonly Landing[], evidence: Evidence): Judgement | undefined {
  const [first, second, third] = landings;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const { limits, quota } = evidence;
  const last = third.change.to.exchange;
  const gains = landings.reduce((sum, { change }) => sum + unaccountedGain(change), 0);
  const allowed = quota.limit + mostRefill(quota, last.received.mono - first.earliest);
  if (first.change.to.exchange.received.mono < first.earliest || gains <= allowed) return undefined;
  if (hasSeveralCounts(evidence)) return undefined;
  return fail({
    expected: `a window of ${limits.minuteSeconds} s, so that at most ${allowed} requests come back from one Reset to the second one after it`,
    received: `${gains}, with a full quota at three Resets in ${third.reset - first.reset} s: ${landings.map(({ change }) => exchangeName(change.to.exchange)).join(', ')}`,
    exchanges: landings.map(({ change }) => change.to.exchange),
  });
}

/** More came back in short pauses than flows back in that time, even if one refill came at once. */
function refillsTooFast(evidence: Evidence, changes: readonly Transition[]): Judgement | undefined {
  const { limits, quota } = evidence;
  const start = evidence.fact(exhaustingUse)?.series[0]?.sent ?? 0;
  const found = impossibleGain(changes, quota, start + quota.windowMs);
  const [first] = found?.changes ?? [];
  const last = found?.changes.at(-1);
  if (found === undefined || first === undefined || last === undefined) return undefined;
  if (hasSeveralCounts(evidence))
    return inconclusive(
      'Remaining is not one count (see RATE-7, LIMIT-6), so a rise of it shows no refill.',
      exchangesOfTransitions(found.changes),
    );
  const span = last.to.exchange.received.mono - first.from.exchange.sent.mono;
  return fail({
    expected: `a refill of at most ${quota.limit} requests in ${limits.minuteSeconds} s`,
    received: `${found.unexplained} more than that between ${exchangeName(first.from.exchange)} and ${exchangeName(last.to.exchange)} (${secondsText(span)})`,
    exchanges: exchangesOfTransitions(found.changes),
  });
}

/** On accepted requests, and again on the 429. Use before the run may be one of the day, which then looks the same. */
function endsLate(evidence: Evidence, { series }: Use, first429: First429): Judgement | undefined {
  const { limits } = evidence;
  const { exchange: limited } = first429;
  const rounding = 1 + WINDOW_SLACK;
  const waits = waitSeconds429(limited) ?? 0;
  if (waits <= limits.minuteSeconds + rounding) return undefined;
  const lasting = evidence.fact(lastsLonger);
  if (lasting !== undefined) return stillTheSame(evidence, lasting);
  const first = evidence.by('key').find(accepted);
  if (first !== undefined && showsUse(readingOf(first), limits.perMinute))
    return waitsLonger(evidence, first429, waits);
  // A bucket that refills in pieces, and a counter, may be full again only then: BOUNDS.md, "A window that is longer".
  const longest = 2 * limits.minuteSeconds + rounding;
  const announcing = exchangesOf(series).find(
    (exchange) =>
      accepted(exchange) &&
      readingOf(exchange)?.limit === limits.perMinute &&
      (secondsToReset(exchange) ?? 0) > longest + 3,
  );
  if (announcing === undefined || waits <= longest) return waitsLonger(evidence, first429, waits);
  return fail({
    expected: `a window of ${limits.minuteSeconds} s`,
    received: `a Reset beyond that in ${exchangeName(announcing)}, and a wait of ${waits} s on the 429 in ${exchangeName(limited)}`,
    exchanges: [announcing, limited],
  });
}

/** What the run shows of a quota after it was used, a window later. */
function windowLater(evidence: Evidence): Transition | undefined {
  const [later] = evidence.step('refill', refill.steps.windowLater);
  const changes = allTransitions(stepsOf(ofKey(evidence.of('refill'))), evidence.limits.perMinute);
  const change = changes.find(({ to }) => to.exchange === later);
  return later !== undefined && accepted(later) ? change : undefined;
}

/** Reset and Date are each rounded, and Remaining is, too. */
const [SAME_SECONDS, ROUNDED_REQUESTS] = [1, 1];

/** Nothing came back in a whole window, and the Reset from before lies ahead: BOUNDS.md, "A window that is longer". */
export function lastsLonger(evidence: Evidence): Transition | undefined {
  const change = windowLater(evidence);
  if (change === undefined || change.atLeastMs < evidence.limits.minuteSeconds * 1000) return undefined;
  const [before, after] = [change.from, change.to].map(({ exchange }) => rateHeadersOf(exchange).reset);
  const ahead = secondsToReset(change.to.exchange) ?? 0;
  const isSame = before !== undefined && after !== undefined && Math.abs(after - before) <= SAME_SECONDS;
  const isAhead = ahead > WINDOW_SLACK + evidence.fact(clockSkew);
  return isSame && isAhead && unaccountedGain(change) <= ROUNDED_REQUESTS ? change : undefined;
}

const stillTheSame = (evidence: Evidence, { from, to, atLeastMs }: Transition): Judgement =>
  fail({
    expected: `a window of ${evidence.limits.minuteSeconds} s`,
    received: `Remaining ${from.remaining} in ${exchangeName(from.exchange)} and ${to.remaining} in ${exchangeName(to.exchange)}, ${secondsText(atLeastMs)} later, under the same Reset`,
    exchanges: [from.exchange, to.exchange],
  });

/** It may be a penalty if the window that follows is no longer than the plan's, or the target keeps the rate of the plan. */
function waitsLonger(evidence: Evidence, { exchange: limited, before }: First429, waits: number): Judgement {
  const turned = before.length < evidence.limits.perMinute ? undefined : fullAgain(evidence);
  const paced = pacedText(evidence);
  if (turned === undefined && paced === undefined)
    return inconclusive(
      `The 429 announces a wait of ${waits} s, longer than the window, so a day, a ban or a penalty may be the reason.`,
      [limited],
    );
  return warn({
    expected: `a wait of at most the window of ${evidence.limits.minuteSeconds} s on a 429`,
    received: `a wait of ${waits} s in ${exchangeName(limited)}`,
    reasoning:
      turned === undefined
        ? `The wait is longer than the limit of the plan needs. ${paced}`
        : `It may be a penalty, which the specification does not mention. The window itself is not longer than that of the plan: the quota that was used was available again in ${exchangeName(turned.to.exchange)}, ${secondsText(turned.atLeastMs)} later.`,
    exchanges: [limited, ...exchangesOfTransitions(turned === undefined ? [] : [turned])],
  });
}

/** Where the used quota of a window was back after it, as fast as the plan says, without a 429. */
function fullAgain(evidence: Evidence): Transition | undefined {
  const { perMinute, minuteSeconds } = evidence.limits;
  const change = windowLater(evidence);
  if (change === undefined) return undefined;
  // The wait may be a second longer than the window, and clocks differ.
  const longestMs = change.atMostMs - (1 + WINDOW_SLACK) * 1000;
  const back = unaccountedGain(change);
  const full = showsRefilled(change.to, perMinute) && back >= LANDING;
  return full && back * minuteSeconds * 1000 >= perMinute * longestMs ? change : undefined;
}

/** Windows in a row that must show the same: then another client of the key is no explanation. */
const WINDOWS_ALIKE = 2;

/** A 429 for requests of which some are older than a window, although the others leave quota in every conforming limiter. */
function neverEnds(evidence: Evidence): Judgement | undefined {
  const { limits } = evidence;
  const windows = thirdUses(evidence);
  const found = windows.flatMap(
    ({ series }) => countsOlderRequests(series, evidence.exchanges, limits) ?? [],
  );
  const [first, ...again] = found;
  if (first === undefined) return undefined;
  const { exchange, before } = first;
  const since = exchange.sent.mono - limits.minuteSeconds * 1000;
  const recent = before.filter(({ sent }) => sent.mono >= since).length;
  const adverse = fail({
    expected: `a request not to count when it is older than the window of ${limits.minuteSeconds} s`,
    received: `429 in ${exchangeName(exchange)} after ${recent} requests in the last ${limits.minuteSeconds} s and ${before.length - recent} before that`,
    exchanges: [...before.slice(0, 1), exchange],
  });
  const alike =
    evidence.finished &&
    found.length === windows.length &&
    windows.length >= WINDOWS_ALIKE &&
    again.every((one) => sameWithinOne([one.before.length, before.length]));
  if (!alike || evidence.fact(sharedUse) !== undefined)
    return unlessAnotherClient(evidence, adverse, 'Another client may be using this key.');
  const ends = again.map((one) => exchangeName(one.exchange)).join(' and ');
  return { ...furtherReasoned(adverse, `The same happened in each repetition: ${ends}.`), shows: [exchange] };
}
