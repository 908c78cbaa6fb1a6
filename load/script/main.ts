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
import type { SampleOutcome } from '../model/sample.ts';
import { BodyReader, categoryName, errorText, headerText } from './body-reader.ts';
import type { Assignment, Place, ScriptEnvironment } from './environment.ts';
import { assignmentOf, commonOf, placesOf, RECORDS_VARIABLE } from './environment.ts';
import { METRICS, optionsOf, REQUEST_TIMEOUT_MS } from './options.ts';
import type { Port, ScenarioEnd, TimedOutcome } from './scenario.ts';
import { runScenario } from './scenario.ts';

type ReadonlyAnswer = SampleOutcome & { readonly kind: 'answer' };
type AnswerOutcome = { -readonly [Field in keyof ReadonlyAnswer]: ReadonlyAnswer[Field] };

/** The headers of a sample, in the spelling of k6 (Go's canonical form). */
const HEADERS = [
  { field: 'limit', name: 'X-Ratelimit-Limit' },
  { field: 'remaining', name: 'X-Ratelimit-Remaining' },
  { field: 'reset', name: 'X-Ratelimit-Reset' },
  { field: 'retryAfter', name: 'Retry-After' },
  { field: 'date', name: 'Date' },
  { field: 'age', name: 'Age' },
  { field: 'xCache', name: 'X-Cache' },
] as const;

/** The outcome of a request, and the name that it sent where it was a creation. */
type OutcomeReader = (
  response: Pick<RefinedResponse<'none' | 'text'>, 'status' | 'error' | 'headers' | 'body'>,
  operation: Operation,
  name: string,
) => SampleOutcome;

/**
 * Makes the function that reads the outcome of a response.
 * @param secrets what no sample may contain.
 * @param bodies of the same key.
 */
function outcomeReader(secrets: readonly string[], bodies: BodyReader): OutcomeReader {
  /** The latest value of each header and its bounded text: most responses repeat the value before. */
  const latest: Record<string, { readonly value: string; readonly text: string }> = {};
  return ({ status, error, headers, body }, operation, name) => {
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
    const read = bodies.read(operation, name, {
      status,
      body: body ?? null,
      contentLength: headers['Content-Length'],
      contentEncoding: headers['Content-Encoding'],
    });
    if (read !== undefined) outcome.body = read;
    return outcome;
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
  const write = env[RECORDS_VARIABLE] === 'console' ? writeLine : () => undefined;
  /** The latest update, milliseconds since the Unix epoch. */
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
      write(sample);
      requestTrend.add(latencyMs(sample));
      if (sample.outcome.kind === 'answer') updateGauges(sample.received, sample.outcome);
    },
    recordEvent(event) {
      write(event);
      eventCount.add(1, { kind: event.kind });
    },
  };
}

function writeLine(record: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the console of k6 is the file of the records.
  console.log(JSON.stringify(record));
}

function updateGauge(gauge: Gauge, text: string | undefined): void {
  const value = Number(text);
  if (text !== undefined && !Number.isNaN(value)) gauge.add(value);
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(() => resolve(), milliseconds));

/**
 * Resolves at a moment or just after it. A timer may end a little early.
 * @param until milliseconds on the clock of `now`.
 */
async function sleepUntil(until: number, now: () => number): Promise<void> {
  for (let rest = until - now(); rest > 0; rest = until - now()) await delay(rest);
}

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
  const end = await runScenario(place.scenario, place.limits, port).catch((error: unknown): ScenarioEnd => {
    const detail = errorText(error instanceof Error ? error.message : String(error), place.secrets);
    port.recordEvent({ key, kind: 'stopped', at: port.now(), because: 'script error', detail });
    return { kind: 'stopped', because: 'script error', detail };
  });
  if (end.kind === 'stopped' && key !== 'disposable')
    exec.test.abort(`${key}: ${end.because}: ${end.detail}`);
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
    wait: (until) => sleepUntil(until, now),
    async send(operation, n): Promise<TimedOutcome> {
      const name = categoryName(common.run, key, n);
      const sent = now();
      const response = await send(operation, name).catch(unreadable);
      const received = now();
      const opened = 'timings' in response && response.timings.connecting > 0 ? OPENED : {};
      return { sent, received, ...opened, outcome: outcomeOf(response, operation, name) };
    },
    ...recorderOf(__ENV),
  };
}

const OPENED = { opened: true } as const;

/** k6 throws at a response with a status that it does not support, such as 101. */
const unreadable = (error: unknown): Unread => ({ status: 0, error: String(error), headers: {}, body: null });

type Unread = Pick<RefinedResponse<'none'>, 'status' | 'error' | 'headers' | 'body'>;

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
