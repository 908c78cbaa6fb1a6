import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
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
import type { ClientExit } from '../../model/journal.ts';
import { waitLong } from '../../scenarios/index.ts';

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
