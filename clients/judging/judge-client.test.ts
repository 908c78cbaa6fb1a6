import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatedRequest, StatedStart } from '../../evaluation/testing/clients/synthetic-client.ts';
import { COMMAND, clientJournal, headersOf } from '../../evaluation/testing/clients/synthetic-client.ts';
import { loadSpecification } from '../../spec/specification.ts';
import type { ClientDescription, ClientJournalLine } from '../model/journal.ts';
import { backoffAfterSeconds, backoffAfterZero, backoffWithoutHeader } from '../scenarios/backoff.ts';
import { parallelTasks, waitCreation, waitDate, waitSeconds } from '../scenarios/waiting.ts';
import { judgeClient, needsSeriesWithoutHeader } from './index.ts';
import type { JudgedClientId } from './requirement.ts';

const specification = await loadSpecification();
const judged = (lines: readonly ClientJournalLine[], strict = false) =>
  judgeClient({ lines, damage: [] }, specification, { strict });
const findingOf = (lines: readonly ClientJournalLine[], id: JudgedClientId) => {
  const found = judged(lines).requirements.find((one) => one.id === id);
  assert.ok(found !== undefined);
  return found;
};

const limited = (at: number, retryAfter: string | number, method = 'GET'): StatedRequest => ({
  at,
  method,
  status: 429,
  retryAfter,
});
const list = (at: number): StatedRequest => ({ at });
const creation = (at: number): StatedRequest => ({ at, method: 'POST' });

/** The three waits, each kept by the first request after it. */
interface Waits {
  readonly seconds?: readonly StatedRequest[];
  readonly creation?: readonly StatedRequest[];
  readonly date?: readonly StatedRequest[];
}
const waits = (given: Waits = {}): readonly StatedStart[] => [
  {
    scenario: waitSeconds,
    requests: given.seconds ?? [limited(0, '3'), list(3002), list(3004), creation(3006)],
  },
  {
    scenario: waitCreation,
    requests: given.creation ?? [limited(0, '2', 'POST'), creation(2002), creation(2010)],
  },
  { scenario: waitDate, requests: given.date ?? [limited(0, 4000), list(4000), list(4010), creation(4020)] },
];

const remote: ClientDescription = { ...COMMAND, where: 'another host' };
const attached: ClientDescription = { kind: 'attached', where: 'this host' };

