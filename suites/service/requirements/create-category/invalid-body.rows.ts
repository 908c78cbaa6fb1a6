import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import type { JudgedId } from '../../evidence/evidence.ts';
import { firstBatch } from '../../probes/creations.ts';
import type { StepOf } from '../../probes/probe.ts';
import { invalidBodies, rejections } from '../../probes/valid-creation.ts';

const { asked, at } = edit;

/** Every body that must be rejected: rejected, accepted, rate-limited, without a response. */
const statuses: readonly VerdictRow[] = invalidBodies.flatMap(
  ({ requirement, step, acceptable }): readonly VerdictRow[] => {
    const id = requirement as JudgedId;
    const one = asked(rejections.id, step);
    return [
      ...rowsOf(id, {
        [`${step}: 400`]: pass(edit.unchanged),
      }),
      {
        id,
        description: `${step}: 201`,
        journal: at(one, edit.status(201), edit.responseBody({ id: 50, name: 'x' })),
        verdict: acceptable === undefined ? 'fail' : 'warn',
      },
      ...rowsOf(id, {
        [`${step}: 500`]: fail(at(one, edit.status(500))),
        [`${step}: a 503 instead`]: inconclusive(at(one, edit.status(503))),
        [`${step}: a 503 and then a 400`]: pass(edit.unavailableBefore(one)),
        [`${step}: a 429 instead`]: inconclusive(at(one, edit.limited)),
        [`${step}: no response`]: inconclusive(at(one, edit.silent('timeout'))),
      }),
    ];
  },
);

/** Statuses that HTTP has for no content, and for content that cannot be read. */
const otherwise = (id: 'CREATE-8' | 'CREATE-9', step: StepOf<typeof rejections>): readonly VerdictRow[] =>
  ([411, 413, 415, 422] as const).map((code) => ({
    id,
    description: `${step}: ${code}`,
    journal: at(asked(rejections.id, step), edit.status(code)),
    verdict: code === 413 ? 'fail' : 'warn',
  }));

/** Every status that an invalid body may be answered with. */
export const invalidBodyRows: readonly VerdictRow[] = [
  ...statuses,
  ...(['no body', 'empty body with a content type'] as const).flatMap((step) => otherwise('CREATE-8', step)),
  ...(['truncated JSON', 'text after the JSON'] as const).flatMap((step) => otherwise('CREATE-9', step)),
];

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
export const conflictRows: readonly VerdictRow[] = rowsOf('CREATE-1', {
  '409 beside another creation, and 201 for the same body alone': warn(conflicting(201)),
  '409 beside another creation, and again alone: a rule for its texts': pass(conflicting(409)),
});
