import { greatest, groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Limits } from '../../spec/plans.ts';
import type {
  CapacityInputs,
  KeyAlias,
  Operation,
  Profile,
  ProfileInputs,
  Scenario,
  Scheduled,
  Step,
  StepOf,
} from '../model/profile.ts';

/**
 * The arithmetic that profiles share. Whole numbers of requests, milliseconds, and bounds that hold for every limiter
 * that the specification allows: fixed windows, sliding logs, sliding counters and buckets.
 */

/** The length of the window called a minute, in milliseconds. */
export const windowMs = ({ minuteSeconds }: Limits): number => minuteSeconds * 1000;

/** How much longer than announced to wait: a second, or a tenth of a window shorter than ten seconds. In milliseconds. */
const waitMarginMs = (limits: Limits): number => Math.min(1000, windowMs(limits) / 10);

/** How long a key rests until every limiter has forgotten its use: two windows, because a sliding counter remembers the window before, and a margin. In milliseconds. */
export const restMs = (limits: Limits): number => 2 * windowMs(limits) + waitMarginMs(limits);

/**
 * The most requests per window that evenly spaced traffic may send indefinitely. A clock-aligned sliding counter can
 * see up to two requests more than the rate in one window, hence the two; a sliding log sees one more. A limit of 1 or
 * 2 leaves no even rate below it, and a sliding counter counts a request for two windows: one request every two
 * windows.
 */
export const sustainableRate = ({ perMinute }: Limits): number =>
  perMinute < 3 ? 0.5 : Math.min(Math.floor((perMinute * 9) / 10), perMinute - 2);

interface Pacing {
  /** Of the sustainable rate, above 0 and at most 1. */
  readonly share: number;
  /** Duration in windows; shorter where that is not a whole number of requests. */
  readonly windows: number;
  /** The most requests; a step that would send more ends earlier. */
  readonly most?: number;
}

/** Evenly spaced list requests, never faster than this share of the sustainable rate, at least one. */
export function pacedStep(
  limits: Limits,
  { share, windows, most = Number.POSITIVE_INFINITY }: Pacing,
): StepOf<'paced'> {
  const rate = sustainableRate(limits) * share;
  const requests = Math.max(1, Math.min(Math.floor(rate * windows), most));
  return evenStep('paced', requests, Math.ceil((requests * windowMs(limits)) / rate));
}

/** Requests evenly spaced over so many milliseconds, each due at the end of its interval. */
export const evenStep = <Kind extends 'paced' | 'persist'>(
  kind: Kind,
  requests: number,
  overMs: number,
  operation: Operation = 'list',
) => ({ kind, requests, overMs, turn: 1, operation });

/** One concurrent request of a burst for each so many requests of the limit. */
const LIMIT_PER_CONNECTION = { gentle: 60, steep: 10 } as const;

/**
 * A burst of list requests. `gentle`: one request at a time for a limit of 60, more for larger limits; with
 * responses within a 240th of the window (250 ms of a minute) it ends within a quarter of the window. `steep`:
 * six times as many at a time; with responses within a 600th of the window it ends within a 60th.
 */
export function burstStep(limits: Limits, requests: number, slope: keyof typeof LIMIT_PER_CONNECTION): Step {
  return { kind: 'burst', requests, concurrency: Math.ceil(limits.perMinute / LIMIT_PER_CONNECTION[slope]) };
}

/** Waits for a full quota in a window that lasts at least another quarter of its length, so that a burst fits. */
export const awaitQuotaForBurst = (limits: Limits): Step => ({
  kind: 'await full quota',
  neededMs: windowMs(limits) / 4,
});

/** Waits for a full quota, for steps that may cross the end of a window. */
export const awaitFullQuota: Step = { kind: 'await full quota', neededMs: 0 };

/**
 * How many requests exceed the limit: three, one for a preflight request that falls into the window before, and
 * as many as a bucket refills during the 60th of a window that a steep burst lasts. Few, because the target may
 * penalize each of them; enough that even a bucket that refilled in the pause before the burst rate-limits two.
 */
