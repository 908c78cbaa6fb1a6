import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientFinding,
  creation,
  limited,
  list,
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
  ...waits({
    seconds: [limited(0, '3'), { at: 0, took: 2, inFlight: 2, connection: 2 }, list(3002), creation(3004)],
  }),
  { scenario: parallelTasks, requests },
];
const early = (at: number): StatedRequest => ({ at, status: 429, retryAfter: '4' });
const parallelRows: readonly (readonly [what: string, verdict: string, starts: readonly StatedStart[]])[] = [
  ['shares one gate', 'pass', four(list(4102), list(4103))],
  ['goes on in the rate-limited task', 'fail', four(early(150), list(4102))],
  ['goes on at once on the connection of the 429', 'fail', four(early(101), list(4102))],
  ['sends on that connection as the 429 is written', 'pass', four(early(100), list(4102))],
  ['sends on another one 20 ms after the 429', 'pass', four({ ...early(120), connection: 5 }, list(4102))],
  ['sends on another one 21 ms after the 429', 'fail', four({ ...early(121), connection: 5 }, list(4102))],
  ['sends 11 ms before the other responses', 'fail', four(early(789), list(4102))],
  ['sends 10 ms before the other responses', 'warn', four(early(790), list(4102))],
  ['sends again 21 ms before the end of the wait', 'warn', four(list(4079), list(4102))],
  ['sends again 20 ms before the end of the wait', 'pass', four(list(4080))],
  [
    'gave one of its four requests up while it was held, and sent it anew after the 429',
    'warn',
    tasks(
      ...[first(100), other(1), other(2), other(3, GIVEN_UP)],
      ...[{ ...early(150), connection: 5 }, list(4102)],
    ),
  ],
  [
    'has a fourth task that sends its request after the 429',
    'warn',
    tasks(first(100), other(1), other(2), { ...early(150), connection: 5 }, list(4102)),
  ],
  [
    'had sent a request on another connection when the 429 came',
    'pass',
    four({ ...early(112), connection: 5 }, list(4102)),
  ],
  [
    'sends what waited for its one connection',
    'warn',
    tasks(first(2500), early(2501), early(2503), early(2505), list(6505)),
  ],
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
  ['sends one request at a time and waits', 'pass', tasks(first(2500), list(6505))],
  ['sends one request at a time and goes on', 'warn', tasks(first(2500), early(2510), list(6505))],
  [
    'gave its other requests up while they were held, and sent them anew when the 429 came',
    'pass',
    tasks(
      ...[first(2500), other(1, GIVEN_UP)],
      ...[{ ...early(2510), inFlight: 2, connection: 3 }, list(6505)],
    ),
  ],
  [
    'sends with more tasks than it was given, as its 429 comes',
    'inconclusive',
    crowded(...FOUR, { ...early(150), connection: 5 }, list(4102)),
  ],
  [
    'sends each request a second time where it takes long, before the 429 came',
    'inconclusive',
    crowded(
      ...[first(2500), other(1, GIVEN_UP)],
      ...[3, 4, 5, 6, 7].map((connection) => ({ ...early(2800 + connection), connection })),
      list(6505),
    ),
  ],
  [
    'has a fourth task of which one request crosses the 429',
    'inconclusive',
    crowded(first(2500), other(1, GIVEN_UP), { ...early(4000), connection: 3 }, list(6505)),
  ],
  [
    'sends with more tasks than it was given, on the connection of the 429',
    'fail',
    crowded(...FOUR, early(150), list(4102)),
  ],
  ['sends with more tasks than it was given, and keeps every wait', 'pass', crowded(...FOUR, list(4102))],
  [
    'sends with more tasks than it was given, of which one request crosses a 429',
    'inconclusive',
    [
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
  ],
  [
    'gets another response at the moment of the 429, and goes on once',
    'warn',
    tasks(
      ...[first(100), other(1, { took: 99 }), other(2), other(3)],
      ...[{ ...early(150), connection: 2 }, list(4102)],
    ),
  ],
  [
    'sends another operation with one task',
    'fail',
    [...waits({ seconds: [limited(0, '3'), creation(500), list(3002)] }), ...four(list(4102)).slice(3)],
  ],
];
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

for (const [what, verdict, starts] of [
  ['keeps every wait', 'pass', waits()],
  ['retries at once', 'fail', waits({ seconds: [limited(0, '3'), list(2)] })],
  ['cuts the wait until a date to whole seconds', 'fail', waits({ date: [limited(400, 4000), list(3401)] })],
  [
    'has two requests in flight and goes on',
    'pass',
    waits({ seconds: [limited(0, '3'), { at: 0, took: 9, inFlight: 2, connection: 2 }, list(2)] }),
  ],
  [
    'sends nothing after its 429',
    'inconclusive',
    waits({ seconds: [limited(0, '3')], creation: [], date: [] }),
  ],
  [
    'sends something after one of its 429 responses',
    'pass',
    waits({ seconds: [limited(0, '3'), list(3002)], creation: [], date: [] }),
  ],
] as const) {
  test(`CLIENT-3: an attached client that ${what}: ${verdict}`, () => {
    const finding = clientFinding(
      clientJournal(starts, { kind: 'attached', where: 'this host' }),
      'CLIENT-3',
    );
    assert.equal(finding.verdict, verdict, finding.because);
  });
}

test('CLIENT-3: a request that may have been sent before the 429 is no violation', () => {
  const journal = clientJournal(four({ ...early(450), connection: 5 }, list(4102)));
  assert.equal(clientFinding(journal, 'CLIENT-3').verdict, 'fail');
  assert.equal(clientFinding(withStall(journal, 340, 449), 'CLIENT-3').verdict, 'pass');
  assert.equal(clientFinding(withStall(journal, 210, 449), 'CLIENT-3').verdict, 'fail', 'sent after it');
  assert.equal(clientFinding(withStall(journal, 340, 300), 'CLIENT-3').verdict, 'fail', 'long after it');
});

for (const [what, verdict, starts] of parallelRows) {
  test(`CLIENT-3: a client that ${what}: ${verdict}`, () => {
    const finding = clientFinding(clientJournal(starts), 'CLIENT-3');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}
