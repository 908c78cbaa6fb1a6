import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series, Transition } from '../../../kernel/rate-limits/series.ts';
import { allTransitions, ofKey, stepsOf } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { LimiterModel } from '../suites/limiters.ts';
import { limiterModel, modelKinds, pick, seededBy } from '../suites/limiters.ts';
import type { StagedExchange } from '../suites/synthetic.ts';
import { RUN, START, Synthesis } from '../suites/synthetic.ts';

/** A request, and what becomes of it. */
type Request = 'list' | 'creation' | 'invalid creation' | 'list, request lost' | 'list, response lost';

/** A limiter, the network before it, and what a client sends to it. Times are milliseconds. */
export interface Traffic {
  readonly quota: Quota;
  readonly kind: (typeof modelKinds)[number];
  /** How many requests a bucket in pieces restores at a time. */
  readonly chunk: number;
  /** Whether requests with an invalid body count against the limit. */
  readonly rejected: 'counted' | 'not counted' | 'refunded';
  /** The least delay each way. */
  readonly delayMs: number;
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
  /** Each is as likely as the next. */
  readonly requests: readonly Request[];
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

/** Bursts from random numbers; half of them send as the profiles that exceed the limit do. */
export function randomBursts(random: () => number): Traffic {
  const one = <T>(list: readonly T[]): T => pick(list, random);
  const quota = { limit: one(QUOTAS), windowMs: one(WINDOWS_MS) };
  return {
    quota,
    kind: one(modelKinds),
    chunk: 1 + Math.floor(random() * quota.limit * (random() < 0.5 ? 1 / 60 : 1)),
    rejected: 'counted',
    delayMs: one(DELAYS_MS),
    announces: one(['next', 'full']),
    rounding: one(['up', 'down', 'down and one']),
    jitterSeconds: one([0, 0, 0, 1]),
    clockMs: one([0, 0, 900, -900]),
    readLate: one([0, 0.9]),
    anotherClientMs: random() < 0.3 ? quota.windowMs * random() ** 2 : undefined,
    portions: random() < 0.5 ? profilePortions(quota, random) : freePortions(quota, random),
    requests: ['list'],
  };
}

/** Requests of every kind without pacing, with small limits, so that a few dozen requests cross many windows. */
export function randomTraffic(random: () => number): Traffic {
  const one = <T>(list: readonly T[]): T => pick(list, random);
  const limit = 2 + Math.floor(19 * random());
  const pauseMs = one([1, 200, 4000, 20_000]);
  return {
    quota: { limit, windowMs: 60_000 },
    kind: one(modelKinds),
    chunk: 1 + Math.floor(random() * limit),
    rejected: one(['counted', 'not counted', 'refunded']),
    delayMs: one([0.3, 10, 200, 1200]),
    announces: 'next',
    rounding: 'up',
    ...{ jitterSeconds: 0, clockMs: 0, readLate: 0, anotherClientMs: undefined },
    portions: Array.from({ length: 5 + Math.floor(56 * random()) }, () => {
      const requests = random() < 0.8 ? 1 : 2 + Math.floor(5 * random());
      return { pauseMs: random() * (random() < 0.85 ? pauseMs : 90_000), requests, concurrency: requests };
    }),
    requests: [
      ...['list', 'list', 'list', 'list', 'creation', 'invalid creation', 'invalid creation'],
      ...['list, request lost', 'list, response lost'],
    ] as const,
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

/** The probe that exhausts the quota sends lists only, and none of them is lost; all other requests belong to other probes. */
const probeOf = (request: Request): string => {
  if (request === 'invalid creation') return 'rejections';
  return request.endsWith('lost') ? 'second-batch' : 'exhaust-quota';
};

const limitsOf = ({ quota }: Traffic): Limits => ({
  perMinute: quota.limit,
  perDay: 100 * quota.limit,
  minuteSeconds: quota.windowMs / 1000,
  daySeconds: 86_400,
});

/** So many runs of random traffic, each reproducible by its name. */
export function* recordedRuns(number: number, name: string, drawn: (random: () => number) => Traffic) {
  for (let run = 1; run <= number; run += 1) {
    const random = seededBy(`${name} ${run}`);
    const traffic = drawn(random);
    const recorded = recordTraffic(traffic, random);
    yield { name: `${name} ${run}`, traffic, recorded, limits: limitsOf(traffic) };
  }
}

/** The exchanges of this traffic, in the order of sending. @param random decides delays. */
function recordTraffic(traffic: Traffic, random: () => number): Synthesis {
  const { quota, kind, chunk, portions, readLate, delayMs, rejected } = traffic;
  const model = limiterModel({ kind, phase: Math.floor(random() * quota.windowMs), chunk }, quota);
  const delay = (): number => delayMs * (1 + random() * (random() < 0.02 ? 10 : 1));
  const events = new Events();
  const synthesis: StagedExchange[] = [];
  let now = 1 + random() * 1000;
  for (let at = 0; traffic.anotherClientMs !== undefined && at < 10 * quota.windowMs; ) {
    at += traffic.anotherClientMs * (0.5 + random()) + 1;
    events.add(at, (moment) => void (model.available(moment) >= 1 && model.count(moment)));
  }
  for (const { pauseMs, requests, concurrency } of portions) {
    const start = now + pauseMs;
    let [unsent, unanswered] = [requests, requests];
    const send = (sent: number): void => {
      if (unsent === 0) return;
      unsent -= 1;
      const request = pick(traffic.requests, random);
      const back = delay();
      events.add(sent + delay(), (decided) => {
        const received = decided + back;
        now = Math.max(now, received);
        const isAllowed = request !== 'list, request lost' && model.available(decided) >= 1;
        const isInvalid = request === 'invalid creation';
        const isCounted = isAllowed && !(isInvalid && rejected === 'not counted');
        if (isCounted) model.count(decided);
        events.add(decided + readLate * random() * back, (read) => {
          const answer = stated(traffic, model, { request, read, decided, isAllowed }, random);
          synthesis.push({ sent, received, fresh: true, probe: probeOf(request), ...answer });
          if (isCounted && isInvalid && rejected === 'refunded') model.refund();
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
  synthesis.sort((a, b) => (a.sent ?? 0) - (b.sent ?? 0));
  return new Synthesis().add(...synthesis.map((one, at) => ({ connection: at + 1, ...one })));
}

/** A request that reached the limiter, and whether it accepted it. */
interface Decided {
  readonly request: Request;
  readonly decided: number;
  /** When Remaining was read. */
  readonly read: number;
  readonly isAllowed: boolean;
}

/** What the client gets. */
function stated(
  { quota, announces, rounding, jitterSeconds, clockMs }: Traffic,
  model: LimiterModel,
  { request, read, decided, isAllowed }: Decided,
  random: () => number,
): StagedExchange {
  if (request === 'list, request lost') return { noResponse: 'timeout' };
  if (isAllowed && request === 'list, response lost') return { noResponse: 'reset' };
  const remaining = Math.max(0, Math.min(quota.limit, Math.floor(model.available(read))));
  const at = (announces === 'next' ? model.nextAt(decided) : model.fullAt(decided)) + clockMs;
  const second =
    rounding === 'up' ? Math.ceil(at / 1000) : Math.floor(at / 1000) + (rounding === 'down' ? 0 : 1);
  return {
    method: request.includes('creation') ? 'POST' : 'GET',
    date: START + Math.floor(decided / 1000),
    limit: quota.limit,
    left: remaining,
    reset: second + (random() < 0.3 ? jitterSeconds : 0),
    ...(isAllowed
      ? ANSWERS[request]
      : { status: 429, headers: [['Retry-After', String(model.waitSeconds(decided))]] }),
  };
}

/** The response to a request that is accepted; a list gets the usual one. */
const ANSWERS: Readonly<Partial<Record<Request, StagedExchange>>> = {
  creation: { status: 201, body: '{}' },
  'invalid creation': { status: 400, body: '{"code":"E","message":"m","status":400}' },
};

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
