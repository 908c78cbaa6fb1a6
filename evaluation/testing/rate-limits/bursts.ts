import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series, Transition } from '../../../kernel/rate-limits/series.ts';
import { allTransitions, ofKey, stepsOf } from '../../../kernel/rate-limits/series.ts';
import type { LimiterModel } from '../suites/limiters.ts';
import { limiterModel, modelKinds, pick } from '../suites/limiters.ts';
import type { StagedExchange } from '../suites/synthetic.ts';
import { RUN, START, Synthesis } from '../suites/synthetic.ts';

/** A limiter, the network before it, and what a client sends to it. Times are milliseconds. */
export interface BurstConditions {
  readonly quota: Quota;
  readonly kind: (typeof modelKinds)[number];
  /** What Reset announces: when quota comes back next, or when all of it is back. */
  readonly announces: 'next' | 'full';
  /** Seconds by which Reset is rounded and misstated, and the clock of the limiter is ahead. */
  readonly rounding: 'up' | 'down' | 'down and one';
  readonly jitterSeconds: number;
  readonly clockMs: number;
  /** The largest share of a delay by which Remaining is read after the decision. */
  readonly readLate: number;
  /** Another client of the key sends a request every so often; undefined for none. */
  readonly anotherClientMs: number | undefined;
  readonly portions: readonly Portion[];
}

/** Requests over parallel connections, after a pause. */
interface Portion {
  readonly pauseMs: number;
  readonly requests: number;
  readonly concurrency: number;
}

const QUOTAS = [60, 60, 300, 1000];
const WINDOWS_MS = [60_000, 60_000, 10_000, 5000, 3000];
const DELAYS_MS = [0.2, 1, 5, 30, 120];

/** Conditions from random numbers; half of them send as the profiles that exceed the limit do. */
export function randomBursts(random: () => number): BurstConditions {
  const one = <T>(list: readonly T[]): T => pick(list, random);
  const quota = { limit: one(QUOTAS), windowMs: one(WINDOWS_MS) };
  return {
    quota,
    kind: one(modelKinds),
    announces: one(['next', 'full']),
    rounding: one(['up', 'down', 'down and one']),
    jitterSeconds: one([0, 0, 0, 1]),
    clockMs: one([0, 0, 900, -900]),
    readLate: one([0, 0.9]),
    anotherClientMs: random() < 0.3 ? quota.windowMs * random() ** 2 : undefined,
    portions: random() < 0.5 ? profilePortions(quota, random) : freePortions(quota, random),
  };
}

/** A preflight request, two single ones around a pause, and a burst beyond the limit. */
function profilePortions({ limit, windowMs }: Quota, random: () => number): readonly Portion[] {
  const single = { requests: 1, concurrency: 1 };
  const rest = Math.max(windowMs / 50, (1.15 * windowMs) / limit);
  return [
    { pauseMs: 0, ...single },
    { pauseMs: random() * windowMs * 2 * Math.round(random()), ...single },
    { pauseMs: rest, ...single },
    { pauseMs: 0, requests: Math.ceil(limit * (1 + 0.6 * random())), concurrency: Math.ceil(limit / 10) },
  ];
}

function freePortions({ limit, windowMs }: Quota, random: () => number): readonly Portion[] {
  return Array.from({ length: 2 + Math.floor(random() * 6) }, () => ({
    pauseMs: windowMs * random() ** 4,
    requests: random() < 0.4 ? 1 : Math.ceil(limit * 0.7 * random()),
    concurrency: random() < 0.4 ? 1 : Math.ceil((limit / 3) * random()),
  }));
}

/** The exchanges of these conditions, in the order of sending. @param random decides delays. */
export function recordBursts(conditions: BurstConditions, random: () => number): readonly Exchange[] {
  const { quota, kind, portions, readLate } = conditions;
  const chunk = 1 + Math.floor(random() * quota.limit * (random() < 0.5 ? 1 / 60 : 1));
  const model = limiterModel({ kind, phase: Math.floor(random() * quota.windowMs), chunk }, quota);
  const delayMs = pick(DELAYS_MS, random);
  const delay = (): number => delayMs * (1 + random() * (random() < 0.02 ? 10 : 1));
  const events = new Events();
  const synthesis: StagedExchange[] = [];
  let now = 1 + random() * 1000;
  for (let at = 0; conditions.anotherClientMs !== undefined && at < 10 * quota.windowMs; ) {
    at += conditions.anotherClientMs * (0.5 + random()) + 1;
    events.add(at, (moment) => void (model.available(moment) >= 1 && model.count(moment)));
  }
  for (const { pauseMs, requests, concurrency } of portions) {
    const start = now + pauseMs;
    let [unsent, unanswered] = [requests, requests];
    const send = (sent: number): void => {
      if (unsent === 0) return;
      unsent -= 1;
      const back = delay();
      events.add(sent + delay(), (decided) => {
        const received = decided + back;
        now = Math.max(now, received);
        const allowed = model.available(decided) >= 1;
        if (allowed) model.count(decided);
        events.add(decided + readLate * random() * back, (read) => {
          synthesis.push({ sent, received, ...stated(conditions, model, read, decided, allowed, random) });
          events.add(received, () => {
            unanswered -= 1;
            send(received);
          });
        });
      });
    };
    for (let i = 0; i < concurrency; i += 1) send(start);
    events.runUntil(() => unanswered === 0);
    now = Math.max(now, start);
  }
  return new Synthesis().add(...synthesis.sort((a, b) => (a.sent ?? 0) - (b.sent ?? 0))).exchanges;
}

function stated(
  { quota, announces, rounding, jitterSeconds, clockMs }: BurstConditions,
  model: LimiterModel,
  read: number,
  decided: number,
  allowed: boolean,
  random: () => number,
) {
  const remaining = Math.max(0, Math.min(quota.limit, Math.floor(model.available(read))));
  const at = (announces === 'next' ? model.nextAt(decided) : model.fullAt(decided)) + clockMs;
  const second =
    rounding === 'up' ? Math.ceil(at / 1000) : Math.floor(at / 1000) + (rounding === 'down' ? 0 : 1);
  return {
    status: allowed ? 200 : 429,
    date: START + Math.floor(decided / 1000),
    limit: quota.limit,
    left: remaining,
    reset: second + (random() < 0.3 ? jitterSeconds : 0),
    headers: allowed ? [] : [['Retry-After', String(model.waitSeconds(decided))] as const],
  };
}

/** What happens at which moment, in the order of time. */
class Events {
  #queue: { readonly at: number; readonly act: (at: number) => void }[] = [];

  add(at: number, act: (at: number) => void): void {
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, { at, act });
  }

  /** Acts until this is so; what lies later stays. */
  runUntil(isDone: () => boolean): void {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      next.act(next.at);
      if (isDone()) return;
    }
  }
}

/** The limit of the synthetic runs: 60 in a minute. */
export const QUOTA = minuteQuota(RUN.limits);

/** A response that shows this Remaining, in a window that ends a minute after the run began. Times are milliseconds. */
export const shows = (sentMs: number, tripMs: number, remaining: number): StagedExchange => ({
  sent: sentMs,
  received: sentMs + tripMs,
  left: remaining,
  reset: QUOTA.windowMs / 1000,
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
