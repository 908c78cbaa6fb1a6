import { statusOf } from '../../../exchanges/headers.ts';
import { count, quote } from '../../../suites/evidence/quote.ts';
import { exchangesOf } from '../evidence.ts';
import type { Expectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

/** A 5xx is the target's word; a connection that was lost may be anybody's on the way. */
export const noServerErrors: Expectation = {
  id: 'NO-5XX',
  expects: 'No response is a 5xx, and no connection is lost.',
  rests: 'on every request',
  judge({ scenarios }) {
    const exchanges = exchangesOf(scenarios);
    const errors = exchanges.filter((one) => (statusOf(one) ?? 0) >= 500);
    const [first] = errors;
    if (first !== undefined) {
      return fail(
        `${errors.length} of ${count(exchanges.length, 'request')} were answered with a 5xx, the first (request ${first.n}) with ${statusOf(first)}.`,
      );
    }
    const silent = exchanges.find(({ outcome }) => outcome.kind === 'no-response');
    if (silent?.outcome.kind === 'no-response') {
      const lost = exchanges.filter(({ outcome }) => outcome.kind === 'no-response').length;
      return inconclusive(
        `${lost} of ${count(exchanges.length, 'request')} got no answer, the first (request ${silent.n}): ${quote(silent.outcome.detail)}. The network may have lost them.`,
      );
    }
    if (exchanges.length === 0) return inconclusive('Not one request was sent.');
    return pass(`Each of ${count(exchanges.length, 'request')} was answered, none with a 5xx.`);
  },
};
