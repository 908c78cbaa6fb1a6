import { codingProblem } from '../../../../../kernel/exchanges/content-coding.ts';
import { answerOf, headersOf, headerValue } from '../../../../../kernel/exchanges/headers.ts';
import { isUndated, lacksGmt } from '../../../../../kernel/exchanges/http-date.ts';
import { unavailable } from '../../../../../kernel/exchanges/outcome-kinds.ts';
import { isSlashRedirect } from '../../../model/target-reading.ts';
import type { Rule } from './rule.ts';
import { symptom } from './rule.ts';

export const MEDIA: ReadonlySet<string> = new Set(['MEDIA-1', 'MEDIA-2']);
export const MESSAGES: ReadonlySet<string> = new Set(['MEDIA-1', 'HTTP-4']);
export const DATES: ReadonlySet<string> = new Set(['RETRY-2', 'HTTP-2']);

export const slashRedirect: Rule = ({ exchanges }) =>
  exchanges.every(isSlashRedirect)
    ? symptom('slash-redirect', 'Requests for /categories are redirected to /categories/.')
    : undefined;

/** Clients cannot tell where such a response ends, or what its lines are. */
export const framing: Rule = ({ id, exchanges: [first] }) => {
  const { unreadable, irregular } = answerOf(first) ?? {};
  return MESSAGES.has(id) && (unreadable !== undefined || irregular !== undefined)
    ? symptom('framing', 'Responses are not written as HTTP/1.1 requires.')
    : undefined;
};

/** Such a status is about what stands behind the one that answers (RFC 9110 §15.6.3 to §15.6.5). */
export const gateway: Rule = ({ id, exchanges }) =>
  id === 'HTTP-4' && exchanges.every(unavailable)
    ? symptom('gateway', 'A gateway answers in place of the service.')
    : undefined;

export const contentCoding: Rule = ({ id, exchanges: [first] }) => {
  const answer = MEDIA.has(id) ? answerOf(first) : undefined;
  return answer === undefined || codingProblem(answer) === undefined
    ? undefined
    : symptom('content-coding', 'Content-Encoding states a coding that the body should not have.');
};

export const dateZone: Rule = ({ id, exchanges: [first] }) => {
  const date = headerValue(headersOf(first), id === 'HTTP-2' ? 'Date' : 'Retry-After');
  return DATES.has(id) && date !== undefined && lacksGmt(date)
    ? symptom('date-zone', 'Dates do not end with GMT.')
    : undefined;
};

export const dateStands: Rule = ({ id, exchanges: [first] }) =>
  id === 'HTTP-2' && !isUndated(first)
    ? symptom('date-stands', 'The Date of all responses is the same.')
    : undefined;
