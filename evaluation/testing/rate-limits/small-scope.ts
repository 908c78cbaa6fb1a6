import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import { exchangesOf, stepsOf, upToFirst429 } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { sampleOf } from '../../../tools/sample.ts';
import type { DefinedLimiter } from '../suites/limiters.ts';
import { limitersOf, waitSeconds } from '../suites/limiters.ts';
import { exchangeOf, START } from '../suites/synthetic.ts';

// Every schedule of six requests, and what every conforming limiter shows under it.

/** Requests that are sent together, so many seconds after those before. */
export interface Step {
  readonly gap: number;
  readonly size: number;
}

function schedules(requests: number): readonly (readonly Step[])[] {
  if (requests === 0) return [[]];
  const sizes = [1, 3, 4].filter((size) => size <= requests);
  return sizes.flatMap((size) =>
    schedules(requests - size).flatMap((before) =>
      (before.length === 0 ? [0] : [0, 1, 3, 4]).map((gap) => [...before, { gap, size }]),
    ),
  );
}

/** Those of the day. */
const SCHEDULES = sampleOf(schedules(6));

/** A request and what its response shows; times are milliseconds. */
export interface Shown {
  readonly sent: number;
  readonly status: 200 | 429;
  readonly remaining: number;
  readonly reset: number;
  /** Retry-After, in seconds; 0 where there is none. */
  readonly wait: number;
}

const BEGIN = 120_300;
const TRIP = 1;

/** What a limiter shows under a schedule, for every Reset that it may announce. */
export function tracesOf(limiter: DefinedLimiter, schedule: readonly Step[], earlier: readonly number[]) {
  const resets = Object.values(limiter.resets);
  const traces: Shown[][] = resets.map(() => []);
  const accepted = [...earlier];
  let sent = BEGIN;
  for (const { gap, size } of schedule) {
    sent += 1000 * gap;
    for (let i = 0; i < size; i += 1) {
      const status = limiter.available(accepted, sent) >= 1 ? 200 : 429;
      if (status === 200) accepted.push(sent);
      const remaining = Math.max(0, Math.floor(limiter.available(accepted, sent)));
      const wait = status === 200 ? 0 : waitSeconds(limiter.available, accepted, sent);
      for (const [at, reset] of resets.entries())
        traces[at]?.push({ sent, status, remaining, reset: reset(accepted, sent), wait });
    }
    sent += TRIP;
  }
  return traces;
}

/** A 429 right after another one shows nothing new. */
const withoutRepeated429s = (trace: readonly Shown[]): readonly Shown[] =>
  trace.filter(({ status }, at) => status === 200 || trace[at - 1]?.status !== 429);

/** How Reset and Date may be rounded: to a whole second, Date once a second or not at all, by clocks that differ. */
export function clocksOf(window: number) {
  const second = Math.min(1000, window / 12);
  const [floor, ceil] = [(at: number) => Math.floor(at / 1000), (at: number) => Math.ceil(at / 1000)];
  return [
    { reset: (at: number) => floor(at - 0.9 * second), date: floor },
    { reset: ceil, date: floor },
    { reset: (at: number) => ceil(at + 0.9 * second), date: (at: number) => floor(at - second) },
    { reset: ceil, date: () => null },
  ] as const;
}
export type Clock = ReturnType<typeof clocksOf>[number];

/** Exchanges that were made before, because the headers of one are read once. */
const made = new Map<string, Exchange>();

function shownIn(at: number, shown: Shown, limit: number, clock: Clock): Exchange {
  const { sent, status, remaining, wait } = shown;
  const [reset, date] = [clock.reset(shown.reset), clock.date(sent)];
  const key = `${at} ${limit} ${sent} ${status} ${remaining} ${wait} ${reset} ${date}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const exchange = exchangeOf({
    ...{ sent, received: sent + TRIP, status, limit, left: remaining, reset },
    headers: status === 429 ? [['Retry-After', String(wait)]] : [],
    date: date === null ? null : START + date,
  });
  made.set(key, exchange);
  return exchange;
}

/** What a bound is asked about. */
export interface Trace {
  readonly exchanges: readonly Exchange[];
  readonly series: Series;
  readonly served: readonly Exchange[];
  readonly quota: Quota;
  readonly limits: Limits;
}

export function traceOf(shown: readonly Shown[], limits: Limits, clock: Clock): Trace {
  const exchanges = shown.map((one, at) => shownIn(at, one, limits.perMinute, clock));
  const series = stepsOf(exchanges);
  const served = exchangesOf(upToFirst429(series)).filter((one) => !isRateLimited(one));
  return { exchanges, series, served, quota: minuteQuota(limits), limits };
}

export const limitsOf = (limit: number, window: number): Limits => ({
  ...{ perMinute: limit, perDay: 1000, minuteSeconds: window / 1000, daySeconds: 86_400 },
});

/** What identifies a trace, whenever it begins. */
const keyOf = (trace: readonly Shown[]): string =>
  String.fromCharCode(
    ...trace.flatMap(({ sent, status, remaining, reset }) => [
      (status === 429 ? 9 : remaining) * 100 + Math.floor((reset - BEGIN) / 1000 + 2),
      sent - BEGIN,
    ]),
  );

/** Every trace under these schedules that differs from all others and is no mere countdown. */
export function* tracesIn(
  limit: number,
  window: number,
): Generator<readonly [DefinedLimiter, readonly Shown[]]> {
  const known = new Set<string>();
  const limiters = limitersOf(limit, window);
  const pasts = [[], Array.from({ length: limit }, () => BEGIN - window - 100)];
  for (const schedule of SCHEDULES)
    for (const limiter of limiters)
      for (const past of pasts)
        for (const whole of tracesOf(limiter, schedule, past)) {
          const trace = withoutRepeated429s(whole);
          const key = keyOf(trace);
          if (known.has(key) || trace.every(({ remaining }, at) => remaining === limit - 1 - at)) continue;
          known.add(key);
          yield [limiter, trace];
        }
}

/** One request again, so many times and so far apart. */
const repeated = (one: Shown | undefined, count: number, apart: number): readonly Shown[] =>
  one === undefined
    ? []
    : Array.from({ length: count }, (_, i) => ({ ...one, sent: one.sent + (i + 1) * apart }));

/** A conforming trace with so many violations. */
export type Violation = (trace: readonly Shown[], count: number) => readonly Shown[];

/** The request at this index once more, one after another, or together with it where they are 0 ms apart. */
export const moreAfter =
  (at: number, apart = TRIP): Violation =>
  (trace, count) => [...trace.slice(0, at + 1), ...repeated(trace[at], count, apart), ...trace.slice(at + 1)];

/** Requests from this index on left out. */
export const without =
  (at: number): Violation =>
  (trace, count) =>
    trace.toSpliced(at, count);

/** The first Reset two seconds later for each. */
export const laterReset: Violation = (trace, count) =>
  trace.map((one, at) => (at === 0 ? { ...one, reset: one.reset + 2000 * count } : one));

/** A request that is accepted after a 429, and a 429 after that. */
export const acceptedBetween: Violation = (trace, count) => [
  ...trace,
  ...repeated(trace.at(-1), 2 * count, TRIP).map((one, at) =>
    at % 2 === 0 ? { ...one, status: 200 as const } : one,
  ),
];
