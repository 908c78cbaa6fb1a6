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
import type { ClientJournalLine } from '../../model/journal.ts';
import { parallelTasks } from '../../scenarios/index.ts';

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
const crowded = (...requests: readonly StatedRequest[]): readonly StatedStart[] => [
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
    'sends with more tasks than it was given, and keeps every wait': crowded(...FOUR, list(4102)),
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
    'sends with more tasks than it was given, on the connection of the 429': crowded(
      ...[...FOUR, early(150), list(4102)],
    ),
    'sends another operation with one task': [
      ...after429(creation(500), list(3002)),
      ...four(list(4102)).slice(3),
    ],
  },
  inconclusive: {
    'sends nothing afterwards': four(),
    'sends with more tasks than it was given, as its 429 comes': crowded(
      ...[...FOUR, { ...early(150), connection: 5 }, list(4102)],
    ),
    'sends with two tasks for each of the four that it was given, whose requests come as its 429 does': four(
      ...[4, 5, 6, 7].map((at) => ({ ...early(130 + at), inFlight: at, connection: at + 1 })),
      list(4102),
    ),
    'sends each request a second time where it takes long, before the 429 came': crowded(
      ...[first(2500), other(1, GIVEN_UP)],
      ...[3, 4, 5, 6, 7].map((connection) => ({ ...early(2800 + connection), connection })),
      list(6505),
    ),
    'has a fourth task of which one request crosses the 429': crowded(
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
