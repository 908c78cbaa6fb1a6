import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tallySubject } from '../../../evaluation/clients/simulation/simulate.ts';
import { conformingSubjects, faultySubjects } from '../../../evaluation/clients/simulation/subjects.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
import { loadSpecification } from '../../../spec/specification.ts';

// How many simulated clients of each kind get each verdict.

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
  assertPage(PAGE, page);
});
