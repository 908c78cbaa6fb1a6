import { quoted } from '../../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValues } from '../../../../../kernel/exchanges/headers.ts';
import { RATE_HEADERS } from '../../../../../kernel/exchanges/judged-headers.ts';
import { draftRateLimitFields, nearRateLimitFields } from '../../../../../kernel/exchanges/rate-headers.ts';
import type { Evidence } from '../../../evidence/evidence.ts';
import type { Rule } from './rule.ts';
import { commonStatus, symptom } from './rule.ts';

export const PRESENCE: ReadonlySet<string> = new Set(['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4']);
export const LIMITED: ReadonlySet<string> = new Set(['RATE-4', 'RETRY-1']);

/** The most names that a title lists. */
const MOST_NAMED = 6;

/** Headers that are absent: everywhere, or only on responses that something else than the limiter wrote first. */
export const rateHeaders: Rule = ({ id, exchanges: [first] }, evidence) => {
  const missing = missingOf(first);
  if (!PRESENCE.has(id) || missing.length === 0) return undefined;
  if (missing.length === RATE_HEADERS.length && draftRateLimitFields(headersOf(first)).length > 0) {
    return symptom(
      'draft-headers',
      'Responses carry the RateLimit fields of the Internet-Draft instead of the X-RateLimit headers.',
    );
  }
  const near = nearRateLimitFields(headersOf(first)).slice(0, MOST_NAMED).map(quoted).join(', ');
  if (near !== '') return symptom('near-headers', `Responses carry ${near}, and lack ${missing.join(', ')}.`);
  const title = `Responses lack ${missing.join(', ')}.`;
  return symptom(evidence.fact(isSentAnywhere) ? 'headers-of-errors' : 'rate-limit-headers', title);
};

const missingOf = (exchange: Exchange): readonly string[] =>
  RATE_HEADERS.filter((header) => headerValues(headersOf(exchange), header).length === 0);

/** Whether a response carries the headers, in either form: then the others passed by what sends them. */
const isSentAnywhere = (evidence: Evidence): boolean =>
  evidence.exchanges.some(
    (exchange) =>
      exchange.outcome.kind === 'answer' &&
      (missingOf(exchange).length === 0 || draftRateLimitFields(headersOf(exchange)).length > 0),
  );

export const limitedHeaders: Rule = ({ id, exchanges }) =>
  LIMITED.has(id) && commonStatus(exchanges) === 429
    ? symptom('limited-headers', 'The 429 responses lack required headers.')
    : undefined;

/** The limiter writes the body of a 429, not the error handler of the service: a cause of its own. */
export const limitedBody: Rule = ({ id }) =>
  id === 'MEDIA-2' ? symptom('limited-body', 'The 429 responses are not JSON.') : undefined;
