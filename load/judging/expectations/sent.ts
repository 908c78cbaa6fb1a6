import { countOf } from '../../../kernel/basics/text.ts';
import { whyIncomplete } from '../completeness.ts';
import type { RunExpectation } from '../expectation.ts';
import { inconclusive, pass } from '../expectation.ts';

/** Never fails: requests that were not sent, or were late, are caused by the load generator. */
export const sentOnSchedule: RunExpectation = {
  id: 'SENT',
  expected: 'Every planned request was sent on schedule, and the script did not fail.',
  passRequires: 'every request on schedule',
  scope: 'counts',
  judge(evidence) {
    const requests = evidence.scenarios.reduce((sum, { tally }) => sum + tally.requests, 0);
    if (requests === 0) return inconclusive(whyIncomplete(evidence) ?? 'No request was sent.');
    return pass(`Each of ${countOf(requests, 'planned request')} was sent on schedule.`);
  },
};
