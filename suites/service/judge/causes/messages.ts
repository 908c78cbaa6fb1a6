import { codingProblem } from '../../../../kernel/exchanges/body.ts';
import { answerOf, headersOf, headerValue } from '../../../../kernel/exchanges/headers.ts';
import { lacksGmt } from '../../../../kernel/exchanges/rate-headers.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import { isSlashRedirect } from '../../model/target-reading.ts';
import type { KnownCause, Rule } from './rule.ts';
import { symptom, untested } from './rule.ts';

const MEDIA: readonly RequirementId[] = ['MEDIA-1', 'MEDIA-2'];
const MESSAGES: readonly RequirementId[] = ['MEDIA-1', 'HTTP-4'];
const DATES: readonly RequirementId[] = ['RETRY-2', 'HTTP-2'];

export const slashRedirect: Rule<keyof typeof messages> = ({ exchanges }) =>
  exchanges.every(isSlashRedirect)
    ? symptom('slash-redirect', 'Requests for /categories are redirected to /categories/.')
    : undefined;

export const dateZone: Rule<keyof typeof messages> = ({ id, exchanges: [first] }) => {
  const date = headerValue(headersOf(first), id === 'HTTP-2' ? 'Date' : 'Retry-After');
  return DATES.includes(id) && date !== undefined && lacksGmt(date)
    ? symptom('date-zone', 'Dates do not end with GMT.')
    : undefined;
};

/** What may be wrong with how messages are written: paths, framing, codings and dates. */
export const messages = {
  'slash-redirect': {
    violates: ['LIST-1', 'CREATE-1'],
    where: 'where the path is redirected',
    inGeneral: 'Register the path without a slash at its end.',
    FastAPI: untested('Declare the route without a slash at its end (`""` below the prefix `/categories`).'),
    Django: untested('Declare the URL pattern without a slash at its end, and set `APPEND_SLASH = False`.'),
    Flask: 'Declare the rule without a slash at its end.',
    'Go net/http': 'Register `/categories`, not `/categories/`: `ServeMux` redirects to the latter.',
  },
  framing: {
    violates: MESSAGES,
    where: 'where the message is not written as HTTP/1.1 requires',
    shows: {
      title: 'Responses are not written as HTTP/1.1 requires.',
      // Clients cannot tell where such a response ends, or what its lines are.
      when([first]) {
        const { unreadable, irregular } = answerOf(first) ?? {};
        return unreadable !== undefined || irregular !== undefined;
      },
    },
    inGeneral: untested(
      'Leave status line, Transfer-Encoding, Content-Length and chunks to the HTTP library, and pass no such header on from a service behind it. A proxy in front of the service may have written the response.',
    ),
  },
  'content-coding': {
    violates: MEDIA,
    where: 'where Content-Encoding is wrong',
    shows: {
      title: 'Content-Encoding states a coding that the body should not have.',
      when([first]) {
        const answer = answerOf(first);
        return answer !== undefined && codingProblem(answer) !== undefined;
      },
    },
    inGeneral: untested(
      'Leave `Content-Encoding` out where the body is not compressed, and compress only where `Accept-Encoding` of the request allows it. A charset belongs into `Content-Type`.',
    ),
  },
  'date-zone': {
    violates: DATES,
    where: 'where dates do not end with GMT',
    inGeneral: untested(
      'End every HTTP-date with GMT: `http.TimeFormat` in Go (`time.RFC1123` writes UTC), `usegmt=True` in Python (`email.utils`), `DateTimeFormatter.RFC_1123_DATE_TIME` in Java.',
    ),
    'Go net/http': 'Format dates with `http.TimeFormat`: `time.RFC1123` writes UTC.',
  },
} as const satisfies Readonly<Record<string, KnownCause>>;
