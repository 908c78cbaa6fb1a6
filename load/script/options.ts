import type { Options } from 'k6/options';
import { greatest } from '../../kernel/exchanges/collections.ts';
import type { Scenario, Step } from '../model/profile.ts';
import { scenarioRequests, scheduledMs, totalRequests } from '../profiles/arithmetic.ts';
import type { Assignment } from './environment.ts';

/** How long a request may take before it counts as one without a response, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** No conforming limiter of a minute requires a wait of this many windows; some block a key for two. */
const LONGEST_WAIT_WINDOWS = 5;

/**
 * The longest that a scenario may take against any conforming limiter of the plan, in milliseconds. A longer one means
 * a banned key, an exhausted day, or a script that hangs. A scenario that exhausts the day may wait until it ends.
 */
export function maximumDurationMs(scenario: Scenario): number {
  const { limits } = scenario;
  const longestWait = LONGEST_WAIT_WINDOWS * limits.minuteSeconds * 1000;
  const day = scenarioRequests(scenario) >= limits.perDay ? limits.daySeconds * 1000 : 0;
  const maximum = (step: Step): number => {
    switch (step.kind) {
      case 'await full quota':
        return 2 * longestWait + step.neededMs;
      case 'rest':
        return step.forMs;
      case 'burst':
        return Math.ceil(step.requests / step.concurrency) * REQUEST_TIMEOUT_MS;
      case 'await retry-after':
        return longestWait + day + step.marginMs;
      case 'polite':
        return (
          step.requests * REQUEST_TIMEOUT_MS + (Math.ceil(step.requests / limits.perMinute) + 1) * longestWait
        );
      default:
        return scheduledMs(step) + REQUEST_TIMEOUT_MS;
    }
  };
  return scenario.steps.reduce((sum, step) => sum + maximum(step), 0);
}

/** k6's own Counter of requests, tagged with their status. */
const REQUESTS = 'http_reqs';

export const METRICS = {
  /** A Trend: milliseconds from the planned (else the actual) send time to the last byte. */
  request: 'petstore_request',
  /** A Counter of waits and ends of scenarios. */
  event: 'petstore_event',
  /** Gauges of the latest rate-limit headers of each key. */
  remaining: 'petstore_remaining',
  reset: 'petstore_reset',
} as const;

/** k6 may run this much longer than any scenario, in seconds, so that its own timeout always indicates a fault of the script. */
const SECONDS_AFTER_SCENARIO = 60;

/** Idle connections that k6 keeps for each key, so that a burst need not open new ones. */
const CONNECTIONS = 200;

/**
 * k6's options for a profile. One virtual user with one iteration for each key, so that the scenario of the key alone
 * decides what is sent. All are in one scenario of k6: it divides the virtual users between the execution segments of
 * several runners, and numbers their iterations through all of them, so each key has one place. The thresholds are
 * counts, so requests that were never sent fail them as well. Of several runners, none knows the count of all.
 */
export function optionsOf({ profile, scenarios, runners, clientCertificate }: Assignment): Options {
  const longestMs = greatest(scenarios.map(maximumDurationMs));
  return {
    scenarios: {
      keys: {
        executor: 'per-vu-iterations',
        exec: 'scenario',
        vus: scenarios.length,
        iterations: 1,
        gracefulStop: '0s',
        maxDuration: `${Math.ceil(longestMs / 1000) + SECONDS_AFTER_SCENARIO}s`,
      },
    },
    thresholds: { ...(runners === 1 ? countsOf(scenarios) : {}), ...rateLimitedCounts(profile.expects) },
    discardResponseBodies: true,
    batch: CONNECTIONS,
    batchPerHost: CONNECTIONS,
    maxRedirects: 0,
    ...(clientCertificate === undefined ? {} : { tlsAuth: [clientCertificate] }),
    userAgent: 'petstore-conformance (k6)',
    tags: { profile: profile.id },
    // Every tag costs time with each of the nine metrics that k6 records for a request.
    systemTags: ['status', 'error_code'],
    summaryTrendStats: ['min', 'med', 'p(90)', 'p(99)', 'p(99.9)', 'max', 'count'],
  };
}

const countsOf = (scenarios: readonly Scenario[]): Record<string, string[]> => ({
  [REQUESTS]: [`count==${totalRequests(scenarios)}`],
  [`${METRICS.event}{kind:finished}`]: [`count==${scenarios.length}`],
});

function rateLimitedCounts(expects: Assignment['profile']['expects']): Record<string, string[]> {
  const limited = `${REQUESTS}{status:429}`;
  if (expects.includes('NO-429')) return { [limited]: ['count==0'] };
  return expects.includes('RATE-LIMITED') ? { [limited]: ['count>0'] } : {};
}
