import { codingProblem } from '../../../exchanges/content-coding.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { answerOf, headersOf, headerValue, headerValues, statusOf } from '../../../exchanges/headers.ts';
import { lacksGmt } from '../../../exchanges/http-date.ts';
import { draftRateLimitFields, RATE_HEADERS } from '../../../exchanges/rate-headers.ts';
import type { RequirementId } from '../../../spec/register.ts';
import { quoted } from '../../../words/text.ts';
import { isSuccess } from '../../evidence/answers.ts';
import { bodyFields } from '../../evidence/json.ts';
import { isPage, isSlashRedirect } from '../../model/target-reading.ts';

/** What several findings may have in common. */
export type CauseId =
  | 'slash-redirect'
  | 'invalid-body-status'
  | 'invalid-body-crash'
  | 'invalid-body-accepted'
  | 'created-status'
  | 'draft-headers'
  | 'rate-limit-headers'
  | 'html-error'
  | 'text-error'
  | 'error-fields'
  | 'open-access'
  | 'unauthorized-status'
  | 'limited-headers'
  | 'limited-body'
  | 'date-zone'
  | 'framing'
  | 'content-coding';

/** A judgement against the target, and the exchanges that show it: at least one. */
export interface AdverseFinding {
  readonly id: RequirementId;
  readonly exchanges: readonly [Exchange, ...Exchange[]];
  /** How to fix a violation of this requirement in general. */
  readonly fix: string;
}

/** A cause as one finding shows it. Findings with the same cause and the same title share it. */
export interface Symptom {
  readonly cause: CauseId;
  readonly title: string;
}

/** Recognises one possible cause in a finding; undefined where it is not the cause. Pure. */
type Rule = (adverse: AdverseFinding) => Symptom | undefined;

const INVALID_BODIES: ReadonlySet<string> = new Set([
  'CREATE-4',
  'CREATE-5',
  'CREATE-6',
  'CREATE-7',
  'CREATE-8',
  'CREATE-9',
]);
/** Statuses of HTTP for content that is absent or has no type: a server sends them before it validates anything. */
const ABOUT_CONTENT: ReadonlySet<number> = new Set([411, 415]);
const CREATIONS: ReadonlySet<string> = new Set(['CREATE-1', 'CREATE-2', 'MEDIA-3']);
const ERROR_BODIES: ReadonlySet<string> = new Set(['MEDIA-1', 'ERR-1', 'ERR-2']);
const MEDIA: ReadonlySet<string> = new Set(['MEDIA-1', 'MEDIA-2']);
const MESSAGES: ReadonlySet<string> = new Set(['MEDIA-1', 'HTTP-4']);
const KEYLESS: ReadonlySet<string> = new Set(['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6']);
const PRESENCE: ReadonlySet<string> = new Set(['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4']);
const LIMITED: ReadonlySet<string> = new Set(['RATE-4', 'RETRY-1']);
const DATES: ReadonlySet<string> = new Set(['RETRY-2', 'HTTP-2']);

/** The requirements in whose findings a cause is looked for, for the causes that belong to certain ones. */
export const requirementsOfCause: Readonly<Partial<Record<string, ReadonlySet<string>>>> = {
  'invalid-body-status': INVALID_BODIES,
  'invalid-body-crash': INVALID_BODIES,
  'invalid-body-accepted': INVALID_BODIES,
  'created-status': CREATIONS,
  'html-error': ERROR_BODIES,
  'text-error': ERROR_BODIES,
  'error-fields': ERROR_BODIES,
  'open-access': KEYLESS,
  'unauthorized-status': KEYLESS,
  'draft-headers': PRESENCE,
  'rate-limit-headers': PRESENCE,
  'limited-headers': LIMITED,
  'date-zone': DATES,
} satisfies Partial<Record<CauseId, ReadonlySet<string>>>;

/** The most field names that a title lists. */
const MOST_FIELDS = 6;

const symptom = (cause: CauseId, title: string): Symptom => ({ cause, title });

/** The one status of all these exchanges. */
function commonStatus(exchanges: readonly Exchange[]): number | undefined {
  const [status, ...others] = new Set(exchanges.map(statusOf));
  return others.length === 0 ? status : undefined;
}

const slashRedirect: Rule = ({ exchanges }) =>
  exchanges.every(isSlashRedirect)
    ? symptom('slash-redirect', 'Requests for /categories are redirected to /categories/.')
    : undefined;

