import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTACHED,
  after429,
  clientFinding,
  creation,
  limited,
  list,
  testClients,
  waits,
} from '../../../../evaluation/testing/clients/scripted.ts';
import type { StatedRequest, StatedStart } from '../../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../../../../evaluation/testing/clients/synthetic-client.ts';
import { backoffAfterSeconds, backoffAfterZero, backoffWithoutHeader } from '../../scenarios/index.ts';
import { needsSeriesWithoutHeader } from './backs-off.ts';

/** Delays of a series after Retry-After: the start that shows them. */
const series = (
  scenario: StatedStart['scenario'],
  retryAfter: string | undefined,
  delays: readonly number[],
): StatedStart => {
  let at = 0;
  const announced = 1000 * Number(retryAfter ?? 0);
  const requests = delays.map((delay): StatedRequest => {
    const one: StatedRequest = { at, status: 429, ...(retryAfter === undefined ? {} : { retryAfter }) };
    at += 1 + announced + delay;
    return one;
  });
  return { scenario, requests: [...requests, { at }] };
};
const threeRuns = (
  b: readonly number[],
  a: readonly number[],
  c?: readonly number[],
): readonly StatedStart[] =>
  [0, 1, 2].flatMap(() => [
    series(backoffAfterSeconds, '1', b),
    series(backoffAfterZero, '0', a),
    ...(c === undefined ? [] : [series(backoffWithoutHeader, undefined, c)]),
  ]);

/** A start in which nothing was sent shows no delay, and not that there is none. */
const SILENT: StatedStart = {
  scenario: backoffAfterSeconds,
  requests: [],
  exit: { kind: 'stopped', because: 'no-request' },
};
const SLOW = [12, 12, 12, 12, 12, 12];
/** Series of a client that adds as much to its waits as its pauses after other responses show. */
const addingNothing = (...seconds: readonly StatedRequest[]): readonly StatedStart[] => [
  ...waits({
    seconds: [limited(0, '3'), ...seconds],
    creation: [limited(0, '2', 'POST'), creation(2013), creation(2026)],
    date: [limited(0, 4000), list(4013), list(4026), list(4039)],
  }),
  ...threeRuns(SLOW, SLOW, SLOW),
];
/** Series of a client that leaves so much time between any two requests. */
const paced = (pace: number, b: number, a: number): readonly StatedStart[] => [
  ...waits({
    seconds: [limited(0, '3'), list(3002), list(3003 + pace), creation(3004 + 2 * pace)],
    creation: [limited(0, '2', 'POST'), creation(2002), creation(2003 + pace)],
    date: [limited(0, 4000), list(4000), list(4001 + pace), creation(4002 + 2 * pace)],
  }),
  ...threeRuns([b, b, b, b], [a, a, a, a], [a, a, a, a]),
];
/** The same calls, each of which is sent twice at the same time. */
const twice = (starts: readonly StatedStart[]): readonly StatedStart[] =>
  starts.map((start) => ({
    ...start,
    requests: start.requests.flatMap((one) => [one, { ...one, connection: 2, inFlight: 2 }]),
  }));
