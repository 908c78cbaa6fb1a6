import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordWith } from '../../evaluation/testing/reports/records.ts';
import { setOf } from '../../spec/sets.ts';
import { conformsText, underSet } from './levels.ts';

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
  assert.match(
    conformsText(underSet(recordWith({ 'AUTH-5': { verdict: 'not-tested' } }), set)),
    /without AUTH-5/,
  );
});

test('no level is reached of which a set has no requirement, and what lacks something stays incomplete', () => {
  const record = recordWith({ 'LIMIT-7': { verdict: 'pass' } });
  assert.match(conformsText(record), /isolation/);
  assert.doesNotMatch(conformsText(underSet(record, without('LIMIT-7'))), /isolation/);
  assert.equal(underSet({ ...record, lacking: true }, set).outcome, 'incomplete');
});
