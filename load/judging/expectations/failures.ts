import { statusOf } from '../../../exchanges/headers.ts';
import { countOf, quoted } from '../../../words/text.ts';
import type { RunExpectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export const noServerErrors: RunExpectation = {
  id: 'NO-5XX',
  expected: 'No response is a 5xx, and every request gets a response.',
  passRequires: 'every request',
  scope: 'counts',
  judge({ scenarios }) {
    const tallies = scenarios.map(({ tally }) => tally);
    const total = (count: 'requests' | 'serverErrors' | 'lost'): number =>
      tallies.reduce((sum, tally) => sum + tally[count], 0);
    const requests = total('requests');
    const first = tallies.find(({ firstServerError }) => firstServerError !== undefined)?.firstServerError;
    if (first !== undefined) {
      return fail(
        `${total('serverErrors')} of ${countOf(requests, 'request')} were answered with a 5xx status, the first (request ${first.n}) with ${statusOf(first)}.`,
      );
    }
    const unanswered = tallies.find(({ firstLost }) => firstLost !== undefined)?.firstLost;
    if (unanswered?.outcome.kind === 'no-response') {
      return inconclusive(
        `${total('lost')} of ${countOf(requests, 'request')} got no response, the first (request ${unanswered.n}): ${quoted(unanswered.outcome.detail)}. The network may have lost them.`,
      );
    }
    if (requests === 0) return inconclusive('No request was sent.');
    return pass(`Each of ${countOf(requests, 'request')} was answered, none with a 5xx.`);
  },
};
