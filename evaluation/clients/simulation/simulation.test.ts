import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSpecification } from '../../../spec/specification.ts';
import { seededBy } from '../../testing/suites/limiters.ts';
import { simulatedVerdicts } from './simulate.ts';
import { conformingSubjects } from './subjects.ts';

const specification = await loadSpecification();

// Usual runs are in the golden page of suites/client/judging/simulated-clients.test.ts.

test('long waits: no client that keeps them fails', () => {
  for (const subject of conformingSubjects) {
    const random = seededBy(`${subject.name}, thorough`);
    for (let drawn = 0; drawn < 10; drawn += 1) {
      const verdicts = simulatedVerdicts(subject.draw(random), specification, random, true);
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
      const thorough = simulatedVerdicts(client, specification, random, true);
      assert.deepEqual([thorough.get('CLIENT-1'), thorough.get('CLIENT-3')], ['fail', 'fail']);
    }
  });
}
