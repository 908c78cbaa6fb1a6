/**
 * The script that k6 runs, for every profile:
 *
 *     export PETSTORE_API_KEY=…
 *     k6 run -e TARGET=http://127.0.0.1:8080/v1 -e PROFILE=at-limit load/script/main.ts
 *
 * PLAN (free), PLANS (a plan file, beside this script or absolute) and MINUTES
 * (of a soak) may be set, too. What is sent and when is decided in lane.ts; this file only lends it k6.
 */
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Gauge, Trend } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { rateReading } from '../../suites/model/headers.ts';
import { answerOf } from '../model/answer.ts';
import { latencyMs } from '../model/latency.ts';
import type { KeyAlias, Operation } from '../model/profile.ts';
import type { LaneEvent, Sample, SampleOutcome } from '../model/sample.ts';
import { assignmentOf } from './environment.ts';
import { REQUEST_TIMEOUT_MS } from './fence.ts';
import { errorText, headerText } from './header-text.ts';
import type { LaneEnd } from './lane.ts';
import { runLane } from './lane.ts';
import { METRICS, optionsOf } from './options.ts';
import type { Port, Sent } from './port.ts';

const assignment = assignmentOf(__ENV, (path) => open(path));
const secrets = Object.values(assignment.keys).filter((key) => key !== undefined);

export const options = optionsOf(assignment);

const requestTrend = new Trend(METRICS.request, true);
const requestCount = new Counter(METRICS.requests);
const eventCount = new Counter(METRICS.event);
const remainingGauge = new Gauge(METRICS.remaining);
const resetGauge = new Gauge(METRICS.reset);

// A 429 is an answer that the service owes, no failed request.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

/** Runs the lane of one scenario. Whatever ends it early ends the run, unless a key was there to be lost. */
export async function lane(): Promise<void> {
  const key = __ENV['LANE'] as KeyAlias;
  const port = portOf(key);
  const end = await runnable(key, port).catch((error: unknown): LaneEnd => {
    const detail = errorText(error instanceof Error ? error.message : String(error), secrets);
    port.event({ kind: 'stopped', key, at: port.now(), because: 'script', detail });
    return { kind: 'stopped', because: 'script', detail };
  });
  if (end.kind === 'stopped' && key !== 'sacrificial')
    exec.test.abort(`${key}: ${end.because}: ${end.detail}`);
}

async function runnable(key: KeyAlias, port: Port): Promise<LaneEnd> {
  const { profile, means, lanes } = assignment;
  const found = lanes.find((one) => one.key === key);
  if (found === undefined) throw new Error(`the profile ${profile.id} has no lane for ${key}`);
  return runLane(found, means.limits, port);
}

function portOf(key: KeyAlias): Port {
  // k6's own clock has fractions of a millisecond, which Date lacks.
  const start = Date.now() - exec.instance.currentTestRunDuration;
  const now = (): number => start + exec.instance.currentTestRunDuration;
  return {
    now,
    random: Math.random,
    async wait(until) {
      for (let left = until - now(); left > 0; left = until - now()) await elapse(left);
    },
    async send(operation, n): Promise<Sent> {
      const sent = now();
      const response = await request(operation, key, n);
      return { sent, received: now(), outcome: outcomeOf(response) };
    },
    sample: tellSample,
    event: tellEvent,
  };
}

const elapse = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(() => resolve(), milliseconds));

type Answered = Awaited<ReturnType<typeof request>>;

function request(operation: Operation, key: KeyAlias, n: number) {
  const creates = operation === 'create';
  const [method, body] = creates
    ? ['POST', JSON.stringify({ name: `load-${assignment.run}-${key}-${n}` })]
    : ['GET', null];
  return http.asyncRequest(method, `${assignment.target}/categories`, body, {
    headers: {
      Authorization: `Bearer ${assignment.keys[key]}`,
      Accept: 'application/json',
      ...(creates ? { 'Content-Type': 'application/json' } : {}),
    },
    tags: { key, name: `${method} /categories` },
    redirects: 0,
    timeout: REQUEST_TIMEOUT_MS,
    responseType: 'none',
  });
}

/** k6 names headers as Go does. */
const GO_NAMES = {
  limit: 'X-Ratelimit-Limit',
  remaining: 'X-Ratelimit-Remaining',
  reset: 'X-Ratelimit-Reset',
  retryAfter: 'Retry-After',
  date: 'Date',
} as const;

function outcomeOf({ status, error, headers }: Answered): SampleOutcome {
  if (status === 0) return { kind: 'silence', error: errorText(error, secrets) };
  const said = Object.entries(GO_NAMES).flatMap(([field, name]) => {
    const value = headers[name];
    return value === undefined ? [] : [[field, headerText(value, secrets)] as const];
  });
  return { kind: 'answer', status, ...Object.fromEntries(said) };
}

/** Metadata are no tags: they stand in the raw samples alone, and burden no index of a time series database. */
function withMetadata(what: Sample | LaneEvent, add: () => void): void {
  const { metadata } = exec.vu.metrics;
  metadata['told'] = JSON.stringify(what);
  add();
  delete metadata['told'];
}

function tellSample(sample: Sample): void {
  const { key, outcome } = sample;
  const status = outcome.kind === 'answer' ? outcome.status : 0;
  const tags = { key, status: String(status) };
  withMetadata(sample, () => requestTrend.add(latencyMs(sample), { key }));
  requestCount.add(1, tags);
  if (outcome.kind === 'silence') return;
  const { remaining, reset } = rateReading(answerOf(outcome).headers);
  if (remaining !== undefined) remainingGauge.add(remaining, { key });
  if (reset !== undefined) resetGauge.add(reset, { key });
}

function tellEvent(event: LaneEvent): void {
  withMetadata(event, () => eventCount.add(1, { key: event.key, kind: event.kind }));
}
