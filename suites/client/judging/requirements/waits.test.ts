import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTACHED,
  after429,
  afterDate,
  clientFinding,
  creation,
  judgedClient,
  limited,
  list,
  testClients,
  waits,
} from '../../../../evaluation/testing/clients/scripted.ts';
import type { StatedRequest, StatedStart } from '../../../../evaluation/testing/clients/synthetic-client.ts';
import { COMMAND, clientJournal } from '../../../../evaluation/testing/clients/synthetic-client.ts';
import { outcomeSentence } from '../../../../reports/outcome.ts';
import { untestedIn } from '../../../../reports/verdict.ts';
import type { ClientExit, ClientJournalLine } from '../../model/journal.ts';
import { parallelTasks, waitLong } from '../../scenarios/index.ts';

/** Another request is in flight when the 429 comes. */
const crowded = (...requests: readonly StatedRequest[]) =>
  waits({
    seconds: [{ ...limited(0, '3'), took: 300 }, { at: 100, connection: 2, inFlight: 2 }, ...requests],
  });
testClients('CLIENT-1', {
  pass: {
    'comes 20 ms early, which clocks explain': after429(list(2981)),
    'sends a request without the key meanwhile': after429(
      { at: 1000, target: '/health', headers: [] },
      list(3002),
    ),
    'comes 50 ms before the date': afterDate(list(3950)),
    'waits after a creation and until a date alone': waits({ seconds: [list(0)] }),
    'gets Retry-After 0 and unreadable ones': waits({
      seconds: [limited(0, '0'), limited(2, 'soon'), limited(4, '3'), list(3100)],
    }),
  },
  fail: {
    'comes 21 ms early': after429(list(2980)),
    'keeps the wait and has a heartbeat': after429({ at: 1000, target: '/v1/store/orders' }, list(3002)),
    'comes 51 ms before the date': afterDate(list(3949)),
    'has a heartbeat that is in flight with its calls': crowded({ at: 1801, connection: 2 }, list(3400)),
    'has four tasks, and goes on at once on the connection of the 429': crowded(list(302)),
  },
  inconclusive: {
    'retries after dates, and after Retry-After 0, which is no wait': waits({
      seconds: [limited(0, '0'), list(3)],
      creation: [limited(0, '0', 'POST'), creation(3)],
    }),
    'retries after seconds alone': waits({ date: [limited(0, 4000)] }),
    'has four tasks although it was given one, and a request crosses the 429': crowded(
      { ...creation(1800), connection: 3 },
      list(3400),
    ),
  },
});

testClients(
  'CLIENT-1',
  {
    warn: { 'comes 3 s before the date by a clock of its own': afterDate(list(1000)) },
    fail: { 'comes 3.001 s before the date on another host': afterDate(list(999)) },
  },
  { ...COMMAND, where: 'another host' },
);

for (const [target, status, hint] of [
  ['/v1/v1/categories', 404, /serves `\/categories` directly below `PETSTORE_TARGET`/],
  ['/v1/categories', 200, /got 200\.$/],
] as const) {
  test(`CLIENT-1: a client whose first request got ${status}, and none 429, is given the request`, () => {
    const starts = waits().map(({ scenario }) => ({ scenario, requests: [{ at: 0, target, status }] }));
    const { verdict, because } = clientFinding(clientJournal(starts), 'CLIENT-1');
    assert.equal(verdict, 'inconclusive');
    assert.ok(because.includes(`(GET ${target}) of \`wait-seconds\` got ${status}.`), because);
    assert.match(because, hint);
  });
}

const waitingLong = (requests: readonly StatedRequest[], exit?: ClientExit): readonly StatedStart[] => [
  ...waits(),
  { scenario: waitLong, requests: [limited(0, '75'), ...requests], ...(exit && { exit }) },
];
const gaveUp: ClientExit = { kind: 'exited', code: 1 };
testClients('CLIENT-1', {
  pass: {
    'keeps 75 s': waitingLong([list(75_400)]),
    'keeps 75 s while it is watched': waitingLong([], { kind: 'stopped', because: 'watched' }),
    'gives 75 s up': waitingLong([], gaveUp),
  },
  fail: {
    'cuts 75 s at 60 s': waitingLong([list(60_400)]),
    'gives 75 s up and goes on with its next call': waitingLong([creation(5)], gaveUp),
  },
});

testClients('CLIENT-1', {
  fail: {
    'misses dates alone': [afterDate(list(600), list(4010)), /only HTTP-dates were not/],
    'misses seconds alone': [
      waits({ seconds: [limited(0, '3'), list(600)], creation: [limited(0, '2', 'POST'), creation(600)] }),
      /HTTP-dates were kept, and the longest waits in seconds were not/,
    ],
    'misses creations alone': [
      waits({ creation: [limited(0, '2', 'POST'), creation(3), creation(2010)] }),
      /Waits after a list were kept, and none after a creation/,
    ],
    'misses long waits alone': [
      waits({ seconds: [limited(0, '3'), list(2500)], date: [limited(0, 4000), list(2500)] }),
      /It kept waits of up to 2\.00 s, and none that was longer/,
    ],
    'misses by what the response took': [
      waits({
        seconds: [{ ...limited(0, '3'), took: 370 }, list(3001)],
        creation: [{ ...limited(0, '2', 'POST'), took: 370 }, creation(2001)],
      }),
      /early by about as long as its 429 response took/,
    ],
    'misses every wait, which points to no cause': [
      waits({
        seconds: [limited(0, '3'), list(2)],
        creation: [limited(0, '2', 'POST'), creation(2)],
        date: [limited(0, 4000), list(2)],
      }),
      /^(?!.*(as by a client|It kept waits))/,
    ],
  },
});

