import type { RunOption } from '../../reference-server/catalogue/faults/fault.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { VirtualRun } from './virtual-run.ts';

const { plans, ...windows } = loadPlans();

/** The plans of the specification with a small daily quota, which a run can use in a short time. */
const SMALL_DAY = {
  ...windows,
  plans: { ...plans, free: { perMinute: 60, perDay: 150 }, pro: { perMinute: 300, perDay: 700 } },
};

/** How a run in virtual time is given each option. */
const GIVEN: Readonly<Record<RunOption, VirtualRun>> = {
  'exclusive key': { exclusiveKey: true },
  'disposable key': { withDisposableKey: true },
  thorough: { thorough: true },
  'used day': { spendDay: true, withoutExhaustedKey: true, plans: SMALL_DAY },
};

/** The parameters of a run in virtual time with these options. */
export const runWith = (options: readonly RunOption[] = []): VirtualRun =>
  Object.assign({}, ...options.map((option) => GIVEN[option]));
