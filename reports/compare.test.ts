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
import type { Verdict } from '../kernel/findings/record.ts';
import { sampleOf } from '../tools/sample.ts';
import type { RunComparison, VerdictChange } from './compare.ts';
import { compareRecords, comparisonMarkdown, comparisonTexts } from './compare.ts';
import { matrixOf, renderMatrixHtml, renderMatrixMarkdown } from './matrix.ts';

/** The verdict on one requirement in both reports, how it changed, and the outcome. */
const rows: readonly (readonly [Verdict, Verdict, VerdictChange, RunComparison['outcome']])[] = [
  ['pass', 'fail', 'worse', 'worse'],
  ['pass', 'warn', 'worse', 'worse'],
  ['warn', 'fail', 'worse', 'worse'],
  ['fail', 'pass', 'better', 'not worse'],
  ['fail', 'warn', 'better', 'not worse'],
  ['warn', 'pass', 'better', 'not worse'],
  ['not-tested', 'fail', 'new', 'worse'],
  ['inconclusive', 'pass', 'new', 'not worse'],
  ['not-tested', 'warn', 'new', 'not worse'],
  ['pass', 'inconclusive', 'lost', 'undecided'],
  ['fail', 'not-tested', 'lost', 'undecided'],
];

for (const [first, second, change, outcome] of rows) {
  test(`${first}, then ${second}: ${change}, and the second report is ${outcome}`, () => {
    const compared = compareRecords(
      recordWith({ 'CREATE-4': { verdict: first } }),
      recordWith({ 'CREATE-4': { verdict: second } }),
    );
    assert.deepEqual(
      compared.changes.map((one) => [one.id, one.first, one.second, one.change]),
      [['CREATE-4', first, second, change]],
    );
    assert.equal(compared.outcome, outcome);
  });
}

test('a verdict that stays the same is no change, and neither is one that neither report decides', () => {
  const first = recordWith({ 'CREATE-4': { verdict: 'fail' }, 'BAN-1': { verdict: 'not-tested' } });
  const second = recordWith({ 'CREATE-4': { verdict: 'fail' }, 'BAN-1': { verdict: 'inconclusive' } });
  const compared = compareRecords(first, second);
  assert.deepEqual(compared.changes, []);
  assert.equal(compared.same, first.requirements.length);
  assert.match(comparisonTexts(compared).closing, /^✓ The second report is not worse: \d+ the same\.$/);
});

test('one worse verdict outweighs any number of better ones', () => {
  const first = recordWith({ 'CREATE-4': { verdict: 'fail' }, 'CREATE-5': { verdict: 'fail' } });
  assert.equal(compareRecords(first, recordWith({ 'AUTH-1': { verdict: 'fail' } })).outcome, 'worse');
});

test('what else differs is named', () => {
  const selection = { kind: 'quick', requirements: ['LIST-1'] } as const;
  const { remarks } = compareRecords(
    recordWith({}),
    recordWith({}, { strict: true, selection, target: { baseUrl: 'http://other/v1', plan: 'free' } }),
  );
  assert.deepEqual(remarks, [
    'The runs differ in target: http://127.0.0.1:8080/v1, then http://other/v1.',
    'The runs differ in strictness: not strict, then strict.',
    'The runs differ in extent: complete, then partial (quick), limited to LIST-1.',
  ]);
});

test('what a partial run leaves out is not lost', () => {
  const selection = { kind: 'selected', requirements: ['LIST-1', 'CREATE-4'] } as const;
  const unselected = Object.fromEntries(
    recordWith({}).requirements.flatMap(({ id }) =>
      id === 'LIST-1' || id === 'CREATE-4' ? [] : [[id, { verdict: 'not-tested' }] as const],
    ),
  );
  const partial = (verdict: Verdict) =>
    compareRecords(recordWith({}), recordWith({ ...unselected, 'CREATE-4': { verdict } }, { selection }));
  const equal = partial('pass');
  assert.deepEqual([equal.outcome, equal.same], ['not worse', 2]);
  assert.match(
    comparisonTexts(equal).closing,
    /^✓ The second report is not worse: 2 the same, \d+ left out by a partial run\.$/,
  );
  assert.equal(partial('fail').outcome, 'worse');
  assert.equal(partial('inconclusive').outcome, 'undecided');
});

test('text of a target cannot leave its cell', () => {
  for (const text of HOSTILE) {
    const table = comparisonMarkdown(comparisonTexts(compareRecords(recordWith({}), hostile(text))));
    for (const line of table.split('\n').filter((one) => one.startsWith('|')))
      assert.equal(line.split(/(?<!\\)\|/).length, 8, line);
    assert.doesNotMatch(table, /<script/);
  }
});

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
