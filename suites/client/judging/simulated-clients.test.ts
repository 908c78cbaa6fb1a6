import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { tallySubject } from '../../../evaluation/clients/simulation/simulate.ts';
import { conformingSubjects, faultySubjects } from '../../../evaluation/clients/simulation/subjects.ts';
import { loadSpecification } from '../../../spec/specification.ts';

// How many simulated clients of each kind get each verdict, for a person to read: whoever changes a judge sees which
// clients it judges otherwise. Where the change is meant, WRITE_SIMULATED_CLIENTS=1 writes the page again.

const PAGE = 'suites/client/judging/simulated-clients.txt';

/** Simulated clients of each kind. */
const CLIENTS = 20;

test('simulated clients get the verdicts that they are known to get', async () => {
  const specification = await loadSpecification();
  let page = '';
  for (const subject of [...conformingSubjects, ...faultySubjects]) {
    const { verdicts, falseFails } = tallySubject(subject, CLIENTS, specification);
    assert.equal(falseFails, 0, subject.name);
    const told = Object.entries(verdicts).map(([id, tally]) => {
      const counts = Object.entries(tally).toSorted(([one], [other]) => (one < other ? -1 : 1));
      return `${id} ${counts.map(([verdict, count]) => `${verdict} ${count}`).join(', ')}`;
    });
    page += `${subject.name}\n  ${told.join('; ')}\n`;
  }
  if (process.env['WRITE_SIMULATED_CLIENTS'] === '1') writeFileSync(PAGE, page);
  assert.equal(page, readFileSync(PAGE, 'utf8'));
});
