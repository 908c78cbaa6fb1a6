import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { ofKey } from '../../../kernel/rate-limits/series/keyed-requests.ts';
import type { Series } from '../../../kernel/rate-limits/series/series.ts';
import { stepsOf } from '../../../kernel/rate-limits/series/series.ts';
import type { Transition } from '../../../kernel/rate-limits/series/transitions.ts';
import { allTransitions } from '../../../kernel/rate-limits/series/transitions.ts';
import type { StagedExchange } from '../suites/synthetic.ts';
import { RUN, START, Synthesis } from '../suites/synthetic.ts';

/** The limit of the synthetic runs: 60 in a minute. */
export const QUOTA = minuteQuota(RUN.limits);

/** A response that shows this Remaining, in a window that ends a minute after the run began. Times are milliseconds. */
export const shows = (sentMs: number, tripMs: number, remaining: number): StagedExchange => ({
  sent: sentMs,
  received: sentMs + tripMs,
  headers: [
    ['X-RateLimit-Limit', String(QUOTA.limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(START + QUOTA.windowMs / 1000)],
  ],
});

/** One request every `everyMs` from `fromMs` on, each `tripMs` long; `remaining` of the request with this index from 0. */
export function steady(
  count: number,
  everyMs: number,
  tripMs: number,
  remaining: (i: number) => number,
  fromMs = 0,
): Synthesis {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add(shows(fromMs + i * everyMs, tripMs, remaining(i)));
  return run;
}

/** Remaining of a limiter from which nothing flows back. */
export const countingDown = (i: number): number => Math.max(0, QUOTA.limit - 1 - i);

/** The keyed requests of a run as one series. */
export const seriesIn = ({ exchanges }: Synthesis): Series => stepsOf(ofKey(exchanges));

/** The transitions of a run, those of a 429 included. */
export const transitionsIn = (run: Synthesis): readonly Transition[] =>
  allTransitions(seriesIn(run), QUOTA.limit);
