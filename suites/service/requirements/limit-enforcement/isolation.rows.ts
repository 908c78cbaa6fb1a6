import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { controlled } from '../../../../evaluation/testing/suites/uses.ts';

const { at, asked } = edit;
const exhausted = asked('other-caller');

/** What speaks for and against callers that are counted apart (LIMIT-7). */
export const isolationRows: readonly VerdictRow[] = [
  { id: 'LIMIT-7', description: 'the other caller is answered', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIMIT-7',
    description: 'one count for both callers',
    journal: () => controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 48 }).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-7',
    description: 'one bucket for both callers, into which a request flows back',
    journal: () => controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 49 }).lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-7',
    description: 'another client takes as much of the quota of the key under test in addition, both times',
    journal: () => controlled({ before: 3, allowed: 50 }, { before: 12, allowed: 41 }).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-7',
    description: 'a 429 to the other caller each time, but the key under test has its own quota',
    journal: () => controlled({ before: 3, allowed: 60 }, { before: 12, allowed: 60 }).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-7',
    description: 'another client of the key under test takes as much of it both times',
    journal: () => controlled({ before: 3, allowed: 55 }, { before: 12, allowed: 55 }).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-7',
    description: 'the other caller is answered in the first control round',
    journal: () => controlled({ before: 3, allowed: 60, last: { status: 200 } }).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-7',
    description: 'the other caller is answered in the second control round',
    journal: () =>
      controlled({ before: 3, allowed: 57 }, { before: 12, allowed: 60, last: { status: 200 } }).lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-7',
    description: 'one control round alone',
    journal: () => controlled({ before: 3, allowed: 57 }).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-7',
    description: 'the other caller got a 429, and nothing was asked after it',
    journal: () => controlled().lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-7',
    description: 'the other caller gets no answer in the second control round',
    journal: () =>
      controlled(
        { before: 3, allowed: 57 },
        { before: 12, allowed: 48, last: { noResponse: 'timeout' } },
      ).lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-7',
    description: 'no second key',
    journal: edit.all(
      edit.run((run) => ({ ...run, inputs: { ...run.inputs, otherKey: false } })),
      edit.without(exhausted),
    ),
    verdict: 'not-tested',
  },
  {
    id: 'LIMIT-7',
    description: 'no-response',
    journal: at(exhausted, edit.silent('timeout')),
    verdict: 'inconclusive',
  },
];