test('the outcome of a usual run names the long waits that it did not test', () => {
  const record = judgedClient(clientJournal(waits()));
  assert.match(untestedIn(record)?.sentence ?? '', /Tested in part: CLIENT-1\.$/);
  const part = untestedIn(record)?.reasons.find(({ ids }) => ids === 'CLIENT-1');
  assert.match(part?.text ?? '', /^Waits of more than 4\.00 s were not tested.*--thorough/);
  assert.match(
    outcomeSentence({ ...record, outcome: 'conforms' }),
    /^The client conforms in what was tested\./,
  );
  const kept = waitingLong([list(75_400)]);
  const endured = waitingLong([], gaveUp);
  for (const starts of [kept, endured])
    assert.doesNotMatch(untestedIn(judgedClient(clientJournal(starts)))?.sentence ?? '', /CLIENT-1\b/);
});

// A wait is measured on the clock that never goes back; a date, on the wall clock as well, which the machine may set.
for (const [what, verdict, starts, stepMs] of [
  ['a wait too short, and a wall clock that is set ahead', 'fail', after429(list(2000)), 2000],
  ['a wait in seconds, and a wall clock that is set back', 'pass', after429(list(3010)), -2000],
  ['a date that comes sooner by a wall clock that is set ahead', 'pass', afterDate(list(2500)), 2000],
  ['a date that has come, and a wall clock that is set back', 'pass', afterDate(list(4010)), -2000],
  ['a date that has come by neither clock', 'fail', afterDate(list(1000)), 2000],
] as const) {
  test(`${what}: ${verdict}`, () => {
    const lines = clientJournal(starts).map((line) =>
      line.kind === 'arrival' && line.at.mono > 1_000_500
        ? { ...line, at: { ...line.at, wall: line.at.wall + stepMs } }
        : line,
    );
    assert.equal(clientFinding(lines, 'CLIENT-1').verdict, verdict);
  });
}

