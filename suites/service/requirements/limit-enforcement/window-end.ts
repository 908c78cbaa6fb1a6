import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { accepted, exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import { factText } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, warn } from '../../../../kernel/findings/judgement.ts';
import { sameWithinOne } from '../../../../kernel/rate-limits/attribution.ts';
import type { Quota } from '../../../../kernel/rate-limits/quota.ts';
import { minuteQuota, mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import type { Transition } from '../../../../kernel/rate-limits/series.ts';
import { transitionsBefore429 } from '../../../../kernel/rate-limits/series.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { perhapsAnotherClient, sharedUse, thirdUses, uses } from '../../evidence/uses.ts';
import { countsOlderRequests, thirdWindow } from '../../probes/later-windows.ts';

/** Windows in a row that must show the same: then another client of the key is no explanation. */
const WINDOWS_ALIKE = 2;

/**
 * A window that does not end while requests come: a 429 for requests of which
 * some are older than a window, although the others alone leave quota in every
 * conforming limiter. Undefined where no further window shows one.
 */
export function neverEnds(evidence: Evidence): Judgement | undefined {
  const { limits } = evidence.run;
  const windows = thirdUses(evidence);
  const found = windows.flatMap(
    ({ series }) => countsOlderRequests(series, evidence.exchanges, limits) ?? [],
  );
  const [first, ...again] = found;
  if (first === undefined) return undefined;
  const { exchange, before } = first;
  const since = exchange.sent.mono - limits.minuteSeconds * 1000;
  const recent = before.filter(({ sent }) => sent.mono >= since).length;
  const adverse = fail(
    {
      expected: `a request not to count when it is older than the window of ${limits.minuteSeconds} s`,
      received: `429 in ${exchangeName(exchange)} after ${recent} requests in the last ${limits.minuteSeconds} s and ${before.length - recent} before that`,
    },
    [...before.slice(0, 1), exchange],
  );
  if (evidence.exclusive) return adverse;
  const alike =
    evidence.finished &&
    found.length === windows.length &&
    windows.length >= WINDOWS_ALIKE &&
    again.every((one) => sameWithinOne([one.before.length, before.length]));
  if (!alike || evidence.fact(sharedUse) !== undefined)
    return perhapsAnotherClient(
      `${factText(adverse)} Another client may be using this key.`,
      adverse.exchanges,
    );
  const ends = again.map((one) => exchangeName(one.exchange)).join(' and ');
  return { ...furtherReasoned(adverse, `The same happened in each repetition: ${ends}.`), shows: [exchange] };
}

/** That requests were sent across the end of a further window, and after it, where they were. */
export function acrossEndText(evidence: Evidence): string {
  const sent = evidence.step(thirdWindow, thirdWindow.steps.pastWindow).filter(accepted);
  return sent.length === 0 ? '' : ', nor does one around the end of a further window, or after it';
}

/**
 * A presentation of the key that is accepted but counted separately: its
 * Remaining is higher than that of the same window just before. The
 * specification leaves open whether it is accepted, hence a warning.
 */
export function countedElsewhere(evidence: Evidence): Judgement | undefined {
  const quota = minuteQuota(evidence.run.limits);
  const changes = evidence.fact(uses).flatMap(({ series }) => transitionsBefore429(series, quota.limit));
  for (const change of changes) {
    const separate = change.through.find((exchange) => isCountedSeparately(exchange, change, quota));
    if (separate === undefined) continue;
    const { from, to } = change;
    const judgement = warn(
      {
        expected: 'one count for every presentation of the key',
        received: `Remaining ${rateHeadersOf(separate).remaining} in ${exchangeName(separate)} ("${separate.step}"), between ${from.remaining} and ${to.remaining} for the key`,
        reasoning:
          'This presentation of the key is accepted and counted separately. Let authentication and the limiter read the header with the same code.',
      },
      [from.exchange, separate, to.exchange],
    );
    return { ...judgement, shows: [from.exchange, separate] };
  }
  return undefined;
}

/** Whether Remaining rose within one window, more than a limiter gives back. */
function isCountedSeparately(exchange: Exchange, { from, to, atMostMs }: Transition, quota: Quota): boolean {
  if (exchange.caller !== 'unspecified' || !accepted(exchange)) return false;
  const { limit, remaining } = rateHeadersOf(exchange);
  const [before, after] = [rateHeadersOf(from.exchange).reset, rateHeadersOf(to.exchange).reset];
  const sameWindow = before !== undefined && before === after && to.remaining < from.remaining;
  return (
    sameWindow &&
    limit === quota.limit &&
    remaining !== undefined &&
    remaining <= limit &&
    remaining > from.remaining + mostRefill(quota, atMostMs)
  );
}
