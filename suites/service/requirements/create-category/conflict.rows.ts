import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';
import { firstBatch } from '../../probes/creations.ts';

const ERROR = edit.responseBody({ code: 'c', message: 'm', status: 409 });

/** The first creation of the first batch gets 409, and this when it is sent alone. */
function conflicting(code: number): edit.Change {
  const inBatch = edit.first(edit.both(edit.asked(firstBatch.id), edit.answered(201)));
  const { parallel, alone } = firstBatch.steps;
  const at =
    (step: string): edit.Edit =>
    (one) => ({ ...one, step });
  const beside = edit.precededBy(inBatch, edit.status(409), ERROR, at(parallel));
  const sentAlone = edit.at(inBatch, edit.status(code), at(alone));
  return (journal) => beside(sentAlone(journal));
}

/** CREATE-1: a creation that gets 409 beside another one. */
export const conflictRows: readonly VerdictRow[] = [
  {
    id: 'CREATE-1',
    description: '409 beside another creation, and 201 for the same body alone',
    journal: conflicting(201),
    verdict: 'warn',
  },
  {
    id: 'CREATE-1',
    description: '409 beside another creation, and again alone: a rule for its texts',
    journal: conflicting(409),
    verdict: 'pass',
  },
];
