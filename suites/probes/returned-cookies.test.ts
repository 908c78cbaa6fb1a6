import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findVariant } from '../../catalogue/index.ts';
import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../evaluation/testing/suites/edits.ts';
import { testRows } from '../../evaluation/testing/suites/rows.ts';
import type { StagedExchange } from '../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { COOKIES_OF_TARGET, otherSpellings } from './other-spellings.ts';
import { returnedCookies } from './returned-cookies.ts';

const setting = (...cookies: readonly string[]): StagedExchange => ({
  left: 50,
  headers: cookies.map((cookie) => ['Set-Cookie', cookie]),
});

const rows: Readonly<Record<string, readonly [received: readonly StagedExchange[], sent: string]>> = {
  'no cookie': [[{ left: 50 }], ''],
  'two cookies of two responses': [[setting('a=1; Path=/'), setting('b=2; HttpOnly')], 'a=1; b=2'],
  'the last value of a cookie': [[setting('a=1'), setting('a=2')], 'a=2'],
  'a cookie that was deleted': [[setting('a=1', 'b=2'), setting('a=; Max-Age=0')], 'b=2'],
  'what is no cookie': [[setting('nonsense', '=1', 'a b=1')], ''],
  'a cookie of an error': [[{ ...setting('a=1'), status: 400 }], ''],
};

for (const [description, [received, sent]] of Object.entries(rows)) {
  test(`${description}: ${sent === '' ? 'nothing' : sent} is sent back`, () => {
    const run = new Synthesis();
    for (const one of received) run.add(one);
    assert.equal(returnedCookies(run.exchanges), sent);
  });
}

test('at most twenty cookies and 4 KiB are sent back', () => {
  const run = new Synthesis();
  run.add(setting(...Array.from({ length: 40 }, (_, i) => `c${i}=${'x'.repeat(500)}`)));
  const sent = returnedCookies(run.exchanges);
  assert.ok(sent.length <= 4096 && sent.endsWith('x') && sent.includes('c39='));
});

const { lines } = await virtualRun({ fault: findVariant('cookies-without-effect') });
const cookies = edit.asked(otherSpellings.id, COOKIES_OF_TARGET);

testRows(lines, [
  { id: 'AUTH-4', description: '401', journal: edit.unchanged, verdict: 'pass' },
  { id: 'AUTH-4', description: '403', journal: edit.at(cookies, edit.status(403)), verdict: 'pass' },
  { id: 'AUTH-4', description: '429', journal: edit.at(cookies, edit.limited), verdict: 'pass' },
  {
    id: 'AUTH-4',
    description: 'the list',
    journal: edit.at(cookies, edit.status(200), edit.responseBody([])),
    verdict: 'fail',
  },
]);
