import { durationText } from '../../../kernel/basics/duration-text.ts';
import { groupedNumber } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { dayShareOfPace, mostOfDay, paceDuration } from '../probes/spend-day.ts';
import type { RunPlan } from './plan.ts';
import { requestsOfDay } from './plan.ts';

/** The most requests of a day that a run uses: each is an exchange in the journal and in memory. */
const LARGEST_DAY = 20_000;

/** A bucket must not give back more of the day than this share of what the permitted pace uses. */
const MOST_GIVEN_BACK = 0.5;

/**
 * Checks that a run can use the daily quota of this plan at the pace that the limit per minute permits.
 * @param option what the user calls the option, at the start of a sentence.
 * @throws {UserError} when the day is too large, or too short to be used.
 */
export function checkSpendDay(run: RunPlan, option: string): void {
  const { limits, plan } = run.inputs;
  const { perDay, perMinute, minuteSeconds, daySeconds } = limits;
  const own = requestsOfDay(run);
  if (own === undefined) return;
  const others = run.total.withKey - own;
  if (others >= perDay) {
    throw new UserError(
      `${option} needs a day of more requests than the ${groupedNumber(others)} that the rest of the run sends with the key; plan "${plan}" has ${groupedNumber(perDay)}.`,
    );
  }
  if (perDay > LARGEST_DAY) {
    throw new UserError(
      `${option} would send ${groupedNumber(perDay + 1)} requests of plan "${plan}" in about ${durationText(paceDuration(perDay, limits))}, and up to ${groupedNumber(mostOfDay(limits))} if the target does not enforce the day; it uses days of at most ${groupedNumber(LARGEST_DAY)} requests: use a plan file with a smaller day, on a staging system that has it.`,
    );
  }
  if (dayShareOfPace(limits) > MOST_GIVEN_BACK) {
    throw new UserError(
      `${option} cannot use the ${groupedNumber(perDay)} requests that plan "${plan}" has in ${durationText(daySeconds)}: at ${groupedNumber(perMinute)} requests in ${durationText(minuteSeconds)} a bucket gives back too much meanwhile; use a plan file with a longer day or a smaller quota for it.`,
    );
  }
}
