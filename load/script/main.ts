/**
 * The script that k6 runs, for every profile:
 *
 *     export PETSTORE_API_KEY=…
 *     k6 run -e TARGET=http://127.0.0.1:8080/v1 -e PROFILE=at-limit load/script/main.ts
 *
 * PLAN (free), PLANS (a plan file, beside this script or absolute) and MINUTES
 * (of a soak) may be set, too; PETSTORE_HEADERS holds headers for a gateway, `Name: value`, one a line. What is sent and when is decided in lane.ts; this file only lends it k6.
 */
import exec from 'k6/execution';
import type { RefinedResponse } from 'k6/http';
import http from 'k6/http';
import { Counter, Gauge, Trend } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { latencyMs } from '../model/latency.ts';
import type { KeyAlias, Operation } from '../model/profile.ts';
import type { Sample, SampleOutcome, ScenarioEvent } from '../model/sample.ts';
import { assignmentOf } from './environment.ts';
import { errorText, headerText, secretsOf } from './header-text.ts';
import { REQUEST_TIMEOUT_MS } from './maximum-duration.ts';
import { METRICS, optionsOf } from './options.ts';
import type { Port, Sent } from './port.ts';
import type { ScenarioEnd } from './scenario.ts';
import { runScenario } from './scenario.ts';

const assignment = assignmentOf(__ENV, (path) => open(path));
const secrets = secretsOf(Object.values(assignment.keys), assignment.headers);

export const options = optionsOf(assignment);

const requestTrend = new Trend(METRICS.request, true);
const eventCount = new Counter(METRICS.event);
const remainingGauge = new Gauge(METRICS.remaining);
const resetGauge = new Gauge(METRICS.reset);

// A 429 is an answer that the service owes, no failed request.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

/** Runs the lane of one scenario. Whatever ends it early ends the run, unless a key was there to be lost. */
export async function scenario(): Promise<void> {
  const key = __ENV['SCENARIO'] as KeyAlias;
  const port = portOf(key);
  const end = await runnable(key, port).catch((error: unknown): ScenarioEnd => {
    const detail = errorText(error instanceof Error ? error.message : String(error), secrets);
    port.event({ kind: 'stopped', key, at: port.now(), because: 'script', detail });
    return { kind: 'stopped', because: 'script', detail };
  });
  if (end.kind === 'stopped' && key !== 'disposable')
    exec.test.abort(`${key}: ${end.because}: ${end.detail}`);
}

async function runnable(key: KeyAlias, port: Port): Promise<ScenarioEnd> {
  const { profile, inputs, scenarios } = assignment;
  const found = scenarios.find((one) => one.key === key);
  if (found === undefined) throw new Error(`the profile ${profile.id} has no lane for ${key}`);
  return runScenario(found, inputs.limits, port);
}

/** What the execution API makes anew at every look is looked at once. */
function portOf(key: KeyAlias): Port {
  const { instance } = exec;
  // k6's own clock has fractions of a millisecond, which Date lacks.
  const start = Date.now() - instance.currentTestRunDuration;
  const now = (): number => start + instance.currentTestRunDuration;
  const send = askerFor(key);
  const { metadata, tags } = exec.vu.metrics;
  tags['key'] = key;
  return {
    now,
    random: Math.random,
    async wait(until) {
      for (let left = until - now(); left > 0; left = until - now()) await elapse(left);
    },
    async send(operation, n): Promise<Sent> {
      const sent = now();
      const response = await send(operation, n);
      return { sent, received: now(), outcome: outcomeOf(response) };
    },
    sample: (sample) => tellSample(sample, metadata),
    event: (event) => tellEvent(event, metadata),
  };
}

const elapse = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(() => resolve(), milliseconds));

type Answered = RefinedResponse<'none'>;

/** Sends the requests of one key; what they have in common is made once. */
function askerFor(key: KeyAlias): (operation: Operation, n: number) => Promise<Answered> {
  const url = `${assignment.target}/categories`;
  const headers = {
    ...Object.fromEntries(assignment.headers),
    Authorization: `Bearer ${assignment.keys[key]}`,
    Accept: 'application/json',
  };
  const params = (more: Readonly<Record<string, string>> = {}) => ({
    headers: { ...headers, ...more },
    redirects: 0,
    timeout: REQUEST_TIMEOUT_MS,
    responseType: 'none' as const,
  });
  const [list, create] = [params(), params({ 'Content-Type': 'application/json' })];
  return (operation, n) => {
    if (operation === 'list') return http.asyncRequest('GET', url, null, list);
    return http.asyncRequest(
      'POST',
      url,
      JSON.stringify({ name: `load-${assignment.run}-${key}-${n}` }),
      create,
    );
  };
}

type AnswerOutcome = { -readonly [Field in keyof HeldAnswer]: HeldAnswer[Field] };
type HeldAnswer = SampleOutcome & { readonly kind: 'answer' };

/** k6 names headers as Go does. */
const HEADERS = [
  { field: 'limit', name: 'X-Ratelimit-Limit' },
  { field: 'remaining', name: 'X-Ratelimit-Remaining' },
  { field: 'reset', name: 'X-Ratelimit-Reset' },
  { field: 'retryAfter', name: 'Retry-After' },
  { field: 'date', name: 'Date' },
] as const;

/** What was made of the latest value of each header: most answers say what the one before said. */
const latest: Record<string, { readonly value: string; readonly text: string }> = {};

function outcomeOf({ status, error, headers }: Answered): SampleOutcome {
  if (status === 0) return { kind: 'no-response', error: errorText(error, secrets) };
  const outcome: AnswerOutcome = { kind: 'answer', status };
  for (let i = 0; i < HEADERS.length; i += 1) {
    const header = HEADERS[i];
    const value = header === undefined ? undefined : headers[header.name];
    if (header === undefined || value === undefined) continue;
    let known = latest[header.field];
    if (known?.value !== value) {
      known = { value, text: headerText(value, secrets) };
      latest[header.field] = known;
    }
    outcome[header.field] = known.text;
  }
  return outcome;
}

type Metadata = Record<string, number | string | boolean>;

/** Metadata are no tags: they stand in the raw samples alone, and burden no index of a time series database. */
function tellSample(sample: Sample, metadata: Metadata): void {
  const { outcome } = sample;
  metadata['told'] = JSON.stringify(sample);
  requestTrend.add(latencyMs(sample));
  delete metadata['told'];
  if (outcome.kind === 'answer') tellGauges(sample.received, outcome);
}

/** Nobody looks at a gauge more often than this, in milliseconds; that nothing is left is always told. */
const GAUGES_EVERY_MS = 50;

/** When gauges were told last, milliseconds since the Unix epoch; every key has a runtime of its own, and so its own of these. */
let gaugesToldAt = 0;

function tellGauges(at: number, { remaining, reset }: HeldAnswer): void {
  if (at - gaugesToldAt < GAUGES_EVERY_MS && remaining !== '0') return;
  gaugesToldAt = at;
  tellGauge(remainingGauge, remaining);
  tellGauge(resetGauge, reset);
}

function tellGauge(gauge: Gauge, text: string | undefined): void {
  const value = Number(text);
  if (text !== undefined && !Number.isNaN(value)) gauge.add(value);
}

function tellEvent(event: ScenarioEvent, metadata: Metadata): void {
  metadata['told'] = JSON.stringify(event);
  eventCount.add(1, { kind: event.kind });
  delete metadata['told'];
}
