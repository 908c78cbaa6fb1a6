import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testRows } from '../../../evaluation/testing/suites/rows.ts';
import { findVariant } from '../../../reference-server/catalogue/variants/index.ts';
import { COOKIES_OF_TARGET, otherSpellings } from './other-spellings.ts';

const { lines } = await virtualRun({ fault: findVariant('cookies-without-effect') });
const cookies = edit.asked(otherSpellings.id, COOKIES_OF_TARGET);

test('the cookies of the target are sent back, and recorded by their names', () => {
  const sent = lines.find((line) => line.kind === 'exchange' && line.step === COOKIES_OF_TARGET);
  assert.ok(sent?.kind === 'exchange');
  assert.deepEqual(
    sent.request.headers.find(([name]) => name === 'Cookie'),
    ['Cookie', 'node=[not recorded 3]; session=[not recorded 4]'],
  );
});

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
