import type { Limits } from '../../spec/plans.ts';
import type { Profile, Step } from '../model/profile.ts';
import { awaitFullQuota, burstStep, fleetScenarios, pacedStep, windowMs } from './arithmetic.ts';

/** A low rate, a burst of all keys at once, and the low rate again; never more than the limit of a key, so no 429 is allowed. */
export const spike = {
  id: 'spike',
  description:
    'Sends at a low rate with every key of a fleet, bursts with all keys at once to three fifths of their limits, and returns to the low rate.',
  why: 'Shows how far latency rises and how soon it recovers when all customers send at the same moment within their limits.',
  needs: [],
  banRisk: 'none',
  expects: ['SENT', 'CONTRACT', 'NO-429', 'NO-5XX', 'RECOVERS'],
  scenarios: (inputs) => fleetScenarios(inputs, stepsOf),
} as const satisfies Profile;

function stepsOf(limits: Limits): readonly Step[] {
  const { perMinute } = limits;
  const each = Math.floor(perMinute / 6);
  const lowRate = {
    kind: 'paced',
    requests: each,
    overMs: windowMs(limits) / 2,
    turn: 1,
    operation: 'list',
  } as const;
  const most = Math.max(0, Math.min(Math.floor((perMinute * 3) / 5), perMinute - 2 * each - 2));
  // A limit of 1 or 2 is too small for a burst beside the preflight request.
  const peak = most > 0 ? burstStep(limits, most, 'steep') : pacedStep(limits, { share: 1, windows: 2 });
  return [{ kind: 'preflight' }, awaitFullQuota, lowRate, peak, lowRate];
}
