import { countOf, quoted, secondsText } from '../../../kernel/basics/text.ts';
import { least } from '../../../kernel/exchanges/collections.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { IDLE_CONNECTION } from '../../model/next-steps.ts';
import type { RequestTally } from '../evidence.ts';
import type { RunExpectation } from '../expectation.ts';

/** Strict clients reject what lenient ones read; only certify records the bytes. */
const CERTIFY_FIRST =
  'Certify says what is wrong with it and whether other clients read it (HTTP-4, MEDIA-1).';

/** After so long without a response, in milliseconds, a request goes over a connection that was idle meanwhile. */
const IDLE_MS = 1000;

function whyLost(tallies: readonly RequestTally[]): string {
  const quietMs = least(tallies.map(({ quietBeforeLost }) => quietBeforeLost));
  return quietMs < IDLE_MS
    ? 'The network may have lost them.'
    : `Each was sent ${secondsText(quietMs)} or more after the last response, so probably over a ${IDLE_CONNECTION}: a NAT, a load balancer or the target may have dropped it without a sign.`;
}

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export const noServerErrors: RunExpectation = {
  entry: entry('NO-5XX'),
  whyItMatters: 'A client cannot tell whether a request that ended so was carried out.',
  passRequires: 'every request',
  scope: 'counts',
  judge({ scenarios }) {
    const tallies = scenarios.map(({ tally }) => tally);
    const total = (count: 'requests' | 'serverErrors' | 'malformed' | 'lost'): number =>
      tallies.reduce((sum, tally) => sum + tally[count], 0);
    const requests = total('requests');
    const first = tallies.find(({ firstServerError }) => firstServerError !== undefined)?.firstServerError;
    if (first !== undefined) {
      return fail({
        expected: 'no 5xx',
        received: `a 5xx for ${total('serverErrors')} of ${countOf(requests, 'request')}, the first (request ${first.n}) ${statusOf(first)}`,
      });
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
        `${total('lost')} of ${countOf(requests, 'request')} got no response, the first (request ${unanswered.n}): ${quoted(unanswered.outcome.detail)}. ${whyLost(tallies)}`,
      );
    }
    if (requests === 0) return inconclusive('No request was sent.');
    return pass(`Each of ${countOf(requests, 'request')} was answered, none with a 5xx.`);
  },
};
