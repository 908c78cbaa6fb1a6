import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertValidHtml } from '../evaluation/testing/reports/contracts.ts';
import {
  HOSTILE,
  hostile,
  incomplete,
  recordWith,
  violating,
} from '../evaluation/testing/reports/records.ts';
import { sampleOf } from '../tools/sample.ts';
import { matrixOf, renderMatrixHtml, renderMatrixMarkdown } from './matrix.ts';

const columns = [
  { name: 'go', record: violating() },
  { name: 'rust | 2', record: incomplete() },
];

test('every requirement that a report decides is a row, every report a column', () => {
  const { rows } = matrixOf([
    {
      name: 'a',
      record: recordWith({ 'BAN-1': { verdict: 'not-tested' }, 'CREATE-4': { verdict: 'fail' } }),
    },
    { name: 'b', record: recordWith({ 'BAN-1': { verdict: 'not-tested' } }) },
  ]);
  assert.deepEqual(rows.find(({ id }) => id === 'CREATE-4')?.verdicts, ['fail', 'pass']);
  assert.ok(!rows.some(({ id }) => id === 'BAN-1'));
  assert.ok(!rows.some(({ level }) => level === 'OBSERVE'));
});

test('the Markdown table has a cell for each report in each row', () => {
  const lines = renderMatrixMarkdown(matrixOf(columns))
    .split('\n')
    .filter((line) => line.startsWith('|'));
  assert.match(lines.join('\n'), /\| Outcome \| ✗ violates \| \? incomplete \|/);
  for (const line of lines) assert.equal(line.split(/(?<!\\)\|/).length, 5, line);
});

test('the page is valid HTML without scripts, whatever the columns are called', async () => {
  for (const text of ['plain', ...sampleOf(HOSTILE)]) {
    const page = renderMatrixHtml(matrixOf([...columns, { name: text, record: hostile(text) }]));
    await assertValidHtml(page);
    assert.doesNotMatch(page, /<script/i);
  }
});
