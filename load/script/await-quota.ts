import {
  announcedWaitSeconds,
  dateHeaderSeconds,
  readRateHeaders,
} from '../../kernel/exchanges/rate-headers.ts';
import { showsUntouched } from '../../kernel/rate-limits/bounds/windows.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Sample } from '../model/sample.ts';
import { answerOf } from '../model/sample.ts';
import { windowMs } from '../profiles/arithmetic.ts';

/** A wait: until when, in milliseconds since the Unix epoch, and why, for a person. */
export interface Pause {
  readonly until: number;
  readonly because: string;
}

/** Reset and Date are whole seconds. */
const RESOLUTION_MS = 1000;

/** A margin is at most this fraction of a window, so that most of a short window stays usable. */
const MARGINS_IN_WINDOW = 10;

/**
 * How far to stay away from the end of a window, in milliseconds: one second of resolution and three round trips, but
 * no more than a tenth of the window, unless the round trips alone take longer.
 */
export function windowMarginMs(latest: Sample, limits: Limits): number {
  const roundTrips = 3 * (latest.received - latest.sent);
  return Math.min(RESOLUTION_MS + roundTrips, Math.max(windowMs(limits) / MARGINS_IN_WINDOW, roundTrips));
}

/**
 * The wait after which the quota is full and the window lasts long enough (`neededMs`) for the next step; undefined
 * where that is already the case. Where the latest response shows the key in use, or does not describe the minute, it
 * is two windows: a sliding counter counts the requests of the window before.
 * @param now milliseconds since the Unix epoch.
 */
export function fullQuotaPause(
  latest: Sample,
  now: number,
  neededMs: number,
  limits: Limits,
): Pause | undefined {
  const margin = windowMarginMs(latest, limits);
  const usage = recentUse(latest, limits);
  const afterTwoWindows = Math.max(latest.received + 2 * windowMs(limits), retryAt(latest) ?? 0) + margin;
  const earliest = Math.max(now, usage === undefined ? latest.received : afterTwoWindows);
  const nearEnd = windowEndWithin(latest, earliest, neededMs + margin, limits);
  if (nearEnd !== undefined) {
    return { until: nearEnd + margin, because: usage ?? 'the window ends too soon for the burst' };
  }
  return usage === undefined ? undefined : { until: earliest, because: usage };
}

/** Why the key may have been used before, or undefined where the response shows a full quota. */
function recentUse(latest: Sample, limits: Limits): string | undefined {
  if (latest.outcome.kind === 'no-response') return 'the quota is unknown: waiting two windows';
  const { limit, remaining } = readRateHeaders(answerOf(latest.outcome).headers);
  if (limit !== limits.perMinute || remaining === undefined) {
    return 'the headers do not describe the minute: waiting two windows';
  }
  if (showsUntouched({ limit, remaining }, limits.perMinute)) return undefined;
  return `the key was in use (Remaining ${remaining} of ${limit}): waiting two windows`;
}

/** The latest moment, on the clock of this machine, at which a window ends that may end within this time; undefined where none may. */
function windowEndWithin(
  { outcome, sent, received }: Sample,
  from: number,
  neededMs: number,
  limits: Limits,
): number | undefined {
  if (outcome.kind === 'no-response') return undefined;
  const answer = answerOf(outcome);
  const { limit, reset } = readRateHeaders(answer.headers);
  if (limit !== limits.perMinute || reset === undefined) return undefined;
  const [least, most] = clockOffsetMs(dateHeaderSeconds({ outcome: answer }), sent, received);
  const windows = Math.max(0, Math.ceil((from - (reset * 1000 - least)) / windowMs(limits)));
  const end = reset * 1000 + windows * windowMs(limits);
  return end - RESOLUTION_MS - most - from < neededMs ? end - least : undefined;
}

/**
 * How far the target's clock is ahead of the clock of this machine, in milliseconds, at least and at
 * most. Where Date agrees to the second, the clocks are taken to be the same.
 */
function clockOffsetMs(date: number | undefined, sent: number, received: number): readonly [number, number] {
  if (date === undefined) return [0, 0];
  const [least, most] = [date * 1000 - received, date * 1000 + RESOLUTION_MS - sent];
  return least <= 0 && most >= 0 ? [0, 0] : [least, most];
}

/** The moment that Retry-After announces, in milliseconds since the Unix epoch (RFC 9110 §10.2.3); undefined where it is absent or unusable. */
export function retryAt({ outcome, received }: Sample): number | undefined {
  if (outcome.kind === 'no-response') return undefined;
  const seconds = announcedWaitSeconds({ outcome: answerOf(outcome) });
  return seconds === undefined ? undefined : received + seconds * 1000;
}
