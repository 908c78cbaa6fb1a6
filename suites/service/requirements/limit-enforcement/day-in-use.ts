import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { dayQuota, mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import { endOfWait } from '../../../../kernel/rate-limits/retries.ts';
import { ofKey, surelyCounts } from '../../../../kernel/rate-limits/series/keyed-requests.ts';
import { waitScale } from '../../../../kernel/rate-limits/wait-scale.ts';
import type { Limits } from '../../../../spec/plans.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { spendsDay } from '../../probes/spend-day.ts';

/** What the run sent with the key up to the end of the day. */
export interface UsedDay {
  readonly limits: Limits;
  /** Every request that may count, up to `limited`. */
  readonly before: readonly Exchange[];
  /** Those that surely count. */
  readonly counted: readonly Exchange[];
  /** Of the 429 responses at the end of the day the one that announces the latest end: another client may have caused an earlier one, about the minute. */
  readonly limited: Exchange | undefined;
  /** The first 429 at the end of the day and the requests after it, which waited as announced. */
  readonly last: readonly Exchange[];
}

/** How the run used the daily quota of the key, and where it ended. */
export function usedDayOf(evidence: Evidence): UsedDay {
  const { limits } = evidence.run;
  const keyed = ofKey(evidence.exchanges);
  const isLast = (exchange: Exchange, i: number): boolean =>
    spendsDay(exchange) && isAboutDay(exchange, i, limits) && isEnd(exchange, keyed.slice(i + 1), limits);
  const ends = keyed.filter(isLast);
  const [first] = ends;
  const limited = ends.reduce<Exchange | undefined>(laterEnd, first);
  const before = limited === undefined ? keyed : keyed.slice(0, keyed.indexOf(limited));
  return {
    limits,
    before,
    counted: before.filter(surelyCounts),
    limited,
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
