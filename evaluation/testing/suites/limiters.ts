/** The limit of a plan and its window, as every model takes them. */
export interface ModelQuota {
  readonly limit: number;
  /** Milliseconds. */
  readonly windowMs: number;
}

/**
 * The limiter of one caller, reduced to what a client can see. All times are
 * milliseconds of the service's clock and never decrease.
 */
export interface LimiterModel {
  /** How many requests would be accepted now; only the integer part counts. */
  available(now: number): number;
  /** Counts one request. */
  count(now: number): void;
  /** Takes back the last counted request, as limiters do that do not count failed ones. */
  refund(): void;
  /** When quota is next restored. */
  nextAt(now: number): number;
  /** When the full quota is restored, if no further request is counted. */
  fullAt(now: number): number;
  /** When the next request would be accepted. */
  acceptsAt(now: number): number;
}

/** Which limiter to model. */
export interface ModelShape {
  readonly kind: (typeof modelKinds)[number];
  /** Milliseconds by which the windows or refills are shifted. */
  readonly phase: number;
  /** How many requests a chunked bucket restores at a time. */
  readonly chunk: number;
}

/** The conforming algorithms that are modelled: windows, logs, counters and buckets. */
export const modelKinds = [
  'aligned window',
  'window from the first request',
  'sliding log',
  'sliding counter',
  'token bucket',
  'chunked bucket',
] as const;

/** A limiter with full quota. */
export function limiterModel(shape: ModelShape, quota: ModelQuota): LimiterModel {
  const create: Readonly<Record<ModelShape['kind'], () => LimiterModel>> = {
    'aligned window': () => windowed(quota, alignedEnd(quota, shape.phase)),
    'window from the first request': () => windowed(quota, (now) => now + quota.windowMs),
    'sliding log': () => slidingLog(quota),
    'sliding counter': () => slidingCounter(quota, shape.phase),
    'token bucket': () => tokenBucket(quota),
    'chunked bucket': () => chunkedBucket(quota, shape),
  };
  return create[shape.kind]();
}

const alignedEnd =
  ({ windowMs }: ModelQuota, phase: number) =>
  (now: number): number =>
    (Math.floor((now + phase) / windowMs) + 1) * windowMs - phase;

function windowed({ limit }: ModelQuota, endAfter: (now: number) => number): LimiterModel {
  let end = Number.NEGATIVE_INFINITY;
  let used = 0;
  const startNewWindow = (now: number): void => {
    if (now >= end) used = 0;
  };
  const endOf = (now: number): number => (now < end && used > 0 ? end : endAfter(now));
  return {
    available(now) {
      startNewWindow(now);
      return limit - used;
    },
    count(now) {
      startNewWindow(now);
      if (now >= end) end = endAfter(now);
      used += 1;
    },
    refund() {
      used = Math.max(0, used - 1);
    },
    nextAt: endOf,
    fullAt: endOf,
    acceptsAt: (now) => (limit - used >= 1 ? now : endOf(now)),
  };
}

function slidingLog({ limit, windowMs }: ModelQuota): LimiterModel {
  let log: number[] = [];
  const prune = (now: number): void => {
    log = log.filter((at) => at > now - windowMs);
  };
  const oldest = (now: number): number => (log[0] ?? now) + windowMs;
  return {
    available(now) {
      prune(now);
      return limit - log.length;
    },
    count: (now) => void log.push(now),
    refund: () => void log.pop(),
    nextAt: oldest,
    fullAt: (now) => (log.at(-1) ?? now) + windowMs,
    acceptsAt: (now) => (log.length < limit ? now : oldest(now)),
  };
}

function slidingCounter({ limit, windowMs }: ModelQuota, phase: number): LimiterModel {
  let index = Number.NEGATIVE_INFINITY;
  let previous = 0;
  let current = 0;
  const startNewWindow = (now: number): void => {
    const currentIndex = Math.floor((now + phase) / windowMs);
    if (currentIndex === index) return;
    previous = currentIndex === index + 1 ? current : 0;
    current = 0;
    index = currentIndex;
  };
  const end = (): number => (index + 1) * windowMs - phase;
  return {
    available(now) {
      startNewWindow(now);
      const passed = (now + phase) / windowMs - index;
      return limit - previous * (1 - passed) - current;
    },
    count() {
      current += 1;
    },
    refund() {
      current = Math.max(0, current - 1);
    },
    nextAt: end,
    fullAt: end,
    acceptsAt(now) {
      if (this.available(now) >= 1) return now;
      const share = 1 - (limit - 1 - current) / previous;
      if (previous > 0 && share <= 1) return end() - windowMs + Math.ceil(share * windowMs);
      return end() + Math.ceil(Math.max(0, 1 - (limit - 1) / current) * windowMs);
    },
  };
}

/** Smaller than one request, larger than the rounding errors of floating-point numbers. */
const EPSILON = 1e-6;

function tokenBucket({ limit, windowMs }: ModelQuota): LimiterModel {
  const rate = limit / windowMs;
  let missing = 0;
  let at = Number.NEGATIVE_INFINITY;
  const refill = (now: number): number => {
    missing = Math.max(0, missing - rate * (now - at));
    at = now;
    return limit - missing + EPSILON;
  };
  return {
    available: refill,
    count() {
      missing += 1;
    },
    refund() {
      missing = Math.max(0, missing - 1);
    },
    nextAt: (now) => now + (missing - Math.floor(missing - EPSILON)) / rate,
    fullAt: (now) => now + missing / rate,
    acceptsAt: (now) => now + Math.max(0, missing - limit + 1) / rate,
  };
}

function chunkedBucket({ limit, windowMs }: ModelQuota, { chunk, phase }: ModelShape): LimiterModel {
  const every = (chunk * windowMs) / limit;
  let missing = 0;
  let refilled = Number.NEGATIVE_INFINITY;
  const refills = (now: number): number => Math.floor((now + phase) / every);
  const at = (refill: number): number => Math.ceil(refill * every - phase);
  return {
    available(now) {
      missing = Math.max(0, missing - chunk * (refills(now) - refilled));
      refilled = refills(now);
      return limit - missing;
    },
    count() {
      missing += 1;
    },
    refund() {
      missing = Math.max(0, missing - 1);
    },
    nextAt: (now) => at(refills(now) + 1),
    fullAt: (now) => at(refills(now) + Math.max(1, Math.ceil(missing / chunk))),
    acceptsAt: (now) => (missing < limit ? now : at(refills(now) + 1)),
  };
}

/** Numbers from 0 to below 1. */
export type Random = () => number;

/** One of these, at random. @throws {RangeError} where there is none. */
export function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('The list to pick from is empty.');
  return value;
}

/** A linear congruential generator of numbers from 0 to below 1: the same on every machine, from one seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The same, seeded by a text. */
export const seededBy = (text: string): (() => number) => seeded(hashOf(text));

/** FNV-1a with a final mixing step, so that texts which differ in one digit have very different seeds. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const unit of Buffer.from(text)) hash = Math.imul(hash ^ unit, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
