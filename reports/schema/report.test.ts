import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaches, reportContract } from '../../evaluation/testing/reports/contracts.ts';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  incomplete,
  recordWith,
  violating,
  wrongTarget,
} from '../../evaluation/testing/reports/records.ts';
import { withBaseline } from '../../kernel/findings/baseline.ts';
import { register } from '../../spec/register.ts';
import { renderJson } from '../json.ts';

/** A record of which one violation is known, one entry expired and one is stale. */
const known = () => {
  const entry = { reason: 'gateway', owner: 'Team A', expires: '2999-01-01' };
  return withBaseline(violating(), {
    violations: [
      { id: 'RETRY-1', ...entry },
      { id: 'CREATE-4', ...entry, expires: '2020-01-01' },
      { id: 'LIST-1', ...entry },
    ],
  });
};

const keys = (value: object): readonly string[] => Object.keys(value);

test('every rendered report keeps the contract and says exactly what the record says', () => {
  const records = [
    conforming(),
    violating(),
    incomplete(),
    explained(),
    wrongTarget(),
    known(),
    recordWith({}, { selection: { kind: 'quick', requirements: ['LIST-1'] }, outcome: 'incomplete' }),
    ...HOSTILE.map(hostile),
  ];
  for (const record of records) {
    const report: unknown = JSON.parse(renderJson(record));
    assert.deepEqual(breaches(reportContract, report), []);
    assert.deepEqual(report, record);
  }
});

test('the contract names exactly the fields of a record: none may be missing and none be added', () => {
  const record = violating();
  for (const missing of keys(record)) {
    const rest = Object.fromEntries(Object.entries(record).filter(([name]) => name !== missing));
    assert.deepEqual(breaches(reportContract, rest), [` must have required property '${missing}'`]);
  }
  assert.notDeepEqual(breaches(reportContract, { ...record, more: 1 }), []);
});

test('a record may name its journal and the product that the user stated', () => {
  const journal = { digest: `sha256:${'0123456789abcdef'.repeat(4)}` };
  const product = { name: 'Pets', vendor: 'Example Ltd', version: '2.1', configuration: 'in memory' };
  assert.deepEqual(breaches(reportContract, { ...conforming(), journal, product }), []);
  assert.notDeepEqual(breaches(reportContract, { ...conforming(), journal: { digest: 'md5:0' } }), []);
  assert.notDeepEqual(breaches(reportContract, { ...conforming(), product: {} }), []);
});

test('the contract rejects verdicts, outcomes and exchanges that do not exist', () => {
  const record = violating();
  const [finding] = record.requirements;
  const broken = [
    { ...record, outcome: 'green' },
    { ...record, schemaVersion: 1 },
    { ...record, startedAt: 'yesterday' },
    { ...record, requirements: [{ ...finding, verdict: 'skipped' }] },
    { ...record, requirements: [{ ...finding, exchanges: [0] }] },
    { ...record, requirements: [{ ...finding, because: '' }] },
    { ...record, requirements: [{ ...finding, reason: 'a pass has none' }] },
    { ...record, requirements: [{ ...finding, verdict: 'fail' }] },
    { ...record, causes: [{ id: 'one', title: 'alone', requirements: ['LIST-1'] }] },
    { ...record, headline: { kind: 'other', text: 'a', fix: 'b' } },
  ];
  for (const one of broken)
    assert.notDeepEqual(breaches(reportContract, one), [], JSON.stringify(one).slice(0, 80));
});

test('every id of the register stands in the report once, as a finding or as an observation', () => {
  const { requirements, observations } = violating();
  const ids = [...requirements, ...observations].map((one) => one.id);
  assert.deepEqual([...ids].sort(), register.map((one) => one.id).sort());
});

test('a report printed in a terminal shows no character that cannot be seen', () => {
  for (const text of HOSTILE) {
    assert.doesNotMatch(
      renderJson(hostile(text)),
      /[^\n\P{Cc}]|[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/u,
    );
  }
});
