import type { Limits } from '../../spec/plans.ts';

/** Nine tenths of the day's quota, in requests: what the runs of a key may use in a day unless the user allows all of it. */
export const dayAllowance = ({ perDay }: Limits): number => Math.floor((perDay * 9) / 10);