const invalidBody: Rule = ({ id, exchanges }) => {
  if (!INVALID_BODIES.has(id)) return undefined;
  if (exchanges.every(isSuccess)) {
    return symptom('invalid-body-accepted', 'Creations with an invalid body are accepted.');
  }
  const status = commonStatus(exchanges);
  if (status === undefined || ABOUT_CONTENT.has(status)) return undefined;
  return symptom(
    status >= 500 ? 'invalid-body-crash' : 'invalid-body-status',
    `Creations with an invalid body are answered ${status} instead of 400.`,
  );
};

const createdStatus: Rule = ({ id, exchanges }) => {
  const status = CREATIONS.has(id) ? commonStatus(exchanges) : undefined;
  return status === undefined || !exchanges.every(isSuccess) || status === 201
    ? undefined
    : symptom('created-status', `Creations are answered ${status} instead of 201.`);
};

const rateHeaders: Rule = ({ id, exchanges: [first] }) => {
  const headers = headersOf(first);
  const missing = RATE_HEADERS.filter((header) => headerValues(headers, header).length === 0);
  if (!PRESENCE.has(id) || missing.length === 0) return undefined;
  if (missing.length === RATE_HEADERS.length && draftRateLimitFields(headers).length > 0) {
    return symptom(
      'draft-headers',
      'Responses carry the RateLimit fields of the Internet-Draft instead of the X-RateLimit headers.',
    );
  }
  return symptom('rate-limit-headers', `Responses lack ${missing.join(', ')}.`);
};

const errorBody: Rule = ({ id, exchanges: [first] }) => {
  const answer = answerOf(first);
  if (!ERROR_BODIES.has(id) || answer === undefined || answer.status < 400) return undefined;
  if (isPage(answer)) return symptom('html-error', 'Error responses are HTML pages instead of JSON.');
  const fields = bodyFields(answer.body);
  if (fields === undefined) {
    return /^text\/(plain|html)\b/i.test(headerValue(answer.headers, 'Content-Type') ?? '')
      ? symptom('text-error', 'Error responses are plain text instead of JSON.')
      : undefined;
  }
  if (fields.has('code') && fields.has('message') && fields.has('status')) return undefined;
  const shown = [...fields.keys()].sort().slice(0, MOST_FIELDS).map(quoted).join(', ');
  return symptom(
    'error-fields',
    `Error responses have ${shown === '' ? 'no fields' : `the fields ${shown}`} instead of "code", "message" and "status".`,
  );
};

/** Clients cannot tell where such a response ends, or what its lines are. */
const framing: Rule = ({ id, exchanges: [first] }) => {
  const { unreadable, irregular } = answerOf(first) ?? {};
  return MESSAGES.has(id) && (unreadable !== undefined || irregular !== undefined)
    ? symptom('framing', 'Responses are not written as HTTP/1.1 requires.')
    : undefined;
};

const contentCoding: Rule = ({ id, exchanges: [first] }) => {
  const answer = MEDIA.has(id) ? answerOf(first) : undefined;
  return answer === undefined || codingProblem(answer) === undefined
    ? undefined
    : symptom('content-coding', 'Content-Encoding states a coding that the body should not have.');
};

const withoutKey: Rule = ({ id, exchanges }) => {
  if (!KEYLESS.has(id)) return undefined;
  if (exchanges.every(isSuccess)) {
    return symptom('open-access', 'Requests without a valid key are accepted.');
  }
  const status = commonStatus(exchanges);
  return status === undefined
    ? undefined
    : symptom('unauthorized-status', `Requests without a valid key are answered ${status} instead of 401.`);
};

const limitedHeaders: Rule = ({ id, exchanges }) =>
  LIMITED.has(id) && commonStatus(exchanges) === 429
    ? symptom('limited-headers', 'The 429 responses lack required headers.')
    : undefined;

/** The limiter writes the body of a 429, not the error handler of the service: a cause of its own. */
const limitedBody: Rule = ({ id }) =>
  id === 'MEDIA-2' ? symptom('limited-body', 'The 429 responses are not JSON.') : undefined;

const dateZone: Rule = ({ id, exchanges: [first] }) => {
  const date = headerValue(headersOf(first), id === 'HTTP-2' ? 'Date' : 'Retry-After');
  return DATES.has(id) && date !== undefined && lacksGmt(date)
    ? symptom('date-zone', 'Dates do not end with GMT.')
    : undefined;
};

/** Every rule, in the order in which they are tried: a finding belongs to the first cause that it shares with another one. */
export const rules: readonly Rule[] = [
  slashRedirect,
  framing,
  contentCoding,
  invalidBody,
  createdStatus,
  rateHeaders,
  errorBody,
  withoutKey,
  limitedHeaders,
  limitedBody,
  dateZone,
];
