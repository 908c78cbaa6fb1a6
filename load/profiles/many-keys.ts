import type { Limits } from '../../spec/plans.ts';
import type { Profile, ProfileInputs, Scenario } from '../model/profile.ts';
import {
  exceedLimit,
  fleetScenarios,
  halfRateScenario,
  inTurn,
  pacedStep,
  plansOf,
  restForBaseline,
  scenarioOf,
  waitAndRetry,
  windowMs,
} from './arithmetic.ts';

/** Two callers of one target; one of them exceeds its limit. */
export const isolation = {
  id: 'isolation',
  description:
    'Exceeds the limit with the key under test, while another caller sends at half the sustainable rate.',
  why: 'Shows that each caller has its own limit: one that is rate-limited does not slow down another.',
  needs: ['other key'],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios: ({ limits }) => [
    scenarioOf('key', exceedLimit(limits, restForBaseline(limits))),
    halfRateScenario('other', limits),
  ],
} as const satisfies Profile;

/** Requests sent despite 429 responses: well beyond the few after which services ban a key. */
const PERSISTENT_REQUESTS = 20;

/** A client that does what the specification warns against, with a key that may get banned, beside another caller. */
export const offender = {
  id: 'offender',
  description:
    'Keeps sending after 429 with a disposable key, while the key under test sends at half the sustainable rate.',
  why: 'Shows whether and how an offender is banned, that a ban ends as announced, and that other callers are not affected.',
  needs: ['disposable key'],
  banRisk: 'intended',
  expects: ['SENT', 'NO-5XX', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR', 'BAN-ENDS'],
  scenarios({ limits }) {
    const persist = {
      kind: 'persist',
      requests: PERSISTENT_REQUESTS,
      everyMs: Math.ceil(windowMs(limits) / 240),
    } as const;
    return [
      scenarioOf('disposable', [
        ...exceedLimit(limits, restForBaseline(limits)),
        persist,
        ...waitAndRetry(limits),
      ]),
      halfRateScenario('key', limits),
    ];
  },
} as const satisfies Profile;

/** How many windows the other keys send: the one that exceeds its limit may have to wait two before its burst. */
const WINDOWS = 3;

/** Keys of several plans at the same time, each at the rate of its own plan; one of them exceeds its limit. */
export const plans = {
  id: 'plans',
  description:
    'Sends with every key of a fleet of several plans nine tenths of the limit of its own plan at once, while the first key of the smallest plan exceeds its limit.',
  why: 'Shows that each key has the limit of its own plan, and that a plan that is exhausted does not slow down or limit another.',
  needs: [],
  banRisk: 'low',
  expects: ['SENT', 'CONTRACT', 'NO-5XX', 'FLOOR', 'CEILING', 'RATE-LIMITED', 'NEIGHBOUR'],
  scenarios(inputs) {
    const all = fleetScenarios(inputs, (limits) => [
      { kind: 'preflight' },
      pacedStep(limits, { share: 1, windows: WINDOWS }),
    ]);
    const loud = all.find((one) => limitsOf(one, inputs) === smallest(inputs));
    const others = inTurn(all.filter((one) => one !== loud));
    const byKey = new Map(others.map((one) => [one.key, one]));
    return all.map((one) => byKey.get(one.key) ?? exceeding(one, limitsOf(one, inputs)));
  },
} as const satisfies Profile;

const limitsOf = (scenario: Scenario, { limits }: ProfileInputs): Limits => scenario.limits ?? limits;

/** The limits of the plan with the lowest limit a minute, whose key sends the fewest requests beyond it. */
const smallest = (inputs: ProfileInputs): Limits =>
  plansOf(inputs).reduce(
    (least, { limits }) => (limits.perMinute < least.perMinute ? limits : least),
    plansOf(inputs)[0]?.limits ?? inputs.limits,
  );

/** The same key, which exceeds its limit after the others were measured without it. */
const exceeding = (scenario: Scenario, limits: Limits): Scenario => ({
  ...scenario,
  ...scenarioOf(scenario.key, exceedLimit(limits, restForBaseline(limits))),
});
