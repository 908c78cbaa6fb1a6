import type { Exchange } from '../model/exchange.ts';
import { answerOf, dateOf, rateReading } from '../model/headers.ts';
import type { Limits } from '../model/journal.ts';
import type { Quota, Transition } from './accounting.ts';
import { gain, isJump, transitions } from './accounting.ts';
import type { Series } from './series.ts';
import { refused, surelyCounts } from './series.ts';

/** More requests were accepted than any lawful limiter of this plan accepts. */
export interface Overrun {
  readonly accepted: number;
  readonly allowed: number;
  readonly milliseconds: number;
  readonly last: Exchange;
}

/** The plan's limit per minute as a quota. */
export const minuteQuota = (limits: Limits): Quota => ({
  limit: limits.perMinute,
  windowMs: limits.minuteSeconds * 1000,
});

/** The plan's limit per day as a quota. */
export const dayQuota = (limits: Limits): Quota => ({
  limit: limits.perDay,
  windowMs: limits.daySeconds * 1000,
});

/** A window's end and the answer's moment are each rounded to a second on their way here. */
const RESET_SLACK_MS = 2000;

/**
 * Whether the series was accepted beyond the limit, by the tightest sound
 * bound that its headers allow: without headers twice the limit (an aligned
 * window may turn over once); with headers that show no turn of the window,
 * the limit and what flows back; exactly the limit once the headers have shown
 * that nothing flows back.
 */
export function overrun(series: Series, limits: Limits): Overrun | undefined {
  const quota = minuteQuota(limits);
  const before = untilRefusal(series);
  const changes = transitions(series, limits.perMinute);
  const whole = beyond(before, 2 * quota.limit, quota);
  if (whole !== undefined || changes.length === 0) return whole;
  const lastJump = changes.findLastIndex((change) => isJump(change, quota));
  const start = changes[lastJump]?.to.exchange ?? before[0];
  if (start === undefined) return undefined;
  const segment = before.filter((exchange) => exchange.sent.mono >= start.sent.mono);
  const kept = changes.slice(lastJump + 1);
  const besides = countedBesides(kept);
  return exactly(segment, kept, quota, besides) ?? beyond(segment, quota.limit, quota, besides);
}

function untilRefusal(series: Series): readonly Exchange[] {
  const end = series.findIndex((step) => step.exchanges.some(refused));
  const steps = end === -1 ? series : series.slice(0, end + 1);
  return steps.flatMap((step) => step.exchanges).filter((exchange) => !refused(exchange));
}

/** Requests that were not surely counted and that the headers show to be: then they count for us, too. */
function countedBesides(changes: readonly Transition[]): number {
  const besides = ({ fallen, sure, requests }: Transition): number =>
    Math.min(Math.max(0, fallen - sure), requests - sure);
  return changes.reduce((sum, change) => sum + besides(change), 0);
}

function beyond(
  exchanges: readonly Exchange[],
  burst: number,
  quota: Quota,
  besides = 0,
): Overrun | undefined {
  const last = exchanges.at(-1);
  const first = exchanges[0];
  if (first === undefined || last === undefined) return undefined;
  const milliseconds = Math.max(...exchanges.map((one) => one.received.mono)) - first.sent.mono;
  const allowed = burst + Math.floor((quota.limit * milliseconds) / quota.windowMs);
  const total = exchanges.filter(surelyCounts).length + besides;
  return total > allowed ? { accepted: total, allowed, milliseconds, last } : undefined;
}

/** The bound without any flow back, once a long enough stretch has shown that there is none; until the first announced Reset. */
function exactly(
  segment: readonly Exchange[],
  changes: readonly Transition[],
  quota: Quota,
  besides: number,
): Overrun | undefined {
  const first = segment[0];
  if (first === undefined || !showsNoRegain(changes, quota)) return undefined;
  const until = announcedEnd(first);
  if (until === undefined) return undefined;
  const early = segment.filter((exchange) => exchange.received.mono < until);
  const last = early.at(-1);
  const total = early.filter(surelyCounts).length + besides;
  if (last === undefined || total <= quota.limit) return undefined;
  return { accepted: total, allowed: quota.limit, milliseconds: last.received.mono - first.sent.mono, last };
}

function showsNoRegain(changes: readonly Transition[], quota: Quota): boolean {
  const enoughMs = (1.05 * quota.windowMs) / quota.limit;
  let quietMs = 0;
  for (const change of changes) {
    const still = change.fallen === change.requests && gain(change) <= 0;
    quietMs = still ? quietMs + change.atLeastMs : 0;
    if (quietMs >= enoughMs) return true;
  }
  return false;
}

/** When the window announced by this answer ends at the earliest, milliseconds on our monotonic clock. */
function announcedEnd(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const reset = answer === undefined ? undefined : rateReading(answer.headers).reset;
  const date = answer === undefined ? undefined : dateOf(answer);
  if (reset === undefined || date === undefined) return undefined;
  return exchange.sent.mono + (reset - date) * 1000 - RESET_SLACK_MS;
}
