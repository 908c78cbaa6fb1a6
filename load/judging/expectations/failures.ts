import { statusOf } from '../../../exchanges/headers.ts';
import { countOf, quoted } from '../../../words/text.ts';
import type { RunExpectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

/** Strict clients reject what lenient ones read; only certify records the bytes. */
const CERTIFY_FIRST =
  'Certify says what is wrong with it and whether other clients read it (HTTP-4, MEDIA-1).';

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export const noServerErrors: RunExpectation = {
  id: 'NO-5XX',
  expected: 'No response is a 5xx, and every request gets a response.',
  passRequires: 'every request',
  scope: 'counts',
  judge({ scenarios }) {
    const tallies = scenarios.map(({ tally }) => tally);
    const total = (count: 'requests' | 'serverErrors' | 'malformed' | 'lost'): number =>
      tallies.reduce((sum, tally) => sum + tally[count], 0);
    const requests = total('requests');
    const first = tallies.find(({ firstServerError }) => firstServerError !== undefined)?.firstServerError;
    if (first !== undefined) {
      return fail(
        `${total('serverErrors')} of ${countOf(requests, 'request')} were answered with a 5xx status, the first (request ${first.n}) with ${statusOf(first)}.`,
      );
    }
    const malformed = tallies.find(({ firstMalformed }) => firstMalformed !== undefined)?.firstMalformed;
    if (malformed?.outcome.kind === 'no-response') {
      return inconclusive(
        `${total('malformed')} of ${countOf(requests, 'request')} got a malformed response, which k6 cannot read, the first (request ${malformed.n}): ${quoted(malformed.outcome.detail)}. ${CERTIFY_FIRST}`,
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
