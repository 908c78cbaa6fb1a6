/**
 * The script that k6 runs, for every profile:
 *
 *     export PETSTORE_API_KEY=…
 *     k6 run -e TARGET=http://127.0.0.1:8080/v1 -e PROFILE=at-limit load/script/main.ts
 *
 * PLAN (default: free), PLANS (a plan file, relative to this script or absolute) and MINUTES
 * (of a soak) are optional; PETSTORE_KEYS_FILE names a file of the keys of a fleet, and
 * PETSTORE_HEADERS holds headers for a gateway, `Name: value`, one per line.
 * scenario.ts decides what is sent and when; this file connects it to k6.
 */

import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import type { RefinedResponse } from 'k6/http';
import http from 'k6/http';
import { Counter, Gauge, Trend } from 'k6/metrics';
import type { Options } from 'k6/options';
import { setTimeout } from 'k6/timers';
import { latencyMs } from '../model/latency.ts';
import type { Operation } from '../model/profile.ts';
import type { Sample, SampleOutcome } from '../model/sample.ts';
import { BodyReader, categoryName, errorText, headerText } from './body-reader.ts';
import type { Assignment, Place, ScriptEnvironment } from './environment.ts';
import { assignmentOf, commonOf, placesOf, RECORDS_VARIABLE } from './environment.ts';
import { METRICS, optionsOf, REQUEST_TIMEOUT_MS } from './options.ts';
import type { Port } from './scenario.ts';
import { runScenario } from './scenario.ts';
import type { Stop } from './stop-conditions.ts';

/** What k6 gives of a response; without one, `status` is 0. */
type Response = Pick<RefinedResponse<'none' | 'text'>, 'status' | 'error' | 'headers' | 'body'> & {
  readonly timings?: { readonly connecting: number };
};

/** The outcome of a request. @param name that it sent where it was a creation. */
type OutcomeReader = (response: Response, operation: Operation, name: string) => SampleOutcome;

/** @param secrets what no sample may contain. @param bodies of the same key. */
function outcomeReader(secrets: readonly string[], bodies: BodyReader): OutcomeReader {
  const [limit, remaining, reset] = [headerReader(secrets), headerReader(secrets), headerReader(secrets)];
  const [retryAfter, date] = [headerReader(secrets), headerReader(secrets)];
  const [age, xCache] = [headerReader(secrets), headerReader(secrets)];
  return (response, operation, name) => {
    // Read once: k6 makes the headers anew at every access.
    const { status, headers, body } = response;
    if (status === 0) return { kind: 'no-response', error: errorText(response.error, secrets) };
    return {
      kind: 'answer',
      status,
      // In the spelling of k6: Go's canonical form.
      limit: limit(headers['X-Ratelimit-Limit']),
      remaining: remaining(headers['X-Ratelimit-Remaining']),
      reset: reset(headers['X-Ratelimit-Reset']),
      retryAfter: retryAfter(headers['Retry-After']),
      date: date(headers['Date']),
      age: age(headers['Age']),
      xCache: xCache(headers['X-Cache']),
      body: bodies.read(operation, name, { status, headers, body }),
    } as SampleOutcome;
  };
}

/** Makes the function that bounds the values of one header. Most responses repeat the value before. */
function headerReader(secrets: readonly string[]): (value: string | undefined) => string | undefined {
  let latest: string | undefined;
  let text: string | undefined;
  return (value) => {
    if (value !== latest) {
      latest = value;
      text = value === undefined ? undefined : headerText(value, secrets);
    }
    return text;
  };
}

const requestTrend = new Trend(METRICS.request, true);
const eventCount = new Counter(METRICS.event);
const remainingGauge = new Gauge(METRICS.remaining);
const resetGauge = new Gauge(METRICS.reset);

/** Gauges are updated at most this often, in milliseconds; Remaining 0 is always recorded. */
const GAUGE_INTERVAL_MS = 50;

/**
 * Records samples and events: as metrics of k6, for its outputs; and each as one line of JSON on the console, which
 * k6 writes into a file at once. Its own output of samples would write a dozen lines for each request, which halves
 * the rate that a core reaches, and only five times a second.
 */
function recorderOf(env: ScriptEnvironment): Pick<Port, 'recordSample' | 'recordEvent'> {
  const writes = env[RECORDS_VARIABLE] === 'console';
  let gaugesUpdatedAt = 0;
  const updateGauges = (
    at: number,
    { remaining, reset }: SampleOutcome & { readonly kind: 'answer' },
  ): void => {
    if (at - gaugesUpdatedAt < GAUGE_INTERVAL_MS && remaining !== '0') return;
    gaugesUpdatedAt = at;
    updateGauge(remainingGauge, remaining);
    updateGauge(resetGauge, reset);
  };
  return {
    recordSample(sample) {
      if (writes) writeLine(lineOf(sample));
      requestTrend.add(latencyMs(sample));
      if (sample.outcome.kind === 'answer') updateGauges(sample.received, sample.outcome);
    },
    recordEvent(event) {
      if (writes) writeLine(JSON.stringify(event));
      eventCount.add(1, { kind: event.kind });
    },
  };
}

