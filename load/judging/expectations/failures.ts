import { statusOf } from '../../../exchanges/headers.ts';
import { countOf, quoted } from '../../../words/text.ts';
import { exchangesOf } from '../evidence.ts';
import type { Expectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export const noServerErrors: Expectation = {
  id: 'NO-5XX',
  expected: 'No response is a 5xx, and no connection is lost.',
  passRequires: 'every request',
  judge({ scenarios }) {
    const exchanges = exchangesOf(scenarios);
    const errors = exchanges.filter((one) => (statusOf(one) ?? 0) >= 500);
    const [first] = errors;
    if (first !== undefined) {
      return fail(
        `${errors.length} of ${countOf(exchanges.length, 'request')} were answered with a 5xx status, the first (request ${first.n}) with ${statusOf(first)}.`,
      );
    }
    const unanswered = exchanges.find(({ outcome }) => outcome.kind === 'no-response');
    if (unanswered?.outcome.kind === 'no-response') {
      const lost = exchanges.filter(({ outcome }) => outcome.kind === 'no-response').length;
      return inconclusive(
        `${lost} of ${countOf(exchanges.length, 'request')} got no response, the first (request ${unanswered.n}): ${quoted(unanswered.outcome.detail)}. The network may have lost them.`,
      );
    }
    if (exchanges.length === 0) return inconclusive('No request was sent.');
    return pass(`Each of ${countOf(exchanges.length, 'request')} was answered, none with a 5xx.`);
  },
};
