import { count } from '../../../suites/evidence/quote.ts';
import type { Expectation } from '../expectation.ts';
import { inconclusive, pass } from '../expectation.ts';
import { missing } from '../wholeness.ts';

/** Never a failure: what was not sent, or not in time, is the doing of this side. */
export const sent: Expectation = {
  id: 'SENT',
  expects: 'Every planned request was sent on schedule, and the script did not fail.',
  rests: 'on every request and its time',
  judge(evidence) {
    const requests = evidence.scenarios.reduce((sum, { samples }) => sum + samples.length, 0);
    if (requests === 0) return inconclusive(missing(evidence) ?? 'Not one request was sent.');
    return pass(`Each of ${count(requests, 'planned request')} left at its time.`);
  },
};
