/** The plan's number and its window, as every model takes them. */
export interface ModelQuota {
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
}

/**
 * One caller's count under a lawful algorithm, reduced to what shows. All
 * times are the service's own, in milliseconds, and never go back.
 */
export interface LimiterModel {
  /** Requests that could be accepted now; a fraction of one is none. */
  free(now: number): number;
  /** Takes one. */
  spend(now: number): void;
  /** Gives the last one back, as limiters do that forget failed requests. */
  refund(): void;
  /** When something comes back next. */
  next(now: number): number;
  /** When nothing will be counted any more, if nothing more is asked. */
  full(now: number): number;
  /** When the next request would be accepted. */
  accepts(now: number): number;
}

/** How a lawful algorithm is made; `phase` moves its windows or its refills in time. */
export interface ModelShape {
  readonly kind: (typeof modelKinds)[number];
  /** Milliseconds. */
  readonly phase: number;
  /** How many a chunked bucket gives back in one piece. */
  readonly chunk: number;
}

/** Every algorithm that conforms (research on rate limits: windows, logs, counters, buckets). */
export const modelKinds = [
  'aligned window',
  'window from the first request',
  'sliding log',
  'sliding counter',
  'token bucket',
  'chunked bucket',
] as const;

/** A fresh count under this algorithm. */
export function limiterModel(shape: ModelShape, quota: ModelQuota): LimiterModel {
  const make: Readonly<Record<ModelShape['kind'], () => LimiterModel>> = {
    'aligned window': () => windowed(quota, alignedEnd(quota, shape.phase)),
    'window from the first request': () => windowed(quota, (now) => now + quota.windowMs),
    'sliding log': () => slidingLog(quota),
    'sliding counter': () => slidingCounter(quota, shape.phase),
    'token bucket': () => tokenBucket(quota),
    'chunked bucket': () => chunkedBucket(quota, shape),
  };
  return make[shape.kind]();
}

const alignedEnd =
  ({ windowMs }: ModelQuota, phase: number) =>
  (now: number): number =>
    (Math.floor((now + phase) / windowMs) + 1) * windowMs - phase;

function windowed({ limit }: ModelQuota, endAfter: (now: number) => number): LimiterModel {
  let end = Number.NEGATIVE_INFINITY;
  let used = 0;
  const turn = (now: number): void => {
    if (now >= end) used = 0;
  };
  const ends = (now: number): number => (now < end && used > 0 ? end : endAfter(now));
  return {
    free(now) {
      turn(now);
      return limit - used;
    },
    spend(now) {
      turn(now);
      if (now >= end) end = endAfter(now);
      used += 1;
    },
    refund() {
      used = Math.max(0, used - 1);
    },
    next: ends,
    full: ends,
    accepts: (now) => (limit - used >= 1 ? now : ends(now)),
  };
}

function slidingLog({ limit, windowMs }: ModelQuota): LimiterModel {
  let log: number[] = [];
  const prune = (now: number): void => {
    log = log.filter((at) => at > now - windowMs);
  };
  const oldest = (now: number): number => (log[0] ?? now) + windowMs;
  return {
    free(now) {
      prune(now);
      return limit - log.length;
    },
    spend: (now) => void log.push(now),
    refund: () => void log.pop(),
    next: oldest,
    full: (now) => (log.at(-1) ?? now) + windowMs,
    accepts: (now) => (log.length < limit ? now : oldest(now)),
  };
}

function slidingCounter({ limit, windowMs }: ModelQuota, phase: number): LimiterModel {
  let index = Number.NEGATIVE_INFINITY;
  let previous = 0;
  let current = 0;
  const turn = (now: number): void => {
    const reached = Math.floor((now + phase) / windowMs);
    if (reached === index) return;
    previous = reached === index + 1 ? current : 0;
    current = 0;
    index = reached;
  };
  const end = (): number => (index + 1) * windowMs - phase;
  return {
    free(now) {
      turn(now);
      const passed = (now + phase) / windowMs - index;
      return limit - previous * (1 - passed) - current;
    },
    spend() {
      current += 1;
    },
    refund() {
      current = Math.max(0, current - 1);
    },
    next: end,
    full: end,
    accepts(now) {
      if (this.free(now) >= 1) return now;
      const here = 1 - (limit - 1 - current) / previous;
      if (previous > 0 && here <= 1) return end() - windowMs + Math.ceil(here * windowMs);
      return end() + Math.ceil(Math.max(0, 1 - (limit - 1) / current) * windowMs);
    },
  };
}

/** Less than any request and more than any rounding of binary fractions. */
const EPSILON = 1e-6;

function tokenBucket({ limit, windowMs }: ModelQuota): LimiterModel {
  const rate = limit / windowMs;
  let missing = 0;
  let at = Number.NEGATIVE_INFINITY;
  const flow = (now: number): number => {
    missing = Math.max(0, missing - rate * (now - at));
    at = now;
    return limit - missing + EPSILON;
  };
  return {
    free: flow,
    spend() {
      missing += 1;
    },
    refund() {
      missing = Math.max(0, missing - 1);
    },
    next: (now) => now + (missing - Math.floor(missing - EPSILON)) / rate,
    full: (now) => now + missing / rate,
    accepts: (now) => now + Math.max(0, missing - limit + 1) / rate,
  };
}

function chunkedBucket({ limit, windowMs }: ModelQuota, { chunk, phase }: ModelShape): LimiterModel {
  const every = (chunk * windowMs) / limit;
  let missing = 0;
  let refilled = Number.NEGATIVE_INFINITY;
  const refills = (now: number): number => Math.floor((now + phase) / every);
  const at = (refill: number): number => Math.ceil(refill * every - phase);
  return {
    free(now) {
      missing = Math.max(0, missing - chunk * (refills(now) - refilled));
      refilled = refills(now);
      return limit - missing;
    },
    spend() {
      missing += 1;
    },
    refund() {
      missing = Math.max(0, missing - 1);
    },
    next: (now) => at(refills(now) + 1),
    full: (now) => at(refills(now) + Math.max(1, Math.ceil(missing / chunk))),
    accepts: (now) => (missing < limit ? now : at(refills(now) + 1)),
  };
}
