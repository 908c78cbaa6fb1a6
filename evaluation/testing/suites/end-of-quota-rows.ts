import { exhaustQuota } from '../../../suites/probes/exhaust-quota.ts';
import type { VerdictRow } from './rows.ts';
import { isRateLimited, used } from './uses.ts';

/** A creation at the end of the quota. */
const endingCreation = { method: 'POST', step: exhaustQuota.steps.creation, status: 201 } as const;

/** Rows for LIMIT-1 and LIMIT-3: what a creation at the end of the quota shows about the limit. */
export const endOfQuotaRows: readonly VerdictRow[] = [
  {
    id: 'LIMIT-1',
    description: 'a creation accepted beyond the limit of an exact count',
    journal: () =>
      used(59)
        .wait(2)
        .add({ left: 0 })
        .add({ ...endingCreation, left: 0 })
        .lines(),
    verdict: 'fail',
  },
  {
    id: 'LIMIT-1',
    description: 'a creation accepted at Remaining 0 after two seconds in which a bucket gives back',
    journal: () =>
      used(58)
        .wait(2)
        .add({ left: 2 })
        .add({ left: 1 })
        .add({ left: 0 })
        .add({ ...endingCreation, left: 0 })
        .lines(),
    verdict: 'inconclusive',
  },
  {
    id: 'LIMIT-1',
    description: 'a creation that is not accepted for another reason, and then a 429 to a list',
    journal: () =>
      used(60)
        .add({ ...endingCreation, status: 409, left: 0 })
        .add(isRateLimited(60))
        .lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-3',
    description: 'a creation that is not accepted for another reason, and then a 429 to a list',
    journal: () =>
      used(60)
        .add({ ...endingCreation, status: 403, left: 0 })
        .add(isRateLimited(60))
        .lines(),
    verdict: 'pass',
  },
  {
    id: 'LIMIT-3',
    description: 'a creation and then a list that got other statuses beyond the limit',
    journal: () =>
      used(60)
        .add({ ...endingCreation, status: 403, left: 0 })
        .add({ status: 420, left: 0 })
        .lines(),
    verdict: 'fail',
  },
];
