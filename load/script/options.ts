import type { Options, Scenario } from 'k6/options';
import type { Lane } from '../model/profile.ts';
import { requestsOf } from '../profiles/requests.ts';
import type { Assignment } from './environment.ts';
import { fenceMs } from './maximum-duration.ts';

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
const BEYOND_FENCE = 60;

/** k6 keeps so many idle connections of a lane: a burst must not have to open new ones. */
const CONNECTIONS = 200;

/**
 * k6's options for a profile. One scenario for each key, of one user and one
 * iteration, so that nothing but the lane itself decides what is sent.
 * The thresholds count: what was never sent fails them, too.
 */
export function optionsOf({ profile, means, lanes }: Assignment): Options {
  const scenarios = lanes.map((lane): [string, Scenario] => [
    lane.key,
    {
      executor: 'per-vu-iterations',
      exec: 'lane',
      vus: 1,
      iterations: 1,
      gracefulStop: '0s',
      maxDuration: `${Math.ceil(fenceMs(lane, means.limits) / 1000) + BEYOND_FENCE}s`,
      env: { LANE: lane.key },
    },
  ]);
  return {
    scenarios: Object.fromEntries(scenarios),
    thresholds: thresholdsOf(lanes, profile.expects),
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
  lanes: readonly Lane[],
  expects: Assignment['profile']['expects'],
): Record<string, string[]> {
  const sent = lanes.map((lane) => [`${REQUESTS}{key:${lane.key}}`, [`count==${requestsOf(lane)}`]]);
  const status = (code: number): string => `${REQUESTS}{status:${code}}`;
  return {
    ...Object.fromEntries(sent),
    [`${METRICS.event}{kind:finished}`]: [`count==${lanes.length}`],
    ...(expects.includes('NO-429') ? { [status(429)]: ['count==0'] } : {}),
    ...(expects.includes('REFUSED') ? { [status(429)]: ['count>0'] } : {}),
  };
}
