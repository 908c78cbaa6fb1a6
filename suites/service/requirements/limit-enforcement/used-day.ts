import { countOf, durationText, groupedNumber, secondsText } from '../../../../kernel/basics/text.ts';
import { firstFound } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isRateLimited,
  receivedText,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import { apparentWaitUnit, literalWaitSeconds } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Adverse, Judgement } from '../../../../kernel/findings/judgement.ts';
import {
  fail,
  inconclusive,
  isAdverse,
  notTested,
  pass,
  unproven,
  warn,
} from '../../../../kernel/findings/judgement.ts';
import type { Overrun } from '../../../../kernel/rate-limits/bounds/one-reset.ts';
import { beyondTwiceTheLimit } from '../../../../kernel/rate-limits/bounds/overrun.ts';
import type { DayCount } from '../../../../kernel/rate-limits/bounds/windows.ts';
import { dayCountOf } from '../../../../kernel/rate-limits/bounds/windows.ts';
import { dayQuota, longestDaySeconds, mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import { ofKey, readingOf, surelyCounts } from '../../../../kernel/rate-limits/series.ts';
import { endOfWait, retryOutcome, waitScale } from '../../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../../spec/plans.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { perhapsAnotherClient, unlessAnotherClient } from '../../evidence/uses.ts';
import { EXHAUSTED_KEY_REQUESTS } from '../../probes/other-callers.ts';
import { spendsDay } from '../../probes/spend-day.ts';
import { WINDOW_SLACK } from './window.ts';

const UNFINISHED = 'A rolling day may have given a few requests back, and too few were sent to exhaust them.';
const ROLLING = 'If the day is a rolling one, run right after its quota was exhausted.';

const NEEDS =
  'This needs a run that uses the daily quota of the key (--spend-day), or a key whose daily quota is already exhausted (--exhausted-key-env).';

/** LIMIT-9: whether the daily quota is enforced: of the key under test, where the run used it, and of an exhausted key. */
export function enforcesTheDay(evidence: Evidence): Judgement {
  const { exhaustedKey, spendDay } = evidence.run.inputs;
  const exhausted = exhaustedKey ? ofExhaustedKey(evidence) : undefined;
  if (exhausted !== undefined && isAdverse(exhausted)) return exhausted;
  return spendDay === true ? ofUsedDay(evidence) : (exhausted ?? notTested(NEEDS));
}

/** Whether a key whose daily quota is exhausted, as the user states, is rate-limited. */
function ofExhaustedKey(evidence: Evidence): Judgement {
  const sent = evidence.of('exhausted-day');
  const exchange = sent.at(-1);
  if (exchange === undefined) return inconclusive(evidence.whyNothing('exhausted-day'));
  const shown = [exchange];
  const reading = readingOf(exchange);
  const { limits } = evidence;
  if (isRateLimited(exchange)) {
    const isLonger = (literalWaitSeconds(exchange) ?? 0) > limits.minuteSeconds + WINDOW_SLACK;
    return isLonger || reading?.limit === limits.perDay
      ? pass(
          'The key with an exhausted daily quota was rate-limited, for the day by its wait or Limit.',
          shown,
        )
      : inconclusive(
          `${exchangeName(exchange)} returned 429, but nothing in it shows whether the day or the minute is the reason.`,
          shown,
        );
  }
  const fact = {
    expected: '429 for a key whose daily quota is exhausted',
    received: receivedText(exchange),
    exchanges: shown,
  };
  if (reading !== undefined && reading.limit > limits.perMinute && reading.remaining > 0)
    return unproven(
      fact,
      `Its headers have Remaining ${reading.remaining} of ${reading.limit}, so the daily quota of this key is not exhausted.`,
    );
  if (!accepted(exchange)) return unproven(fact, 'This is neither a success nor a 429.');
  return sent.length < EXHAUSTED_KEY_REQUESTS
    ? unproven(fact, UNFINISHED)
    : fail({
        ...fact,
        reasoning: `The ${sent.length - 1} requests before it were accepted, too. ${ROLLING}`,
        exchanges: sent,
      });
}

type UsedDay = ReturnType<typeof usedDayOf>;

/** How the run used the daily quota of the key, and where it ended. */
function usedDayOf(evidence: Evidence) {
  const { limits } = evidence;
  const keyed = ofKey(evidence.exchanges);
  const isLast = (exchange: Exchange, i: number): boolean =>
    spendsDay(exchange) && isAboutDay(exchange, i, limits) && isEnd(exchange, keyed.slice(i + 1), limits);
  const ends = keyed.filter(isLast);
  const [first] = ends;
  // The one that announces the latest end: another client may have caused an earlier one, about the minute.
  const limited = ends.reduce<Exchange | undefined>(laterEnd, first);
  const before = limited === undefined ? keyed : keyed.slice(0, keyed.indexOf(limited));
  return {
    limits,
    /** Every request that may count, up to `limited`. */
    before,
    counted: before.filter(surelyCounts),
    limited,
    /** The first 429 at the end of the day and the requests after it, which waited as announced. */
    last: first === undefined ? [] : keyed.slice(keyed.indexOf(first)),
  };
}

const laterEnd = (one: Exchange | undefined, other: Exchange): Exchange =>
  one !== undefined && (endOfWait(one) ?? 0) >= (endOfWait(other) ?? 0) ? one : other;

/** At an even pace no conforming limiter of the minute answers 429, but another client may cause one: its wait is short, and the day is not over. */
const isAboutDay = (exchange: Exchange, sentBefore: number, limits: Limits): boolean =>
  isRateLimited(exchange) && (sentBefore >= limits.perDay || waitScale(exchange, limits) === 'longer');

/** After the end of a day no more is accepted than a bucket gives back; after a 429 that another client caused, the run goes on. */
function isEnd(limited: Exchange, after: readonly Exchange[], limits: Limits): boolean {
  const last = after.at(-1)?.received.mono ?? limited.received.mono;
  return after.filter(accepted).length <= mostRefill(dayQuota(limits), last - limited.sent.mono);
}

const ANOTHER_CLIENT = 'Another client of the key, now or earlier in the day, would cause that, too.';

/** LIMIT-9 where the run used the daily quota of the key. */
function ofUsedDay(evidence: Evidence): Judgement {
  const day = usedDayOf(evidence);
  const all = ofKey(evidence.exchanges).filter(surelyCounts);
  const over = beyondTwiceTheLimit(all, dayQuota(day.limits));
  if (over !== undefined) return overran(day, over);
  const { limited } = day;
  if (limited === undefined) return withoutLimit(evidence, day);
  const findings = [countedProblem(evidence, day, limited), announcedProblem(evidence, day, limited)];
  const found = firstFound(['fail', 'inconclusive', 'warn'], (verdict) =>
    findings.find((one) => one?.verdict === verdict),
  );
  return found ?? enforced(evidence, day, limited);
}

const quotaText = ({ perDay }: Limits): string => groupedNumber(perDay);

const expectedEnd = ({ limits }: UsedDay): string =>
  `429 once the ${quotaText(limits)} requests of a day are used`;

/** More than two days' quotas: no other client and no day that began meanwhile explains it. */
function overran(day: UsedDay, { accepted: count, allowed, milliseconds, last }: Overrun): Judgement {
  return fail({
    expected: expectedEnd(day),
    received: `${countOf(count, 'accepted request')} in ${durationText(milliseconds / 1000)}, the last one in ${exchangeName(last)}`,
    reasoning: `Even if a new day began during the run, at most ${allowed} would be accepted.`,
    exchanges: [last],
  });
}

function withoutLimit(evidence: Evidence, { before, counted, limits }: UsedDay): Judgement {
  const last = before.at(-1);
  if (last === undefined || !spendsDay(last)) return inconclusive(evidence.whyNothing('spend-day'));
  const status = statusOf(last) ?? 0;
  const beyond = before.length > limits.perDay;
  if (beyond && status >= 400 && status < 500 && status !== 401 && status !== 429) {
    const fact = {
      expected: `429 beyond the ${quotaText(limits)} requests of a day`,
      received: `${receivedText(last)}, after ${countOf(counted.length, 'accepted request')}`,
      exchanges: [last],
    };
    return unlessAnotherClient(evidence, fail(fact), 'Another client may have caused a ban.');
  }
  return inconclusive(
    evidence.lacking(
      `No 429 about the day was received: ${countOf(counted.length, 'request')} were accepted, of ${quotaText(limits)} a day.`,
      'spend-day',
    ),
    [last],
  );
}

function countedProblem(evidence: Evidence, day: UsedDay, limited: Exchange): Judgement | undefined {
  const { limits, before, counted } = day;
  if (before.length < limits.perDay) return tooFew(evidence, day, limited);
  const count = dayCountOf(counted, limited, dayQuota(limits));
  const fact = {
    expected: expectedEnd(day),
    received: `${countOf(counted.length, 'accepted request')} before the 429 in ${exchangeName(limited)}`,
    exchanges: [limited],
  };
  if (count.kind === 'open')
    return unproven(
      fact,
      'A new day may have begun during the run, and the 429 announces nothing that shows whether it did.',
    );
  if (count.kind !== 'too many') return undefined;
  const adverse = fail({ ...fact, reasoning: whyTooMany(count, limits) });
  return showsDay(limited, limits) ? adverse : unlessAnotherClient(evidence, adverse, ABOUT_THE_MINUTE);
}

const ABOUT_THE_MINUTE =
  'Nothing in the 429 shows that it is about the day: another client may have exhausted the quota of the minute.';

/** Whether a 429 cannot be about the minute: by the wait that it announces, or by its headers. */
function showsDay(limited: Exchange, limits: Limits): boolean {
  const reading = readingOf(limited);
  const minuteIsLeft = reading?.limit === limits.perMinute && reading.remaining > 0;
  return minuteIsLeft || waitScale(limited, limits) === 'longer';
}

const whyTooMany = (
  { announced, least }: DayCount & { readonly kind: 'too many' },
  { daySeconds }: Limits,
): string =>
  `Only a day that began during these requests could explain them, and after the 429 it would last for at least ${durationText(Math.max(0, least))} more (a day has ${durationText(daySeconds)}). The 429 announces its end in ${durationText(Math.max(0, announced))}. So the daily quota is not enforced, or its end is announced wrongly.`;

/** A 429 about the day before its quota can be used. */
function tooFew(evidence: Evidence, { limits, before }: UsedDay, limited: Exchange): Judgement {
  const fact = {
    expected: `${quotaText(limits)} accepted requests in a day`,
    received: `429 after ${countOf(before.length, 'request')} in ${exchangeName(limited)}`,
    reasoning: 'The key was not used earlier in the day, as stated with --spend-day.',
    exchanges: [limited],
  };
  const used = usedEarlier(before, limits);
  if (used !== undefined)
    return unproven(
      { ...fact, exchanges: [used, limited] },
      `But ${exchangeName(used)} shows that some of the day was used before this run.`,
    );
  const wait = literalWaitSeconds(limited) ?? Number.POSITIVE_INFINITY;
  const bucket = wait <= Math.ceil(limits.daySeconds / limits.perDay) + 1;
  return unlessAnotherClient(
    evidence,
    bucket
      ? warn({
          ...fact,
          reasoning:
            'The announced wait is so short that the service may allow smaller bursts and still keep the rate per day.',
        })
      : fail(fact),
    ANOTHER_CLIENT,
  );
}

function usedEarlier(before: readonly Exchange[], { perDay, perMinute }: Limits): Exchange | undefined {
  if (perDay === perMinute) return undefined;
  return before.find((exchange, i) => {
    const reading = readingOf(exchange);
    // Requests that are under way at the same time may have been counted before it.
    return reading?.limit === perDay && reading.remaining < perDay - i - 1 - MOST_UNDER_WAY;
  });
}

const MOST_UNDER_WAY = 8;

/** Whether the wait that the 429 announces is too short or longer than a day. */
function announcedProblem(evidence: Evidence, day: UsedDay, limited: Exchange): Judgement | undefined {
  const { limits, last } = day;
  const wait = literalWaitSeconds(limited);
  if (wait === undefined || apparentWaitUnit(limited) !== undefined) return undefined;
  if (wait > longestDaySeconds(limits) + WINDOW_SLACK)
    return warn({
      expected: `a wait of at most a day (${durationText(limits.daySeconds)}) on a 429 about the day`,
      received: `Retry-After ${wait} s in ${exchangeName(limited)}`,
      exchanges: [limited],
    });
  const again = limitedAgain(last);
  return again === undefined ? undefined : unlessAnotherClient(evidence, again, ANOTHER_CLIENT);
}

/** Two further 429 responses, each after its own wait: the announced wait is not that of the day. */
function limitedAgain([limited, first, second]: readonly Exchange[]): Adverse | undefined {
  if (limited === undefined) return undefined;
  const found = retryOutcome({ limited: [limited], first, second });
  if (found.kind !== 'rate-limited again' || found.result !== 'rate-limited twice') return undefined;
  return fail({
    expected: `no 429 to a request after Retry-After (${literalWaitSeconds(limited)} s) of the 429 about the day`,
    received: `429 in ${exchangeName(found.first)} and, after its own wait, in ${exchangeName(found.second)}`,
    reasoning: `The day does not end when the 429 in ${exchangeName(limited)} announces.`,
    exchanges: [limited, found.first, found.second],
  });
}

function enforced(evidence: Evidence, day: UsedDay, limited: Exchange): Judgement {
  const { counted, before, limits } = day;
  const spent = secondsText(limited.received.mono - (before[0]?.sent.mono ?? limited.sent.mono));
  const newDay = dayCountOf(counted, limited, dayQuota(limits)).kind === 'a new day began';
  const more = newDay
    ? ' That is more than the quota of one day, as is possible where a day begins meanwhile; the announced end agrees with that.'
    : '';
  if (!evidence.exclusive && !showsDay(limited, limits)) {
    const text = `After ${countOf(counted.length, 'accepted request')} the next one was rate-limited.`;
    return perhapsAnotherClient(`${text} ${ABOUT_THE_MINUTE}`, [limited]);
  }
  return pass(
    `After ${countOf(counted.length, 'accepted request')} (of ${before.length} sent) in ${spent} the next one was rate-limited.${more}`,
    [limited],
  );
}
