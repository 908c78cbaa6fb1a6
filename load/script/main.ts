/**
 * The script that k6 runs, for every profile:
 *
 *     export PETSTORE_API_KEY=…
 *     k6 run -e TARGET=http://127.0.0.1:8080/v1 -e PROFILE=at-limit load/script/main.ts
 *
 * PLAN (default: free), PLANS (a plan file, relative to this script or absolute) and MINUTES
 * (of a soak) are optional; PETSTORE_HEADERS holds headers for a gateway, `Name: value`, one
 * per line. scenario.ts decides what is sent and when; this file connects it to k6.
 */
import exec from 'k6/execution';
import type { RefinedResponse } from 'k6/http';
import http from 'k6/http';
import { Counter, Gauge, Trend } from 'k6/metrics';
import { setTimeout } from 'k6/timers';
import { latencyMs } from '../model/latency.ts';
import type { KeyAlias, Operation } from '../model/profile.ts';
import type { Sample, SampleOutcome, ScenarioEvent } from '../model/sample.ts';
import type { Assignment } from './environment.ts';
import { assignmentOf } from './environment.ts';
import { errorText, headerText, secretsOf } from './header-text.ts';
import { REQUEST_TIMEOUT_MS } from './maximum-duration.ts';
import { METRICS, optionsOf, RECORD_FIELD } from './options.ts';
import type { Port, TimedOutcome } from './port.ts';
import type { ScenarioEnd } from './scenario.ts';
import { runScenario } from './scenario.ts';

const assignment = readAssignment();
const secrets = secretsOf(Object.values(assignment.keys), assignment.headers);

export const options = optionsOf(assignment);

const requestTrend = new Trend(METRICS.request, true);
const eventCount = new Counter(METRICS.event);
const remainingGauge = new Gauge(METRICS.remaining);
const resetGauge = new Gauge(METRICS.reset);

// A 429 is a valid response of the service, not a failed request.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

/** The assignment of this run. A person who runs k6 by hand and forgets a key gets one sentence from k6, without a stack trace. */
function readAssignment(): Assignment {
  try {
    return assignmentOf(__ENV, (path) => open(path));
  } catch (error) {
    // k6 prints the stack of an Error, and only the text of a string.
    throw error instanceof Error ? error.message : String(error);
  }
}

/** Runs the scenario of one key. An early stop ends the whole run, except with a disposable key, which may get banned. */
export async function scenario(): Promise<void> {
  const key = __ENV['SCENARIO'] as KeyAlias;
  const port = portOf(key);
  const end = await runScenarioOf(key, port).catch((error: unknown): ScenarioEnd => {
    const detail = errorText(error instanceof Error ? error.message : String(error), secrets);
    port.recordEvent({ kind: 'stopped', key, at: port.now(), because: 'script error', detail });
    return { kind: 'stopped', because: 'script error', detail };
  });
  if (end.kind === 'stopped' && key !== 'disposable')
    exec.test.abort(`${key}: ${end.because}: ${end.detail}`);
}

async function runScenarioOf(key: KeyAlias, port: Port): Promise<ScenarioEnd> {
  const { profile, inputs, scenarios } = assignment;
  const found = scenarios.find((one) => one.key === key);
  if (found === undefined) throw new Error(`the profile ${profile.id} has no scenario for ${key}`);
  return runScenario(found, inputs.limits, port);
}

/** Connects a scenario to k6. Objects that k6's execution API creates anew at every access are read once. */
function portOf(key: KeyAlias): Port {
  const { instance } = exec;
  // k6's own clock has fractions of a millisecond; Date does not.
  const start = Date.now() - instance.currentTestRunDuration;
  const now = (): number => start + instance.currentTestRunDuration;
  const send = senderFor(key);
  const { metadata, tags } = exec.vu.metrics;
  tags['key'] = key;
  return {
    now,
    random: Math.random,
    async wait(until) {
      for (let rest = until - now(); rest > 0; rest = until - now()) await delay(rest);
    },
    async send(operation, n): Promise<TimedOutcome> {
      const sent = now();
      const response = await send(operation, n);
      return { sent, received: now(), outcome: outcomeOf(response) };
    },
    recordSample: (sample) => writeSample(sample, metadata),
    recordEvent: (event) => writeEvent(event, metadata),
  };
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(() => resolve(), milliseconds));

type Answered = RefinedResponse<'none'>;

/** Makes the function that sends the requests of one key; what they have in common is prepared once. */
function senderFor(key: KeyAlias): (operation: Operation, n: number) => Promise<Answered> {
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

type AnswerOutcome = { -readonly [Field in keyof ReadonlyAnswer]: ReadonlyAnswer[Field] };
type ReadonlyAnswer = SampleOutcome & { readonly kind: 'answer' };

/** The headers of a sample, in the spelling of k6 (Go's canonical form). */
const HEADERS = [
  { field: 'limit', name: 'X-Ratelimit-Limit' },
  { field: 'remaining', name: 'X-Ratelimit-Remaining' },
  { field: 'reset', name: 'X-Ratelimit-Reset' },
  { field: 'retryAfter', name: 'Retry-After' },
  { field: 'date', name: 'Date' },
] as const;

/** The latest value of each header and its bounded text: most responses repeat the value before. */
const latestHeaders: Record<string, { readonly value: string; readonly text: string }> = {};

function outcomeOf({ status, error, headers }: Answered): SampleOutcome {
  if (status === 0) return { kind: 'no-response', error: errorText(error, secrets) };
  const outcome: AnswerOutcome = { kind: 'answer', status };
  for (let i = 0; i < HEADERS.length; i += 1) {
    const header = HEADERS[i];
    const value = header === undefined ? undefined : headers[header.name];
    if (header === undefined || value === undefined) continue;
    let known = latestHeaders[header.field];
    if (known?.value !== value) {
      known = { value, text: headerText(value, secrets) };
      latestHeaders[header.field] = known;
    }
    outcome[header.field] = known.text;
  }
  return outcome;
}

type Metadata = Record<string, number | string | boolean>;

/** Records go into metadata, which are not tags: they appear in the raw samples only, not in the index of a time series database. */
function writeSample(sample: Sample, metadata: Metadata): void {
  const { outcome } = sample;
  metadata[RECORD_FIELD] = JSON.stringify(sample);
  requestTrend.add(latencyMs(sample));
  delete metadata[RECORD_FIELD];
  if (outcome.kind === 'answer') updateGauges(sample.received, outcome);
}

/** Gauges are updated at most this often, in milliseconds; Remaining 0 is always recorded. */
const GAUGE_INTERVAL_MS = 50;

/** The latest update, milliseconds since the Unix epoch; each key has its own runtime, and so its own variable. */
let gaugesUpdatedAt = 0;

function updateGauges(at: number, { remaining, reset }: ReadonlyAnswer): void {
  if (at - gaugesUpdatedAt < GAUGE_INTERVAL_MS && remaining !== '0') return;
  gaugesUpdatedAt = at;
  updateGauge(remainingGauge, remaining);
  updateGauge(resetGauge, reset);
}

function updateGauge(gauge: Gauge, text: string | undefined): void {
  const value = Number(text);
  if (text !== undefined && !Number.isNaN(value)) gauge.add(value);
}

function writeEvent(event: ScenarioEvent, metadata: Metadata): void {
  metadata[RECORD_FIELD] = JSON.stringify(event);
  eventCount.add(1, { kind: event.kind });
  delete metadata[RECORD_FIELD];
}
