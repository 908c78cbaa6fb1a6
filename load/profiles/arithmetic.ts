import type { Limits } from '../../spec/plans.ts';
import type { KeyAlias, Scenario, Step } from '../model/profile.ts';

/**
 * The arithmetic that the profiles share. Whole numbers of requests,
 * milliseconds, and bounds that hold for every limiter the specification
 * allows: fixed windows, sliding logs and counters, buckets.
 */

/** The length of the window called a minute, in milliseconds. */
export const windowMs = ({ minuteSeconds }: Limits): number => minuteSeconds * 1000;

/** Nine tenths of the day's quota, in requests: what a key may use in a day without leave to use all of it. */
export const dayAllowance = ({ perDay }: Limits): number => Math.floor((perDay * 9) / 10);

/** How much later than promised is late enough: a second, or a tenth of a window that is shorter than ten. In milliseconds. */
export const guardMs = (limits: Limits): number => Math.min(1000, windowMs(limits) / 10);

/**
 * The most requests for each window that an even row may send for ever. A
 * clock-aligned counter that slides sees up to two requests more than the rate
 * in one window, hence the two; a log sees one more. Where the limit is 1 or 2 nothing
 * below it is even, and a sliding counter needs two windows to forget: one
 * request for every two windows.
 */
export const steadyRate = ({ perMinute }: Limits): number =>
  perMinute < 3 ? 0.5 : Math.min(Math.floor((perMinute * 9) / 10), perMinute - 2);

/** How an even row is made. */
interface Row {
  /** Of the steady rate, above 0 and at most 1. */
  readonly share: number;
  /** How long it lasts, in windows; shorter where that is no whole number of requests. */
  readonly windows: number;
  /** The most requests; a row that would have more ends earlier. */
  readonly most?: number;
}

/** An even row of requests, never faster than its share of the steady rate, and never empty. */
export function evenRow(limits: Limits, { share, windows, most = Number.POSITIVE_INFINITY }: Row): Step {
  const rate = steadyRate(limits) * share;
  const requests = Math.max(1, Math.min(Math.floor(rate * windows), most));
  return {
    kind: 'paced',
    requests,
    overMs: Math.ceil((requests * windowMs(limits)) / rate),
    operation: 'list',
  };
}

/** How many requests of a burst are under way at once, for each request of the limit. */
const AT_ONCE_SHARE = { serial: 60, steep: 10 } as const;

/**
 * A burst of so many requests. `serial`: one at a time for a limit of 60, more for larger ones, so that at a
 * 240th of the window for an answer (250 ms of a minute) it ends in a quarter of the window. `steep`: six
 * times as many, so that it ends in a 60th at a 600th for an answer.
 */
export function burst(limits: Limits, requests: number, how: keyof typeof AT_ONCE_SHARE): Step {
  return { kind: 'burst', requests, atOnce: Math.ceil(limits.perMinute / AT_ONCE_SHARE[how]) };
}

/** Room for a burst: a quarter of the window, in milliseconds, whatever the burst. */
export const roomForBurst = (limits: Limits): Step => ({
  kind: 'await full quota',
  lastsMs: windowMs(limits) / 4,
});

/** An untouched limit, for what may cross the edge of a window without harm. */
export const untouched: Step = { kind: 'await full quota', lastsMs: 0 };

/**
 * How many requests go beyond the limit: three, one for a look that lies in the window before, and
 * what a bucket gives back in the 60th of a window that a steep burst lasts. Few, because each is one that
 * the target may hold against the key; yet even a bucket refuses three of them.
 */
export const surplus = ({ perMinute }: Limits): number => 4 + Math.ceil(perMinute / 60);

/** From an untouched limit to beyond it in one steep burst, the look included in the count. */
export function overTheLimit(limits: Limits): readonly Step[] {
  return [
    { kind: 'preflight' },
    roomForBurst(limits),
    burst(limits, limits.perMinute - 1 + surplus(limits), 'steep'),
  ];
}

/**
 * Whether a wait was long enough: a request after it, and after a further wait
 * a second one. A Retry-After that was rounded down may refuse the first, and a sliding counter may, too;
 * refusing both is nobody's rounding.
 */
export function waitAndRetry(limits: Limits): readonly Step[] {
  const wait: Step = { kind: 'await retry-after', guardMs: guardMs(limits) };
  const once: Step = { kind: 'burst', requests: 1, atOnce: 1 };
  return [wait, once, wait, once];
}

/**
 * A caller who keeps to half of the steady rate while another one goes too far. Lasts
 * three windows, because the other may have to wait two before it bursts, and
 * finds no room first, because it would otherwise miss that.
 */
export function neighbour(key: KeyAlias, limits: Limits): Scenario {
  return scenario(key, [{ kind: 'preflight' }, evenRow(limits, { share: 0.5, windows: 3 })]);
}

/** A lane of these steps, without those that would send nothing. */
export const scenario = (key: KeyAlias, steps: readonly Step[]): Scenario => ({
  key,
  steps: steps.filter((step) => !('requests' in step) || step.requests > 0),
});

/** One lane of the same steps for each key of a fleet. */
export const fleetOf = (size: number, steps: readonly Step[]): readonly Scenario[] =>
  Array.from({ length: size }, (_, at) => scenario(`fleet-${at + 1}`, steps));
