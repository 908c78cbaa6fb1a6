import type { CapacityInputs } from '../model/inputs.ts';

/** The seed of random arrivals: the same in the preview, in k6 and in the judge, so that the count stays exact. */
const SEED = 20_261_122;

/**
 * When the requests of a capacity run are due, in milliseconds from its start, ascending. The rate rises evenly
 * from zero during the ramp. `even`: one after another at the same distance; `poisson`: independent of each other, as
 * many users send, with a random but reproducible count.
 */
export function arrivalsOf({ perSecond, seconds, rampSeconds, arrivals }: CapacityInputs): readonly number[] {
  const ramp = Math.min(rampSeconds, seconds);
  const total = perSecond * (seconds - ramp / 2);
  const random = arrivals === 'poisson' ? seededRandom() : undefined;
  const due: number[] = [];
  for (let reached = 0; ; ) {
    reached += random === undefined ? 1 : -Math.log(1 - random());
    if (reached > total + ROUNDING) return due;
    due.push(1000 * momentOf(reached, perSecond, ramp));
  }
}

/** Tolerance for rounding errors, in requests. */
const ROUNDING = 1e-6;

/** The second at which so many requests are due: the inverse of the rate, summed up. */
function momentOf(requests: number, perSecond: number, ramp: number): number {
  const inRamp = (perSecond * ramp) / 2;
  if (requests >= inRamp) return ramp / 2 + requests / perSecond;
  return Math.sqrt((2 * requests * ramp) / perSecond);
}

/** A linear congruential generator of numbers from 0 to below 1. */
function seededRandom(): () => number {
  let state = SEED;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
