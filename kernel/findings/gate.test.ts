import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Findings } from '../../evaluation/testing/reports/records.ts';
import { recordWith } from '../../evaluation/testing/reports/records.ts';
import { setOf } from '../../spec/sets.ts';
import { gateOf, withBaseline } from './gate.ts';
import type { Gate } from './gate-codes.ts';
import { GATE_CODES } from './gate-codes.ts';
import { conformsText, underSet } from './levels.ts';
import type { Headline, ServiceRecord } from './record.ts';

const selection = { kind: 'selected', requirements: ['CREATE-4', 'AUTH-5'] } as const;
const partial = (findings: Findings): ServiceRecord =>
  recordWith(findings, { selection, outcome: 'incomplete' });
const failing: Findings = { 'CREATE-4': { verdict: 'fail' } };
const undecided: Findings = { 'CREATE-4': { verdict: 'inconclusive' } };
const explained = (kind: Headline['kind']): ServiceRecord =>
  recordWith(undecided, { headline: { kind, text: 'What it is.', fix: 'What to do.' } });
/** With a baseline that accepts CREATE-4 up to this day. */
const knownUntil = (expires: string, record = recordWith(failing)): ServiceRecord =>
  withBaseline(record, { violations: [{ id: 'CREATE-4', reason: 'known', owner: 'Team A', expires }] });
const known = (record?: ServiceRecord): ServiceRecord => knownUntil('2999-12-31', record);
const failingBeside = (verdict: 'fail' | 'inconclusive'): ServiceRecord =>
  recordWith({ ...failing, 'CREATE-5': { verdict } });
const nothingTested = Object.fromEntries(
  recordWith({}).requirements.map(({ id }) => [id, { verdict: 'not-tested' }] as const),
);

describe('the gate of', () => {
  const rows: readonly (readonly [of: string, record: Parameters<typeof gateOf>[0], gate: Gate])[] = [
    ['a complete run without a failure', recordWith({}), 'conforms'],
    ['a violation', recordWith(failing), 'violates'],
    ['an inconclusive MUST', recordWith(undecided), 'incomplete'],
    ['a partial run of which everything passes', partial({}), 'partial'],
    ['a partial run with a failure', { ...partial(failing), outcome: 'violates' }, 'violates'],
    ['a partial run with an inconclusive MUST', partial(undecided), 'incomplete'],
    ['a partial run that tested nothing', partial(nothingTested), 'incomplete'],
    [
      'a partial run of observations',
      { ...partial(nothingTested), selection: { kind: 'selected', requirements: ['AUTH-7'] } },
      'partial',
    ],
    ['a known violation', known(), 'accepted'],
    ['a known violation on its last day', knownUntil('2026-11-21'), 'accepted'],
    ['a violation that was known until the day before', knownUntil('2026-11-20'), 'violates'],
    [
      'a violation that was known until the day before, and one that nobody knows',
      knownUntil('2026-11-20', failingBeside('fail')),
      'violates',
    ],
    ['a known violation, and missing lines', { ...known(), lacking: true }, 'incomplete'],
    ['a known violation beside an inconclusive MUST', known(failingBeside('inconclusive')), 'incomplete'],
    ['a known violation in a partial run', known({ ...partial(failing), outcome: 'violates' }), 'partial'],
    ['a partial run with missing lines', { ...partial({}), lacking: true }, 'incomplete'],
    ['a stale entry', known(partial({})), 'violates'],
    ['a rejected key', explained('key-rejected'), 'no-run'],
    ['another target', explained('wrong-target'), 'no-run'],
    ['another plan, which RATE-5 judges', explained('other-plan'), 'incomplete'],
  ];
  for (const [of, record, gate] of rows) test(of, () => assert.equal(gateOf(record), gate));
});

test('only what conforms, passes or is known ends with 0', () => {
  const green = Object.entries(GATE_CODES).flatMap(([gate, code]) => (code === 0 ? [gate] : []));
  assert.deepEqual(green, ['conforms', 'partial', 'accepted']);
});

const set = setOf('1.0.0');
const without = (...ids: readonly string[]) => ({
  ...set,
  requirements: new Map([...set.requirements].filter(([id]) => !ids.includes(id))),
});

test('what an earlier set does not have neither fails a record nor is missing from its level', () => {
  const record = recordWith({ 'CREATE-4': { verdict: 'fail' }, 'AUTH-5': { verdict: 'not-tested' } });
  assert.equal(underSet(record, set).outcome, 'violates');
  const then = underSet(record, without('CREATE-4', 'AUTH-5'));
  assert.equal(then.outcome, 'conforms');
  assert.match(conformsText(then), /^conforms: core(?! without)/);
  const untested = recordWith({ 'AUTH-5': { verdict: 'not-tested' } });
  assert.match(conformsText(underSet(untested, set)), /without AUTH-5/);
});

test('no level is reached of which a set has no requirement, and what lacks something stays incomplete', () => {
  const record = recordWith({ 'LIMIT-7': { verdict: 'pass' } });
  assert.match(conformsText(record), /isolation/);
  assert.doesNotMatch(conformsText(underSet(record, without('LIMIT-7'))), /isolation/);
  assert.equal(underSet({ ...record, lacking: true }, set).outcome, 'incomplete');
});

test('a client has no levels, and conforms where no requirement is missing', () => {
  assert.equal(conformsText({ subject: 'client', requirements: [] }), 'conforms');
});
