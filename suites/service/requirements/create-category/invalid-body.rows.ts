import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';
import type { JudgedId } from '../../evidence/requirement.ts';
import type { StepOf } from '../../probes/probe.ts';
import { invalidBodies, rejections } from '../../probes/rejections.ts';

const { asked, at } = edit;

/** Every body that must be rejected: rejected, accepted, rate-limited, without a response. */
const statuses: readonly VerdictRow[] = invalidBodies.flatMap(
  ({ requirement, step, acceptable }): readonly VerdictRow[] => {
    const id = requirement as JudgedId;
    const one = asked(rejections.id, step);
    return [
      { id, description: `${step}: 400`, journal: edit.unchanged, verdict: 'pass' },
      {
        id,
        description: `${step}: 201`,
        journal: at(one, edit.status(201), edit.responseBody({ id: 50, name: 'x' })),
        verdict: acceptable === undefined ? 'fail' : 'warn',
      },
      { id, description: `${step}: 500`, journal: at(one, edit.status(500)), verdict: 'fail' },
      {
        id,
        description: `${step}: a 503 instead`,
        journal: at(one, edit.status(503)),
        verdict: 'inconclusive',
      },
      {
        id,
        description: `${step}: a 503 and then a 400`,
        journal: edit.unavailableBefore(one),
        verdict: 'pass',
      },
      { id, description: `${step}: a 429 instead`, journal: at(one, edit.limited), verdict: 'inconclusive' },
      {
        id,
        description: `${step}: no response`,
        journal: at(one, edit.silent('timeout')),
        verdict: 'inconclusive',
      },
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