// biome-ignore lint/suspicious/noConsole: the console of k6 is the file of the records.
const writeLine = (line: string): void => console.log(line);

/** A sample as JSON. Only its outcome holds texts of the target; the rest needs no escapes, and JSON.stringify takes long in k6. */
function lineOf({ key, n, step, kind, operation, planned, sent, received, opened, outcome }: Sample): string {
  const request = `"key":"${key}","n":${n},"step":${step},"kind":"${kind}","operation":"${operation}"`;
  const times = `"planned":${planned},"sent":${sent},"received":${received}`;
  const connection = opened === true ? '"opened":true,' : '';
  return `{${request},${times},${connection}"outcome":${JSON.stringify(outcome)}}`;
}

function updateGauge(gauge: Gauge, text: string | undefined): void {
  const value = Number(text);
  if (text !== undefined && !Number.isNaN(value)) gauge.add(value);
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(() => resolve(), milliseconds));

const common = commonOf(__ENV);

/** k6 evaluates the script before there is any virtual user, whose number would be above 0. */
const assignment = __VU === 0 ? readAssignment() : undefined;

/** Computed once, and kept once for all virtual users. Each reads its own place only: with thousands of keys, a copy for each would fill the memory. */
const places = new SharedArray('places', () => [
  ...placesOf(assignment ?? readAssignment()),
]) as readonly Place[];

/** k6 reads the options before there is any virtual user. */
export const options: Options = assignment === undefined ? {} : optionsOf(assignment);

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
  const place = places[exec.scenario.iterationInTest];
  if (place === undefined) throw new Error('there are more virtual users than keys');
  const { key } = place.scenario;
  const port = portOf(place);
  const stop = await runScenario(place.scenario, port).catch((error: unknown): Stop => {
    const detail = errorText(error instanceof Error ? error.message : String(error), place.secrets);
    const failed = { because: 'script error', detail } as const;
    port.recordEvent({ key, kind: 'stopped', at: port.now(), ...failed });
    return failed;
  });
  if (stop !== undefined && key !== 'disposable') exec.test.abort(`${key}: ${stop.because}: ${stop.detail}`);
}

/** Connects a scenario to k6. Objects that k6's execution API creates anew at every access are read once. */
function portOf(place: Place): Port {
  const { instance } = exec;
  // k6's own clock has fractions of a millisecond; Date does not.
  const start = Date.now() - instance.currentTestRunDuration;
  const now = (): number => start + instance.currentTestRunDuration;
  const { key } = place.scenario;
  const bodies = new BodyReader({ run: common.run, keys: places.length, secrets: place.secrets });
  const send = senderFor(place, bodies);
  const outcomeOf = outcomeReader(place.secrets, bodies);
  exec.vu.metrics.tags['key'] = key;
  return {
    now,
    random: Math.random,
    async wait(until): Promise<void> {
      // A timer may end a little early.
      for (let rest = until - now(); rest > 0; rest = until - now()) await delay(rest);
    },
    async send(request, received): Promise<Sample> {
      const { operation, n } = request;
      const name = operation === 'create' ? categoryName(common.run, key, n) : '';
      // Completed in place: k6 takes long to copy an object.
      const sample = request as { -readonly [Field in keyof Sample]: Sample[Field] };
      sample.sent = now();
      let response: Response;
      try {
        response = await send(operation, name);
      } catch (error) {
        // k6 throws at a response with a status that it does not support, such as 101.
        response = { status: 0, error: String(error), headers: {}, body: null };
      }
      sample.received = now();
      if ((response.timings?.connecting ?? 0) > 0) sample.opened = true;
      sample.outcome = outcomeOf(response, operation, name);
      received(sample);
      return sample;
    },
    ...recorderOf(__ENV),
  };
}

/** Makes the function that sends the requests of one key; what they have in common is prepared once. */
function senderFor(
  { secret }: Place,
  bodies: BodyReader,
): (operation: Operation, name: string) => Promise<RefinedResponse<'none' | 'text'>> {
  const url = `${common.target}/categories`;
  const headers = {
    ...Object.fromEntries(common.headers),
    Authorization: `Bearer ${secret}`,
    Accept: 'application/json',
  };
  const params = <Type extends 'none' | 'text'>(
    responseType: Type,
    more: Readonly<Record<string, string>> = {},
  ) => ({ headers: { ...headers, ...more }, redirects: 0, timeout: REQUEST_TIMEOUT_MS, responseType });
  const [list, readList] = [params('none'), params('text')];
  const create = params('text', { 'Content-Type': 'application/json' });
  return (operation, name) => {
    if (operation === 'create') return http.asyncRequest('POST', url, JSON.stringify({ name }), create);
    return http.asyncRequest('GET', url, null, bodies.reads('list') ? readList : list);
  };
}
