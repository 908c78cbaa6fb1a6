import type { Quota } from '../../../kernel/rate-limits/quota.ts';

// Every conforming limiter of BOUNDS.md, written from its definition alone: what is available at a moment after the
// requests that were accepted before, and every Reset that it may announce. They share no code with the limiters of
// the reference server. Times are milliseconds on the clock of the service.

/** A limiter of one caller. */
export interface DefinedLimiter {
  readonly name: string;
  readonly available: (accepted: readonly number[], now: number) => number;
  readonly resets: Readonly<Record<string, (accepted: readonly number[], now: number) => number>>;
}

/** The end of the window that contains this moment, of windows of this length that are shifted by a phase. */
const endOf = (at: number, length: number, phase: number): number =>
  (Math.floor((at - phase) / length) + 1) * length + phase;

function since(accepted: readonly number[], from: number, to: number): number {
  let count = 0;
  for (let i = accepted.length - 1; i >= 0 && (accepted[i] ?? 0) >= from; i -= 1)
    if ((accepted[i] ?? 0) < to) count += 1;
  return count;
}

const fixedWindow = (limit: number, window: number, phase: number): DefinedLimiter => ({
  name: `fixed window at ${phase}`,
  available: (accepted, now) => limit - since(accepted, endOf(now, window, phase) - window, Infinity),
  resets: { end: (_, now) => endOf(now, window, phase) },
});

function windowFromFirst(limit: number, window: number): DefinedLimiter {
  const next = (start: number, at: number): number => (at >= start + window ? at : start);
  const startOf = (accepted: readonly number[], now: number): number =>
    next(accepted.reduce(next, -Infinity), now);
  return {
    name: 'window from the first request',
    available: (accepted, now) => limit - since(accepted, startOf(accepted, now), Infinity),
    resets: { end: (accepted, now) => startOf(accepted, now) + window },
  };
}

/** A log whose requests are forgotten a window after the step in which they came; a step of 0 is an exact log. */
function slidingLog(limit: number, window: number, step: number, phase: number): DefinedLimiter {
  const leaves = (at: number): number => (step === 0 ? at + window : endOf(at, step, phase) - step + window);
  const held = (accepted: readonly number[], now: number) => accepted.filter((at) => leaves(at) > now);
  return {
    name: step === 0 ? 'sliding log' : `window that slides in steps of ${step} at ${phase}`,
    available: (accepted, now) => limit - held(accepted, now).length,
    resets: {
      oldest: (accepted, now) => leaves(held(accepted, now)[0] ?? now),
      newest: (accepted, now) => leaves(held(accepted, now).at(-1) ?? now),
    },
  };
}

/** @param round of what the former window still weighs. */
function slidingCounter(
  limit: number,
  window: number,
  phase: number,
  round: (weight: number) => number,
): DefinedLimiter {
  const available = (accepted: readonly number[], now: number): number => {
    const end = endOf(now, window, phase);
    const former = since(accepted, end - 2 * window, end - window);
    return limit - round((former * (end - now)) / window) - since(accepted, end - window, end);
  };
  const end = (now: number): number => endOf(now, window, phase);
  const tick = (accepted: readonly number[], now: number): number => {
    const former = since(accepted, end(now) - 2 * window, end(now) - window);
    const passed = window - (end(now) - now);
    return former === 0 ? end(now) : now + (window / former) * (1 - (((passed * former) / window) % 1));
  };
  return {
    name: `sliding counter at ${phase}${round === Math.floor ? ', weight rounded down' : ''}`,
    available,
    resets: {
      end: (_, now) => end(now),
      'a window ahead': (_, now) => now + window,
      'end of the next window': (_, now) => end(now) + window,
      tick: (accepted, now) => Math.min(tick(accepted, now), end(now)),
    },
  };
}

function bucket(limit: number, window: number): DefinedLimiter {
  const missing = (accepted: readonly number[], now: number): number => {
    let [level, last] = [0, 0];
    for (const at of accepted) {
      level = Math.max(0, level - (limit * (at - last)) / window) + 1;
      last = at;
    }
    return Math.max(0, level - (limit * (now - last)) / window);
  };
  const after = (count: number, now: number): number => now + (count * window) / limit;
  return {
    name: 'bucket',
    available: (accepted, now) => limit - missing(accepted, now) + 1e-9,
    resets: {
      token: (accepted, now) => after(missing(accepted, now) % 1 || 1, now),
      full: (accepted, now) => after(missing(accepted, now), now),
    },
  };
}