const waitRows: readonly (readonly [
  what: string,
  verdict: string,
  given: Waits,
  client?: ClientDescription,
])[] = [
  ['keeps every wait', 'pass', {}],
  ['retries at once', 'fail', { seconds: [limited(0, '3'), list(2)] }],
  ['waits 1 s of its own', 'fail', { seconds: [limited(0, '3'), list(1001)] }],
  ['comes 15 ms early, which clocks explain', 'pass', { seconds: [limited(0, '3'), list(2986)] }],
  ['comes 25 ms early', 'fail', { seconds: [limited(0, '3'), list(2976)] }],
  [
    'keeps the wait and has a heartbeat',
    'fail',
    { seconds: [limited(0, '3'), { at: 1000, target: '/v1/store/orders' }, list(3002)] },
  ],
  [
    'sends a request without the key meanwhile',
    'pass',
    { seconds: [limited(0, '3'), { at: 1000, target: '/health', headers: [] }, list(3002)] },
  ],
  ['retries only a creation at once', 'fail', { creation: [limited(0, '2', 'POST'), creation(2)] }],
  ['does not read dates', 'fail', { date: [limited(0, 4000), list(1000)] }],
  ['comes 40 ms before the date', 'pass', { date: [limited(0, 4000), list(3961)] }],
  ['comes 60 ms before the date', 'fail', { date: [limited(0, 4000), list(3939)] }],
  [
    'comes 2 s before the date by a clock of its own',
    'warn',
    { date: [limited(0, 4000), list(2000)] },
    remote,
  ],
  ['comes 3.5 s before the date on another host', 'fail', { date: [limited(0, 4000), list(500)] }, remote],
  [
    'never sends again',
    'inconclusive',
    { seconds: [limited(0, '3')], creation: [limited(0, '2', 'POST')], date: [limited(0, 4000)] },
  ],
  [
    'retries after dates alone',
    'inconclusive',
    { seconds: [limited(0, '3')], creation: [limited(0, '2', 'POST')] },
  ],
  ['retries after seconds alone', 'inconclusive', { date: [limited(0, 4000)] }],
  [
    'gets Retry-After 0 and unreadable ones',
    'pass',
    { seconds: [limited(0, '0'), limited(2, 'soon'), limited(4, '3'), list(3100)] },
  ],
  ['is attached, and keeps every wait', 'pass', {}, attached],
  ['is attached, and retries at once', 'fail', { seconds: [limited(0, '3'), list(2)] }, attached],
];
for (const [what, verdict, given, client] of waitRows) {
  test(`CLIENT-1: a client that ${what}: ${verdict}`, () => {
    const finding = findingOf(clientJournal(waits(given), client), 'CLIENT-1');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}

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

const DOUBLING = [300, 600, 1200, 2400, 4800, 9600];
const ZERO = [1, 2, 1, 1, 2, 1];
const CONSTANT = [300, 301, 302, 300, 301, 300];
const LINE = [300, 600, 900, 1200, 1500, 1800];
const backoffRows: readonly (readonly [
  what: string,
  verdict: string,
  b: readonly number[],
  a: readonly number[],
  c?: readonly number[],
])[] = [
  ['doubles its own delay', 'pass', DOUBLING, DOUBLING],
  ['doubles after a first retry at once', 'pass', [1, ...DOUBLING.slice(0, 5)], ZERO],
  ['doubles up to a cap', 'pass', [300, 600, 1200, 1200, 1200, 1200], DOUBLING],
  ['grows by 1.5', 'pass', [300, 450, 675, 1012, 1518, 2278], DOUBLING],
  ['lets Retry-After replace its backoff', 'warn', ZERO, ZERO, DOUBLING],
  ['lets Retry-After above 0 replace its backoff', 'warn', ZERO, DOUBLING],
  ['has no backoff at all', 'fail', ZERO, ZERO, ZERO],
  ['has constant delays', 'fail', CONSTANT, CONSTANT, CONSTANT],
  ['has linear delays', 'fail', LINE, LINE, LINE],
  ['has linear delays beside Retry-After alone', 'fail', ZERO, ZERO, LINE],
  ['has constant delays, without the third series', 'inconclusive', CONSTANT, CONSTANT],
  ['gives up after two retries', 'inconclusive', [300, 600], [300, 600], [300, 600]],
  ['does not retry', 'inconclusive', [], [], []],
  ['has three delays that may be a line', 'inconclusive', [300, 600, 900], [300, 600, 900], [300, 600, 900]],
  ['doubles three times from 10 ms', 'inconclusive', [10, 20, 40], [10, 20, 40], [10, 20, 40]],
];
for (const [what, verdict, b, a, c] of backoffRows) {
  test(`CLIENT-2: a client that ${what}: ${verdict}`, () => {
    const finding = findingOf(clientJournal(threeRuns(b, a, c)), 'CLIENT-2');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}

test('CLIENT-2: pauses count where Retry-After is not waited for', () => {
  const ignoring = DOUBLING.map((delay) => delay - 1000);
  const finding = findingOf(clientJournal(threeRuns(ignoring, DOUBLING)), 'CLIENT-2');
  assert.equal(finding.verdict, 'pass', finding.because);
  assert.match(finding.because, /made instead of/);
});

test('CLIENT-2: an attached client is not tested', () => {
  assert.equal(findingOf(clientJournal(threeRuns(ZERO, ZERO), attached), 'CLIENT-2').verdict, 'not-tested');
});

test('the series without Retry-After is needed only where it can decide', () => {
  const needed = (b: readonly number[], a: readonly number[]) =>
    needsSeriesWithoutHeader(clientJournal(threeRuns(b, a)));
  assert.equal(needed(ZERO, ZERO), true);
  assert.equal(needed(CONSTANT, [300, 200, 400, 100, 250, 333]), true);
  assert.equal(needed(DOUBLING, ZERO), false, 'it passes');
  assert.equal(needed(ZERO, DOUBLING), false, 'it warns');
  assert.equal(needed([300], [300]), false, 'too few delays');
  assert.equal(needsSeriesWithoutHeader([]), false);
  assert.equal(needsSeriesWithoutHeader(clientJournal(waits())), false);
});

/** Four requests in flight, of which the first is rate-limited at 100 ms; the others are answered at 800 ms. */
const four = (...further: readonly StatedRequest[]): readonly StatedStart[] => [
  ...waits(),
  {
    scenario: parallelTasks,
    requests: [
      { at: 0, took: 100, status: 429, retryAfter: '4', inFlight: 1 },
      { at: 1, took: 799, inFlight: 2, connection: 2 },
      { at: 2, took: 799, inFlight: 3, connection: 3 },
      { at: 3, took: 799, inFlight: 4, connection: 4 },
      ...further,
    ],
  },
];
const early = (at: number): StatedRequest => ({ at, status: 429, retryAfter: '4' });
const parallelRows: readonly (readonly [what: string, verdict: string, starts: readonly StatedStart[]])[] = [
  ['shares one gate', 'pass', four(list(4102), list(4103))],
  ['goes on in the rate-limited task', 'fail', four(early(150), list(4102))],
  [
    'sends one further request in each other task',
    'warn',
    four(early(810), early(811), early(812), list(4102)),
  ],
  [
    'sends a fourth request in other tasks',
    'fail',
    four(early(810), early(811), early(812), early(1900), list(4102)),
  ],
  ['sends nothing afterwards', 'inconclusive', four()],
  ['compares with the seconds left of a later 429', 'pass', four(list(4085))],
  [
    'sends one request at a time and waits',
    'pass',
    [
      ...waits(),
      {
        scenario: parallelTasks,
        requests: [{ at: 0, took: 2500, status: 429, retryAfter: '4' }, list(6505)],
      },
    ],
  ],
  [
    'sends one request at a time and goes on',
    'warn',
    [
      ...waits(),
      {
        scenario: parallelTasks,
        requests: [{ at: 0, took: 2500, status: 429, retryAfter: '4' }, early(2510), list(6505)],
      },
    ],
  ],
  [
    'sends another operation with one task',
    'fail',
    [...waits({ seconds: [limited(0, '3'), creation(500), list(3002)] }), ...four(list(4102)).slice(3)],
  ],
];
for (const [what, verdict, starts] of parallelRows) {
  test(`CLIENT-3: a client that ${what}: ${verdict}`, () => {
    const finding = findingOf(clientJournal(starts), 'CLIENT-3');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}

const withHeaders = (...headers: readonly (readonly [string, string])[]): Waits => ({
  seconds: [limited(0, '3'), { at: 3002, headers }, creation(3010)],
});
const withBody = (body: string | null): Waits => ({
  seconds: [limited(0, '3'), list(3002), { at: 3010, method: 'POST', body }],
});
const formRows: readonly (readonly [what: string, verdict: string, given: Waits])[] = [
  ['keeps the form', 'pass', {}],
  ['writes the scheme in lower case', 'pass', withHeaders(['authorization', 'bearer [key]'])],
  ['sends no key', 'fail', withHeaders()],
  ['sends the bare key', 'fail', withHeaders(['Authorization', '[key]'])],
  ['sends another scheme', 'fail', withHeaders(['Authorization', 'Token [key]'])],
  [
    'sends two of them',
    'fail',
    withHeaders(['Authorization', 'Bearer [key]'], ['authorization', 'Bearer [key]']),
  ],
  ['sends a longer key', 'fail', withHeaders(['Authorization', 'Bearer [key]x'])],
  ['writes two spaces', 'warn', withHeaders(['Authorization', 'Bearer  [key]'])],
  [
    'sends the key in a second header, too',
    'warn',
    withHeaders(['Authorization', 'Bearer [key]'], ['X-Api-Key', '[key]']),
  ],
  [
    'sends the key in the query alone',
    'fail',
    { seconds: [limited(0, '3'), { at: 3002, target: '/v1/categories?api_key=[key]', headers: [] }] },
  ],
  [
    'sends the key in the query, too',
    'warn',
    { seconds: [limited(0, '3'), { at: 3002, target: '/v1/categories?api_key=[key]' }] },
  ],
  [
    'sends a charset',
    'pass',
    {
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('GET'), ['Content-Type', 'application/json; charset=UTF-8']],
        },
      ],
    },
  ],
  [
    'sends a form',
    'fail',
    {
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('GET'), ['Content-Type', 'application/x-www-form-urlencoded']],
        },
      ],
    },
  ],
  ['sends an id', 'fail', withBody('{"id":1,"name":"cat"}')],
  ['sends no name', 'fail', withBody('{"description":"cat"}')],
  ['sends a list', 'fail', withBody('["cat"]')],
  ['sends no JSON', 'fail', withBody('name=cat')],
  ['sends no body', 'fail', withBody(null)],
  [
    'asks with OPTIONS first, as browsers do',
    'pass',
    { seconds: [limited(0, '3'), { at: 3001, method: 'OPTIONS', headers: [] }, list(3002)] },
  ],
];
for (const [what, verdict, given] of formRows) {
  test(`CLIENT-4: a client that ${what}: ${verdict}`, () => {
    const finding = findingOf(clientJournal(waits(given)), 'CLIENT-4');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}

test('CLIENT-4: without a creation its bodies are unknown', () => {
  const lists = waits({ seconds: [list(0)], creation: [], date: [list(0)] });
  assert.equal(findingOf(clientJournal(lists), 'CLIENT-4').verdict, 'inconclusive');
});
