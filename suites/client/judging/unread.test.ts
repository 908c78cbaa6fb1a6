import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientFinding,
  judgedClient,
  limited,
  list,
  waits,
} from '../../../evaluation/testing/clients/judged-client.ts';
import type { StatedStart } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { backoffAfterSeconds, backoffAfterZero } from '../scenarios/backoff.ts';
import { parallelTasks } from '../scenarios/waiting.ts';

/** The client gave its request up when the 429 came, and sends it again by its own time. */
const givenUp = { ...limited(0, '3'), unread: true };

test('a client that gave a request up did not read its 429: it has to wait for nothing', () => {
  const early = [givenUp, { ...limited(400, '3'), connection: 2 }, list(3401)];
  const journal = clientJournal(waits({ seconds: early }));
  assert.equal(clientFinding(journal, 'CLIENT-1').verdict, 'pass');
  assert.match(judgedClient(journal).remarks.join(' '), /reset the connection of 1 429 response/);
  const read = clientJournal(waits({ seconds: early.map((one) => ({ ...one, unread: false })) }));
  assert.equal(clientFinding(read, 'CLIENT-1').verdict, 'fail');
});

test('what it does after the next 429, which it has read, counts', () => {
  const seconds = [givenUp, { ...limited(400, '3'), connection: 2 }, { ...list(1000), connection: 2 }];
  assert.equal(clientFinding(clientJournal(waits({ seconds })), 'CLIENT-1').verdict, 'fail');
});

test('a task that gave its request up has not learnt of the limit of all', () => {
  const requests = [
    { at: 0, took: 100, status: 429, retryAfter: '4', unread: true },
    { at: 1, took: 799, inFlight: 2, connection: 2 },
    { at: 2, took: 799, inFlight: 3, connection: 3 },
    { at: 3, took: 799, inFlight: 4, connection: 4 },
    { at: 300, status: 429, retryAfter: '4', connection: 5 },
    list(4500),
  ];
  const journal = clientJournal([...waits(), { scenario: parallelTasks, requests }]);
  assert.equal(clientFinding(journal, 'CLIENT-3').verdict, 'inconclusive');
});

test('the delays of a start with such a 429 are not those of its backoff', () => {
  const constant = (scenario: StatedStart['scenario'], unread: boolean): StatedStart => {
    const after = scenario === backoffAfterZero ? '0' : '1';
    const requests = [0, 1, 2, 3, 4, 5].map((at) => limited(4000 * at, after));
    return {
      scenario,
      requests: [{ ...requests[0], ...limited(0, after), unread }, ...requests.slice(1), list(24_000)],
    };
  };
  const starts = [backoffAfterSeconds, backoffAfterZero].flatMap((scenario) =>
    [true, true, true].map((unread) => constant(scenario, unread)),
  );
  const finding = clientFinding(clientJournal(starts), 'CLIENT-2');
  assert.equal(finding.verdict, 'inconclusive');
  assert.match(finding.because, /no start of the client shows its delays/);
});
