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
import type { Options } from 'k6/options';
import type { Operation } from '../model/profile.ts';
import { BodyReader, categoryName } from './body-reader.ts';
import type { Assignment, Place } from './environment.ts';
import { assignmentOf, commonOf, placesOf } from './environment.ts';
import { errorText } from './header-text.ts';
import { REQUEST_TIMEOUT_MS } from './maximum-duration.ts';
import { optionsOf } from './options.ts';
import { outcomeReader } from './outcome.ts';
import type { Port, TimedOutcome } from './port.ts';
import { recorderOf } from './recorder.ts';
import type { ScenarioEnd } from './scenario.ts';
import { runScenario } from './scenario.ts';
import { sleepUntil } from './sleep.ts';

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
