import type { Scenario as K6Scenario, Options } from 'k6/options';
import type { Scenario } from '../model/profile.ts';
import { requestsOf } from '../profiles/requests.ts';
import type { Assignment } from './environment.ts';
import { maximumDurationMs } from './maximum-duration.ts';

/** k6's own Counter of requests; each carries its key and its status. */
const REQUESTS = 'http_reqs';

/** The metrics of the script, by what they are for. */
export const METRICS = {
  /** A Trend, milliseconds from the planned (else the actual) sending to the receipt; carries the whole sample. */
  request: 'petstore_request',
  /** A Counter of what lanes did besides; carries the whole event. */
  event: 'petstore_event',
  /** Gauges of what each key was told. */
  remaining: 'petstore_remaining',
  reset: 'petstore_reset',
} as const;

/** k6 gets this much longer than any lane takes, in seconds, so that its own end is always a fault. */
const AFTER_MAXIMUM_DURATION = 60;

/** k6 keeps so many idle connections of a lane: a burst must not have to open new ones. */
const CONNECTIONS = 200;

/**
 * k6's options for a profile. One scenario for each key, of one user and one
 * iteration, so that nothing but the lane itself decides what is sent.
 * The thresholds count: what was never sent fails them, too.
 */
export function optionsOf({ profile, inputs, scenarios }: Assignment): Options {
  const k6Scenarios = scenarios.map((scenario): [string, K6Scenario] => [
    scenario.key,
    {
      executor: 'per-vu-iterations',
      exec: 'scenario',
      vus: 1,
      iterations: 1,
      gracefulStop: '0s',
      maxDuration: `${Math.ceil(maximumDurationMs(scenario, inputs.limits) / 1000) + AFTER_MAXIMUM_DURATION}s`,
      env: { SCENARIO: scenario.key },
    },
  ]);
  return {
    scenarios: Object.fromEntries(k6Scenarios),
    thresholds: thresholdsOf(scenarios, profile.expects),
    discardResponseBodies: true,
    batch: CONNECTIONS,
    batchPerHost: CONNECTIONS,
    maxRedirects: 0,
    userAgent: 'petstore-conformance (k6)',
    tags: { profile: profile.id },
    // Each tag is written with each of the nine things that k6 measures of a request.
    systemTags: ['status', 'error_code'],
    summaryTrendStats: ['min', 'med', 'p(90)', 'p(99)', 'p(99.9)', 'max', 'count'],
  };
}

function thresholdsOf(
  scenarios: readonly Scenario[],
  expects: Assignment['profile']['expects'],
): Record<string, string[]> {
  const sent = scenarios.map((scenario) => [
    `${REQUESTS}{key:${scenario.key}}`,
    [`count==${requestsOf(scenario)}`],
  ]);
  const status = (code: number): string => `${REQUESTS}{status:${code}}`;
  return {
    ...Object.fromEntries(sent),
    [`${METRICS.event}{kind:finished}`]: [`count==${scenarios.length}`],
    ...(expects.includes('NO-429') ? { [status(429)]: ['count==0'] } : {}),
    ...(expects.includes('RATE-LIMITED') ? { [status(429)]: ['count>0'] } : {}),
  };
}