const requestsBeyondLimit = ({ perMinute }: Limits): number => 4 + Math.ceil(perMinute / 60);

/** Whoever rests for so long sees whether Reset stands still, in milliseconds; windows of seconds have no time for it. */
const RESET_SHOWN = { ms: 2200, ofWindow: 1 / 8 } as const;

/**
 * A pause in which a bucket gives one request back, and after which a Reset at a fixed distance does not stand still:
 * two single requests so far apart show whether anything flows back during a burst.
 */
export function restBeforeBurst(limits: Limits): Step {
  const window = windowMs(limits);
  // A smaller limit gives back too slowly to wait for it.
  const refillMs = limits.perMinute < 20 ? 0 : (1.15 * window) / limits.perMinute;
  const shownMs = Math.min(RESET_SHOWN.ms, RESET_SHOWN.ofWindow * window);
  const forMs = Math.ceil(Math.max(shownMs, refillMs));
  return {
    kind: 'rest',
    forMs,
    because: 'two single requests so far apart show whether quota comes back during a burst',
  };
}

export const SINGLE: Step = { kind: 'burst', requests: 1, concurrency: 1 };

/**
 * From a full quota to beyond the limit: two single requests, so that the headers show how the limiter gives back,
 * and then one steep burst. The preflight request counts towards the limit.
 */
export function exceedLimit(limits: Limits): readonly Step[] {
  const requests = limits.perMinute - 1 + requestsBeyondLimit(limits);
  return [
    awaitQuotaForBurst(limits),
    ...(requests > 2 ? [SINGLE, restBeforeBurst(limits), SINGLE] : []),
    burstStep(limits, requests > 2 ? requests - 2 : requests, 'steep'),
  ];
}

/**
 * Waits for Retry-After and sends one request, twice. A rounded-down Retry-After, or a
 * sliding counter, may cause a 429 for the first request; neither explains a second one.
 */
export function waitAndRetry(limits: Limits): readonly Step[] {
  const wait: Step = { kind: 'await retry-after', marginMs: waitMarginMs(limits) };
  return [wait, SINGLE, wait, SINGLE];
}

/**
 * A key that exceeds its limit beside others, and then does more. It first sends nothing for half a window, so that the
 * latency of the others is known before: harm that lasts would otherwise be taken for their usual latency.
 */
export const loudScenario = (key: KeyAlias, limits: Limits, more: readonly Step[] = []): Scenario =>
  scenarioOf(key, limits, [
    { kind: 'rest', forMs: windowMs(limits) / 2, because: 'the other keys are measured alone first' },
    ...exceedLimit(limits),
    ...more,
  ]);

/**
 * A caller that sends at half of the sustainable rate while another one exceeds its limit. It lasts
 * three windows, because the other may have to wait two before its burst, and it
 * does not wait for a full quota, because it would miss the burst.
 */
export const halfRateScenario = (key: KeyAlias, limits: Limits): Scenario =>
  scenarioOf(key, limits, [pacedStep(limits, { share: 0.5, windows: 3 })]);

/** A scenario of the preflight request and these steps, without steps of zero requests. */
export const scenarioOf = (key: KeyAlias, limits: Limits, steps: readonly Step[]): Scenario => ({
  ...{ key, limits },
  steps: [{ kind: 'preflight' }, ...steps.filter((step) => !('requests' in step) || step.requests > 0)],
});

/** The scenarios of a profile that sends with the key under test alone, by its steps after the preflight request. */
export const ofOneKey =
  (stepsOf: (limits: Limits) => readonly Step[]): Profile['scenarios'] =>
  ({ limits }) => [scenarioOf('key', limits, stepsOf(limits))];

/** The plans of a fleet: those that its inputs state, or one for all keys. */
export const plansOf = ({ limits, fleet, fleetPlans }: ProfileInputs) =>
  fleetPlans ?? [{ limits, keys: fleet, plan: '' }];

