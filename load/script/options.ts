import type { Scenario as K6Scenario, Options } from 'k6/options';
import type { Scenario } from '../model/profile.ts';
import { scenarioRequests } from '../profiles/requests.ts';
import type { Assignment } from './environment.ts';
import { maximumDurationMs } from './maximum-duration.ts';

/** k6's own Counter of requests, tagged with key and status. */
const REQUESTS = 'http_reqs';

/** The names of the script's metrics. */
export const METRICS = {
  /** A Trend: milliseconds from the planned (else the actual) send time to the last byte; its metadata hold the sample. */
  request: 'petstore_request',
  /** A Counter of waits and ends of scenarios; its metadata hold the event. */
  event: 'petstore_event',
  /** Gauges of the latest rate-limit headers of each key. */
  remaining: 'petstore_remaining',
  reset: 'petstore_reset',
} as const;

/** The metadata field that holds a sample or an event as JSON. */
export const RECORD_FIELD = 'record';

/** k6 may run this much longer than any scenario, in seconds, so that its own timeout always indicates a fault of the script. */
const SECONDS_AFTER_SCENARIO = 60;

/** Idle connections that k6 keeps for each scenario, so that a burst need not open new ones. */
const CONNECTIONS = 200;

/**
 * k6's options for a profile. One k6 scenario for each key, with one virtual user and one
 * iteration, so that the scenario alone decides what is sent.
 * The thresholds are counts, so requests that were never sent fail them as well.
 */
export function optionsOf({ profile, inputs, scenarios, clientCertificate }: Assignment): Options {
  const k6Scenarios = scenarios.map((scenario): [string, K6Scenario] => [
    scenario.key,
    {
      executor: 'per-vu-iterations',
      exec: 'scenario',
      vus: 1,
      iterations: 1,
      gracefulStop: '0s',
      maxDuration: `${Math.ceil(maximumDurationMs(scenario, inputs.limits) / 1000) + SECONDS_AFTER_SCENARIO}s`,
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
    ...(clientCertificate === undefined ? {} : { tlsAuth: [clientCertificate] }),
    userAgent: 'petstore-conformance (k6)',
    tags: { profile: profile.id },
    // Every tag is written with each of the nine metrics that k6 records for a request.
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
    [`count==${scenarioRequests(scenario)}`],
  ]);
  const status = (code: number): string => `${REQUESTS}{status:${code}}`;
  return {
    ...Object.fromEntries(sent),
    [`${METRICS.event}{kind:finished}`]: [`count==${scenarios.length}`],
    ...(expects.includes('NO-429') ? { [status(429)]: ['count==0'] } : {}),
    ...(expects.includes('RATE-LIMITED') ? { [status(429)]: ['count>0'] } : {}),
  };
}