/** A start with several tasks, after waits that the client keeps. */
const tasks = (...requests: readonly StatedRequest[]): readonly StatedStart[] => [
  ...waits(),
  { scenario: parallelTasks, requests },
];
/** The first request of the tasks, which is rate-limited. */
const first = (took: number): StatedRequest => ({ at: 0, took, status: 429, retryAfter: '4' });
/** The request of another task, which is answered at 800 ms, or given up. */
const other = (at: number, more: Partial<StatedRequest> = { took: 799 }): StatedRequest => ({
  ...{ at, inFlight: at + 1, connection: at + 1 },
  ...more,
});
const GIVEN_UP = { status: null } as const;
/** Four requests in flight, of which the first is rate-limited at 100 ms. */
const FOUR = [first(100), other(1), other(2), other(3)] as const;
const four = (...further: readonly StatedRequest[]): readonly StatedStart[] => tasks(...FOUR, ...further);
/** A journal with a stall of this program that ends at a moment of its starts. */
const withStall = (
  lines: readonly ClientJournalLine[],
  milliseconds: number,
  until: number,
): readonly ClientJournalLine[] => {
  const begun = lines.find((line) => line.kind === 'start');
  assert.ok(begun !== undefined);
  const at = { wall: begun.at.wall + until, mono: begun.at.mono + until };
  return [...lines, { kind: 'stall', at, milliseconds }];
};
/** The same of a client that has two requests in flight in its waits, although it was given one task. */
const crowdedTasks = (...requests: readonly StatedRequest[]): readonly StatedStart[] => [
  ...after429({ at: 0, took: 2, inFlight: 2, connection: 2 }, list(3002), creation(3004)),
  { scenario: parallelTasks, requests },
];
const early = (at: number): StatedRequest => ({ at, status: 429, retryAfter: '4' });
testClients('CLIENT-3', {
  pass: {
    'shares one gate': four(list(4102), list(4103)),
    'sends on that connection as the 429 is written': four(early(100), list(4102)),
    'sends on another one 20 ms after the 429': four({ ...early(120), connection: 5 }, list(4102)),
    'sends again 20 ms before the end of the wait': four(list(4080)),
    'sends one request at a time and waits': tasks(first(2500), list(6505)),
    'gave its other requests up while they were held, and sent them anew when the 429 came': tasks(
      ...[first(2500), other(1, GIVEN_UP)],
      ...[{ ...early(2510), inFlight: 2, connection: 3 }, list(6505)],
    ),
    'sends with more tasks than it was given, and keeps every wait': crowdedTasks(...FOUR, list(4102)),
  },
  warn: {
    'sends 10 ms before the other responses': four(early(790), list(4102)),
    'sends again 21 ms before the end of the wait': four(list(4079), list(4102)),
    'gave one of its four requests up while it was held, and sent it anew after the 429': tasks(
      ...[first(100), other(1), other(2), other(3, GIVEN_UP)],
      ...[{ ...early(150), connection: 5 }, list(4102)],
    ),
    'has a fourth task that sends its request after the 429': tasks(
      ...[first(100), other(1), other(2)],
      ...[{ ...early(150), connection: 5 }, list(4102)],
    ),
    'sends what waited for its one connection': tasks(
      ...[first(2500), ...[2501, 2503, 2505].map(early), list(6505)],
    ),
    'sends one further request in each other task': four(early(810), early(811), early(812), list(4102)),
    'sends one request at a time and goes on': tasks(first(2500), early(2510), list(6505)),
    'gets another response at the moment of the 429, and goes on once': tasks(
      ...[first(100), other(1, { took: 99 }), other(2), other(3)],
      ...[{ ...early(150), connection: 2 }, list(4102)],
    ),
  },
  fail: {
    'goes on at once on the connection of the 429': four(early(101), list(4102)),
    'sends on another one 21 ms after the 429': four({ ...early(121), connection: 5 }, list(4102)),
    'sends 11 ms before the other responses': four(early(789), list(4102)),
    'sends a fourth request in other tasks': four(...[810, 811, 812, 1900].map(early), list(4102)),
    'sends with more tasks than it was given, on the connection of the 429': crowdedTasks(
      ...[...FOUR, early(150), list(4102)],
    ),
    'sends another operation with one task': [
      ...after429(creation(500), list(3002)),
      ...four(list(4102)).slice(3),
    ],
  },
  inconclusive: {
    'sends nothing afterwards': four(),
    'sends with more tasks than it was given, as its 429 comes': crowdedTasks(
      ...[...FOUR, { ...early(150), connection: 5 }, list(4102)],
    ),
    'sends with two tasks for each of the four that it was given, whose requests come as its 429 does': four(
      ...[4, 5, 6, 7].map((at) => ({ ...early(130 + at), inFlight: at, connection: at + 1 })),
      list(4102),
    ),
    'sends each request a second time where it takes long, before the 429 came': crowdedTasks(
      ...[first(2500), other(1, GIVEN_UP)],
      ...[3, 4, 5, 6, 7].map((connection) => ({ ...early(2800 + connection), connection })),
      list(6505),
    ),
    'has a fourth task of which one request crosses the 429': crowdedTasks(
      ...[first(2500), other(1, GIVEN_UP), { ...early(4000), connection: 3 }, list(6505)],
    ),
    'sends with more tasks than it was given, of which one request crosses a 429': [
      ...waits({
        seconds: [
          { ...limited(0, '3'), took: 300 },
          { at: 100, connection: 2, inFlight: 2 },
          { ...creation(700), connection: 3 },
          list(3400),
        ],
      }),
      ...four(list(4102)).slice(waits().length),
    ],
  },
});
test('CLIENT-3: nothing follows from requests after a hold in which this program stalled', () => {
  const further = [early(810), early(811), early(812), list(4102)];
  const stalledFor = (milliseconds: number, until: number) =>
    clientFinding(withStall(clientJournal(four(...further)), milliseconds, until), 'CLIENT-3');
  const finding = stalledFor(600, 790);
  assert.equal(finding.verdict, 'inconclusive', finding.because);
  assert.match(finding.because, /this program itself ran for 0\.1/);
  const one = clientFinding(withStall(clientJournal(four(early(810), list(4102))), 600, 790), 'CLIENT-3');
  assert.equal(one.verdict, 'inconclusive', one.because);
  assert.equal(stalledFor(200, 790).verdict, 'warn', 'it ran for long enough');
  assert.equal(stalledFor(600, 3000).verdict, 'warn', 'a stall at another time');
});

testClients(
  'CLIENT-3',
  {
    pass: {
      'keeps every wait': waits(),
      'has two requests in flight and goes on': after429(
        { at: 0, took: 9, inFlight: 2, connection: 2 },
        list(2),
      ),
      'sends something after one of its 429 responses': waits({
        seconds: [limited(0, '3'), list(3002)],
        creation: [],
        date: [],
      }),
    },
    fail: { 'retries at once': after429(list(2)) },
    inconclusive: {
      'sends nothing after its 429': waits({ seconds: [limited(0, '3')], creation: [], date: [] }),
    },
  },
  ATTACHED,
);

test('CLIENT-3: a request that may have been sent before the 429 is no violation', () => {
  const journal = clientJournal(four({ ...early(450), connection: 5 }, list(4102)));
  assert.equal(clientFinding(journal, 'CLIENT-3').verdict, 'fail');
  assert.equal(clientFinding(withStall(journal, 340, 449), 'CLIENT-3').verdict, 'pass');
  assert.equal(clientFinding(withStall(journal, 210, 449), 'CLIENT-3').verdict, 'fail', 'sent after it');
  assert.equal(clientFinding(withStall(journal, 340, 300), 'CLIENT-3').verdict, 'fail', 'long after it');
});
