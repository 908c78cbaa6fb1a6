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

const since = (accepted: readonly number[], from: number, to: number): number =>
  accepted.filter((at) => at >= from && at < to).length;

const fixedWindow = (limit: number, window: number, phase: number): DefinedLimiter => ({
  name: `fixed window at ${phase}`,
  available: (accepted, now) => limit - since(accepted, endOf(now, window, phase) - window, Infinity),
  resets: { end: (_, now) => endOf(now, window, phase) },
});

function windowFromFirst(limit: number, window: number): DefinedLimiter {
  const startOf = (accepted: readonly number[], now: number): number =>
    [...accepted, now].reduce((start, at) => (at >= start + window ? at : start), -Infinity);
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
    for (const at of accepted) [level, last] = [Math.max(0, level - (limit * (at - last)) / window) + 1, at];
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
    for (const at of [...accepted, now]) {
      level = Math.max(0, level - piece * (tickOf(at) - tickOf(last))) + 1;
      last = at;
    }
    return level - 1;
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