function bucketInPieces(limit: number, window: number, piece: number, phase: number): DefinedLimiter {
  const every = (piece * window) / limit;
  const tickOf = (at: number): number => Math.floor((at - phase) / every + 1e-9);
  const missing = (accepted: readonly number[], now: number): number => {
    let [level, last] = [0, 0];
    for (const at of accepted) {
      level = Math.max(0, level - piece * (tickOf(at) - last)) + 1;
      last = tickOf(at);
    }
    return Math.max(0, level - piece * (tickOf(now) - last));
  };
  const tick = (now: number, count: number): number => (tickOf(now) + count) * every + phase;
  return {
    name: `bucket in pieces of ${piece} at ${phase}`,
    available: (accepted, now) => limit - missing(accepted, now),
    resets: {
      piece: (_, now) => tick(now, 1),
      full: (accepted, now) => tick(now, Math.max(1, Math.ceil(missing(accepted, now) / piece))),
    },
  };
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** Every conforming limiter of this limit and window, at every phase on the second. */
export function limitersOf(limit: number, window: number): readonly DefinedLimiter[] {
  const phasesOf = (length: number): readonly number[] =>
    upTo(Math.ceil(length / 1000)).map((seconds) => 1000 * seconds);
  return [
    windowFromFirst(limit, window),
    slidingLog(limit, window, 0, 0),
    bucket(limit, window),
    ...phasesOf(window).flatMap((phase) => [
      fixedWindow(limit, window, phase),
      slidingCounter(limit, window, phase, (weight) => weight),
      slidingCounter(limit, window, phase, Math.floor),
    ]),
    ...[2, 3].flatMap((steps) =>
      phasesOf(window / steps).map((phase) => slidingLog(limit, window, window / steps, phase)),
    ),
    ...upTo(limit).flatMap((at) =>
      phasesOf(((at + 1) * window) / limit).map((phase) => bucketInPieces(limit, window, at + 1, phase)),
    ),
  ];
}

/** Which limiter a model has. */
export interface ModelShape {
  readonly kind: (typeof modelKinds)[number];
  /** Milliseconds by which the windows or refills are shifted. */
  readonly phase: number;
  /** How many requests a bucket in pieces restores at a time. */
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

/** The definition of a model, and its Resets: when quota is next restored, and when the full quota is. */
function definitionOf({ kind, phase, chunk }: ModelShape, { limit, windowMs }: Quota) {
  const definitions: Readonly<
    Record<ModelShape['kind'], () => readonly [DefinedLimiter, next: string, full: string]>
  > = {
    'aligned window': () => [fixedWindow(limit, windowMs, -phase), 'end', 'end'],
    'window from the first request': () => [windowFromFirst(limit, windowMs), 'end', 'end'],
    'sliding log': () => [slidingLog(limit, windowMs, 0, 0), 'oldest', 'newest'],
    'sliding counter': () => [slidingCounter(limit, windowMs, -phase, (weight) => weight), 'end', 'end'],
    'token bucket': () => [bucket(limit, windowMs), 'token', 'full'],
    'chunked bucket': () => [bucketInPieces(limit, windowMs, chunk, -phase), 'piece', 'full'],
  };
  return definitions[kind]();
}

/** The limiter of one caller, with full quota. Times never decrease. */
export function limiterModel(shape: ModelShape, quota: Quota) {
  const [{ available, resets }, next, full] = definitionOf(shape, quota);
  const accepted: number[] = [];
  const resetOf = (name: string) => (now: number) => resets[name]?.(accepted, now) ?? now;
  return {
    /** How many requests would be accepted now; only the integer part counts. */
    available: (now: number) => available(accepted, now),
    count: (now: number) => void accepted.push(now),
    /** Takes back the last counted request, as limiters do that do not count failed ones. */
    refund: () => void accepted.pop(),
    /** When quota is next restored, and when all of it is if no further request is counted. */
    ...{ nextAt: resetOf(next), fullAt: resetOf(full) },
    waitSeconds: (now: number) => waitSeconds(available, accepted, now),
  };
}

export type LimiterModel = ReturnType<typeof limiterModel>;

/** Whole seconds until a limiter accepts the next request, fewer than 128. What is available never decreases, so each test halves them. */
export function waitSeconds(
  available: DefinedLimiter['available'],
  accepted: readonly number[],
  now: number,
): number {
  let wait = 0;
  for (let step = 64; step >= 1; step /= 2)
    if (available(accepted, now + 1000 * (wait + step - 1)) < 1) wait += step;
  return wait;
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
