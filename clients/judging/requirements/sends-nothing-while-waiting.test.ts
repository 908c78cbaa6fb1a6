import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientFinding,
  creation,
  limited,
  list,
  waits,
} from '../../../evaluation/testing/clients/judged-client.ts';
import type { StatedRequest, StatedStart } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { parallelTasks } from '../../scenarios/waiting.ts';

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
    const finding = clientFinding(clientJournal(starts), 'CLIENT-3');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}
