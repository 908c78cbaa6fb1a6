import { countOf } from '../../../kernel/basics/text.ts';
import { inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { whyIncomplete } from '../completeness.ts';
import type { RunExpectation } from '../expectation.ts';

/** Never fails: requests that were not sent, or were late, are caused by the load generator. */
export const sentOnSchedule: RunExpectation = {
  entry: entry('SENT'),
  whyItMatters: 'What was not sent shows nothing about the target.',
  passRequires: 'every request on schedule',
  scope: 'counts',
  judge(evidence) {
    const requests = evidence.scenarios.reduce((sum, { tally }) => sum + tally.requests, 0);
    if (requests === 0) return inconclusive(whyIncomplete(evidence) ?? 'No request was sent.');
    return pass(`Each of ${countOf(requests, 'planned request')} was sent on schedule.`);
  },
};