const SECONDS = [1000, 2000, 3000, 4000, 5000];
const DOUBLING = [300, 600, 1200, 2400, 4800, 9600];
const ZERO = [1, 2, 1, 1, 2, 1];
/** As measured on a busy machine of a client that waits Retry-After and nothing else. */
const NOISE = [14, 6, 4, 15, 8, 9];
const CONSTANT = [300, 301, 302, 300, 301, 300];
const LINE = [300, 600, 900, 1200, 1500, 1800];
testClients('CLIENT-2', {
  pass: {
    'doubles its own delay': threeRuns(DOUBLING, DOUBLING),
    'doubles its own delay, and was interrupted in a series that only an unclear backoff needs': [
      ...threeRuns(DOUBLING, DOUBLING),
      { ...series(backoffWithoutHeader, undefined, DOUBLING), exit: null },
    ],
    'doubles after a first retry at once': threeRuns([1, ...DOUBLING.slice(0, 5)], ZERO),
    'gets 429 to its last request, too': threeRuns(DOUBLING, DOUBLING).map((start) => ({
      ...start,
      requests: start.requests.map((one) => ({ ...one, status: 429, retryAfter: one.retryAfter ?? '0' })),
    })),
    'pauses without waiting for Retry-After': [
      threeRuns(
        DOUBLING.map((delay) => delay - 1000),
        DOUBLING,
      ),
      /made instead of/,
    ],
    'keeps short waits only, and is read by what it adds to them': [
      [...after429(list(2300)), ...threeRuns(DOUBLING, DOUBLING)],
      /added to/,
    ],
    'sends nothing in another start': [...threeRuns(DOUBLING, DOUBLING), SILENT],
    'waits for the larger of Retry-After and its own delay': threeRuns(
      [14, 6, 200, 1400, 3800, 8600],
      DOUBLING,
    ),
  },
  warn: {
    'lets Retry-After replace its backoff': threeRuns(ZERO, ZERO, DOUBLING),
    'lets Retry-After above 0 replace its backoff': threeRuns(ZERO, DOUBLING),
    'has no delay after Retry-After on a busy machine, and backs off without': threeRuns(
      NOISE,
      ZERO,
      DOUBLING,
    ),
    'shows noise after 1, and delays thirty times as long after 0': threeRuns(
      NOISE,
      [14, 28, 56, 112, 225, 450],
    ),
    'loads the code of its retry for 0.1 s, and backs off after 0': threeRuns(
      [103, 7, 6, 10, 9, 13],
      [442, 807, 1609, 3204, 6415, 12_805],
    ),
  },
  fail: {
    'has no backoff at all': threeRuns(ZERO, ZERO, ZERO),
    'has no backoff, and a busy machine': threeRuns(NOISE, ZERO, ZERO),
    'has constant delays': threeRuns(CONSTANT, CONSTANT, CONSTANT),
    'has linear delays': threeRuns(LINE, LINE, LINE),
    'has linear delays beside Retry-After alone': threeRuns(ZERO, ZERO, LINE),
    'reads no Retry-After and waits 1, 2, 3 … s, which is no subtraction': [
      [...after429(list(1001), list(1003)), ...threeRuns([0, ...SECONDS.slice(0, -1)], SECONDS, SECONDS)],
      /linearly growing pauses of 1\.00, 2\.00.*No series grows exponentially/s,
    ],
    'has constant delays, longer than what it leaves between any two requests': paced(2000, 2000, 3000),
    'has constant delays, shorter than what its work takes between any two requests': paced(2000, 300, 300),
    'takes a fifth of a second for any request, as a program that is started for each': paced(200, 200, 200),
    'adds no more than what five pauses after other responses show': addingNothing(
      ...[3013, 3026, 3039].map(list),
    ),
  },
  inconclusive: {
    'shows noise after 1, and delays that are hardly thirty times as long after 0': threeRuns(
      NOISE,
      [14, 28, 56, 112, 225, 449],
    ),
    'adds no more than what five pauses show, and ten milliseconds': addingNothing(
      ...[3002, 3005, 3008, 3011, 3014, 3017, 3020].map(list),
    ),
    'adds no more than what four pauses hardly show': addingNothing(list(3013), list(3026)),
    'sends nothing in the starts after Retry-After 1': [
      [
        SILENT,
        SILENT,
        SILENT,
        ...threeRuns([], DOUBLING).filter(({ scenario }) => scenario === backoffAfterZero),
      ],
      /`backoff-after-seconds` no start of the client shows its delays/,
    ],
    'gets no 429': [
      [backoffAfterSeconds, backoffAfterZero].map((scenario) => ({
        scenario,
        requests: [{ at: 0, target: '/v1/v1/categories', status: 404 }],
      })),
      /`backoff-after-seconds` and `backoff-after-zero` no request of the client got 429\./,
    ],
    'shows noise in every series': threeRuns(NOISE, NOISE, NOISE),
    'has constant delays, without the third series': threeRuns(CONSTANT, CONSTANT),
    'leaves as much time between any two requests as after 429, behind which a backoff of 0.1, 0.2, 0.4 and 0.8 s is hidden':
      [paced(2000, 1000, 2000), /as much time between any two requests/],
    'adds nothing to a second, and half a second to none, as between any two requests': [
      paced(500, 1, 500),
      /`backoff-after-zero`.* as much time between any two requests/,
    ],
    'sends its one call twice at a time, and doubles': [
      twice(threeRuns(DOUBLING.slice(0, 3), DOUBLING.slice(0, 3))),
      /was given one call, has several requests in flight/,
    ],
    'gives up after two retries': threeRuns([300, 600], [300, 600], [300, 600]),
  },
});

testClients('CLIENT-2', { 'not-tested': { 'is attached': threeRuns(ZERO, ZERO) } }, ATTACHED);

test('the series without Retry-After is needed only where it can decide', () => {
  const needed = (b: readonly number[], a: readonly number[]) =>
    needsSeriesWithoutHeader(clientJournal(threeRuns(b, a)));
  assert.equal(needed(ZERO, ZERO), true);
  assert.equal(needed(CONSTANT, [300, 200, 400, 100, 250, 333]), true);
  assert.equal(needed(NOISE, ZERO), true);
  assert.equal(needed(NOISE, NOISE), false, 'noise decides nothing');
  assert.equal(needed(DOUBLING, ZERO), false, 'it passes');
  assert.equal(needed(ZERO, DOUBLING), false, 'it warns');
  assert.equal(needed([300], [300]), false, 'too few delays');
  assert.equal(needsSeriesWithoutHeader([]), false);
  assert.equal(needsSeriesWithoutHeader(clientJournal(waits())), false);
});

test('CLIENT-2: delays that grow only by stalls of this machine do not grow', () => {
  // As measured: a client that waits Retry-After and nothing else, on a machine with forty busy processes.
  const runs = [
    [9, 10, 52, 67, 115, 178],
    [6, 8, 148, 398, 121, 353],
    [6, 57, 74, 541, 3, 1865],
  ];
  const starts = [
    ...runs.map((delays) => series(backoffAfterSeconds, '1', delays)),
    ...threeRuns([], DOUBLING).filter(({ scenario }) => scenario === backoffAfterZero),
  ];
  const [run, ...lines] = clientJournal(starts);
  assert.ok(run !== undefined);
  const wall = Date.UTC(2026, 10, 22, 12);
  // The last pause of the third run, the last but two of the second and of the third.
  const stall = (at: number, milliseconds: number) =>
    ({ kind: 'stall', at: { wall: wall + at, mono: 1_000_000 + at }, milliseconds }) as const;
  const stalls = [stall(8600, 2000), stall(4700, 600)];
  assert.equal(clientFinding([run, ...lines], 'CLIENT-2').verdict, 'pass');
  const { verdict, because } = clientFinding([run, ...stalls, ...lines], 'CLIENT-2');
  assert.equal(verdict, 'inconclusive', because);
  assert.match(because, /this program itself did not run, so they may be shorter; `--jobs 2`/);
});
