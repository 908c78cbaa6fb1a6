import { countOf, groupedNumber } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { CapacityInputs } from '../../../load/model/inputs.ts';
import { keysNeeded } from '../../../load/preview/capacity-keys.ts';
import { defaultCapacity, mostForKey } from '../../../load/profiles/capacity.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { OptionValues } from '../../options/table.ts';

/** The options that only a capacity run has. */
type CapacityOptions = Pick<OptionValues, 'rate' | 'duration' | 'ramp' | 'creates' | 'arrivals'>;

/** The most requests of a capacity run: more would not fit into the memory of k6 and of the judge. */
const MOST_REQUESTS = 2_000_000;

/**
 * Reads what a capacity run is to send.
 * @throws {UserError} when an option is wrong, or the keys do not allow the rate.
 */
export function readCapacity(options: CapacityOptions, limits: Limits, fleet: number): CapacityInputs {
  const usual = defaultCapacity(limits, fleet);
  const inputs: CapacityInputs = {
    perSecond: options.rate === undefined ? usual.perSecond : readRate(options.rate),
    seconds: options.duration === undefined ? usual.seconds : readTime('duration', options.duration),
    rampSeconds: options.ramp === undefined ? 0 : readTime('ramp', options.ramp),
    createShare: options.creates === undefined ? 0 : readPercentage(options.creates),
    arrivals: options.arrivals ?? 'even',
  };
  if (inputs.rampSeconds > inputs.seconds)
    throw new UserError('--ramp is longer than --duration, of which it is a part.');
  if (inputs.perSecond * inputs.seconds > MOST_REQUESTS)
    throw new UserError(
      `A capacity run sends ${groupedNumber(MOST_REQUESTS)} requests at most: lower --rate or --duration.`,
    );
  const needed = keysNeeded(inputs, limits, fleet);
  if (needed === undefined) return inputs;
  throw new UserError(
    `${Number(inputs.perSecond.toPrecision(4))} requests a second are more than ${countOf(fleet, 'key')} of this plan may send (${mostForKey(limits)} of ${limits.perMinute} in a window each, so that no conforming limiter returns 429): use ${needed} keys or a lower --rate.`,
  );
}

function readRate(text: string): number {
  const rate = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (rate > 0) return rate;
  throw new UserError('--rate takes requests per second, greater than 0, such as 12 or 0.5.');
}

/** Seconds of a time such as `90`, `90s` or `5m`. */
function readTime(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|)$/.exec(text) ?? [];
  const seconds = Number(number ?? 0) * (unit === 'm' ? 60 : 1);
  if (seconds > 0) return seconds;
  throw new UserError(`--${option} takes a time greater than 0, such as 90s or 5m.`);
}

function readPercentage(text: string): number {
  const percent = /^\d{1,3}(?:\.\d)?$/.test(text) ? Number(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent / 100;
  throw new UserError('--creates takes a percentage from 0 to 100.');
}
