import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Waits } from '../../../evaluation/testing/clients/scripted.ts';
import {
  clientFinding,
  creation,
  limited,
  list,
  waits,
} from '../../../evaluation/testing/clients/scripted.ts';
import { clientJournal } from '../../../evaluation/testing/clients/synthetic-client.ts';

const rows: readonly (readonly [what: string, says: RegExp, given: Waits])[] = [
  ['dates alone', /only HTTP-dates were not/, { date: [limited(0, 4000), list(600), list(4010)] }],
  [
    'seconds alone',
    /HTTP-dates were kept, and the longest waits in seconds were not/,
    { seconds: [limited(0, '3'), list(600)], creation: [limited(0, '2', 'POST'), creation(600)] },
  ],
  [
    'creations alone',
    /Waits after a list were kept, and none after a creation/,
    { creation: [limited(0, '2', 'POST'), creation(3), creation(2010)] },
  ],
  [
    'long waits alone',
    /It kept waits of up to 2\.00 s, and none that was longer/,
    { seconds: [limited(0, '3'), list(2500)], date: [limited(0, 4000), list(2500)] },
  ],
  [
    'what the response took',
    /early by about as long as its 429 response took/,
    {
      seconds: [{ ...limited(0, '3'), took: 370 }, list(3001)],
      creation: [{ ...limited(0, '2', 'POST'), took: 370 }, creation(2001)],
    },
  ],
];
for (const [what, says, given] of rows) {
  test(`CLIENT-1 says what early requests have in common: ${what}`, () => {
    const { verdict, because } = clientFinding(clientJournal(waits(given)), 'CLIENT-1');
    assert.equal(verdict, 'fail');
    assert.match(because, says);
  });
}

test('CLIENT-1 says nothing of the kind where every wait was missed', () => {
  const all = {
    seconds: [limited(0, '3'), list(2)],
    creation: [limited(0, '2', 'POST'), creation(2)],
    date: [limited(0, 4000), list(2)],
  };
  assert.doesNotMatch(clientFinding(clientJournal(waits(all)), 'CLIENT-1').because, /as by a client/);
});
