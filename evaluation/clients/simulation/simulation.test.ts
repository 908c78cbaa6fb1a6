import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSpecification } from '../../../spec/specification.ts';
import { seededBy } from '../../testing/suites/limiters.ts';
import { simulatedVerdicts, tallySubject } from './simulate.ts';
import { conformingSubjects, faultySubjects } from './subjects.ts';

const specification = await loadSpecification();

for (const subject of conformingSubjects) {
  test(`no client fails: ${subject.name}`, () => {
    const { falseFails, verdicts } = tallySubject(subject, 40, specification);
    assert.equal(falseFails, 0);
    assert.equal(verdicts['CLIENT-1']?.pass, 40);
  });
}

test('long waits: no client that keeps them fails', () => {
  for (const subject of conformingSubjects) {
    const random = seededBy(`${subject.name}, thorough`);
    for (let drawn = 0; drawn < 10; drawn += 1) {
      const verdicts = simulatedVerdicts(subject.draw(random), specification, random, 'thorough');
      for (const [id, verdict] of verdicts) assert.notEqual(verdict, 'fail', `${subject.name}: ${id}`);
      assert.equal(verdicts.get('CLIENT-1'), 'pass');
    }
  }
});

for (const rule of ['at most 60 s', 'own delay above 60 s'] as const) {
  test(`long waits: a client is found in a thorough run alone: ${rule}`, () => {
    const random = seededBy(rule);
    for (const subject of conformingSubjects) {
      const client = { ...subject.draw(random), rule, retries: 6 };
      assert.equal(simulatedVerdicts(client, specification, random).get('CLIENT-1'), 'pass');
      const thorough = simulatedVerdicts(client, specification, random, 'thorough');
      assert.deepEqual([thorough.get('CLIENT-1'), thorough.get('CLIENT-3')], ['fail', 'fail']);
    }
  });
}

/** What jitter or an overloaded machine hides: the least share of clients that are found. */
const HIDDEN: Readonly<Record<string, number>> = {
  'constant delay within ±50 %': 0,
  'constant delay, full jitter': 0,
  'linear delays, full jitter': 0,
  'constant delay within ±10 %': 0.9,
  'waits Retry-After and nothing else, on an overloaded machine': 0,
  'linear delays, on an overloaded machine': 0.6,
};
for (const subject of faultySubjects) {
  test(`a client is found: ${subject.name}`, () => {
    const { falseFails, verdicts } = tallySubject(subject, 20, specification);
    assert.equal(falseFails, 0);
    for (const id of subject.violates) {
      const found = (verdicts[id]?.fail ?? 0) / 20;
      assert.ok(found >= (HIDDEN[subject.name] ?? 1), `${id}: ${JSON.stringify(verdicts[id])}`);
    }
  });
}