/** A scenario for each key of a fleet, with the steps after the preflight request that the limits of its plan lead to. */
export function fleetScenarios(
  inputs: ProfileInputs,
  stepsOf: (limits: Limits) => readonly Step[],
): readonly Scenario[] {
  const scenarios: Scenario[] = [];
  for (const { limits, keys } of plansOf(inputs)) {
    const steps = stepsOf(limits);
    for (let key = 0; key < keys; key += 1)
      scenarios.push(scenarioOf(`fleet-${scenarios.length + 1}`, limits, steps));
  }
  return scenarios;
}

/**
 * The same scenarios, whose keys send their paced steps in turn, evenly over the time between two requests of one
 * key, while their steps begin and end together. Otherwise a fleet of thousands would send all its requests within
 * the same few milliseconds, and nothing in between. The preflight requests of a fleet come at once; so all keys
 * then rest for the longest interval of the first paced steps, and the first rate is sent without them.
 */
export function inTurn(scenarios: readonly Scenario[]): readonly Scenario[] {
  if (scenarios.length < 2) return scenarios;
  const rest: Step = {
    kind: 'rest',
    forMs: Math.ceil(greatest(scenarios.map(firstIntervalMs))),
    because: 'the preflight requests of the fleet came at once',
  };
  // Keys of one plan share an interval, so they take turns in it.
  const fleets = groupedBy(scenarios, ({ limits }) => limits.perMinute);
  const turns = new Map(
    [...fleets.values()].flatMap((keys) =>
      keys.map(({ key }, at) => [key, (at + 0.5) / keys.length] as const),
    ),
  );
  return scenarios.map((scenario) => {
    const turn = turns.get(scenario.key) ?? 1;
    const first = scenario.steps.findIndex(isPaced);
    const steps = scenario.steps.map((step) => (isPaced(step) ? { ...step, turn } : step));
    return { ...scenario, steps: [...steps.slice(0, first), rest, ...steps.slice(first)] };
  });
}

const isPaced = (step: Step): step is StepOf<'paced'> => step.kind === 'paced';

function firstIntervalMs({ steps }: Scenario): number {
  const { overMs = 0, requests = 1 } = steps.find(isPaced) ?? {};
  return overMs / requests;
}

/** When the requests of a step with a schedule are due, in milliseconds from its start: for k6 and for the preview. */
export const dueMsOf = (step: Scheduled): readonly number[] =>
  step.kind === 'scheduled'
    ? step.dueMs
    : Array.from({ length: step.requests }, (_, n) => ((n + step.turn) * step.overMs) / step.requests);

/** What a request of such a step does. @param at its position in the step, from 0. */
export function operationAt(step: Scheduled, at: number): Operation {
  if (step.kind !== 'scheduled') return step.operation;
  return step.creates[at] === true ? 'create' : 'list';
}

/** How long a step takes by its schedule, in milliseconds; 0 where the responses decide that. */
export function scheduledMs(step: Step): number {
  if (step.kind === 'rest') return step.forMs;
  if (step.kind === 'scheduled') return step.dueMs.at(-1) ?? 0;
  return 'overMs' in step ? step.overMs : 0;
}

/** The most of ascending moments that lie within a span of time, both ends included. */
export function mostWithin(moments: readonly number[], span: number): number {
  let [most, first] = [0, 0];
  for (const [last, moment] of moments.entries()) {
    while ((moments[first] ?? moment) < moment - span) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

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

function stepRequests(step: Step): number {
  if (step.kind === 'preflight') return 1;
  return 'requests' in step ? step.requests : 0;
}

export const scenarioRequests = ({ steps }: Scenario): number =>
  steps.reduce((sum, step) => sum + stepRequests(step), 0);

export const totalRequests = (scenarios: readonly Scenario[]): number =>
  scenarios.reduce((sum, scenario) => sum + scenarioRequests(scenario), 0);
