import { quoted } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValues } from '../../../../kernel/exchanges/headers.ts';
import { RATE_HEADERS } from '../../../../kernel/exchanges/judged-headers.ts';
import { draftRateLimitFields, nearRateLimitFields } from '../../../../kernel/exchanges/rate-headers.ts';
import type { RequirementId } from '../../../../spec/register.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { KnownCause, Rule } from './rule.ts';
import { commonStatus, symptom, untested } from './rule.ts';

const PRESENCE: readonly RequirementId[] = ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'];
const LIMITED: readonly RequirementId[] = ['RATE-4', 'RETRY-1'];

/** Headers that are absent: everywhere, or only on responses that something else than the limiter wrote first. */
export const rateHeaders: Rule<keyof typeof rateLimits> = ({ id, exchanges: [first] }, evidence) => {
  const missing = missingOf(first);
  if (!PRESENCE.includes(id) || missing.length === 0) return undefined;
  if (missing.length === RATE_HEADERS.length && draftRateLimitFields(headersOf(first)).length > 0) {
    return symptom(
      'draft-headers',
      'Responses carry the RateLimit fields of the Internet-Draft instead of the X-RateLimit headers.',
    );
  }
  const near = nearRateLimitFields(headersOf(first)).map(quoted).join(', ');
  if (near !== '') return symptom('near-headers', `Responses carry ${near}, and lack ${missing.join(', ')}.`);
  const title = `Responses lack ${missing.join(', ')}.`;
  return symptom(evidence.fact(isSentAnywhere) ? 'headers-of-errors' : 'rate-limit-headers', title);
};

const missingOf = (exchange: Exchange): readonly string[] =>
  RATE_HEADERS.filter((header) => headerValues(headersOf(exchange), header).length === 0);

/** Whether a response carries the headers, in either form: then the others passed by what sends them. */
const isSentAnywhere = (evidence: Evidence): boolean =>
  evidence.exchanges.some(
    (exchange) => missingOf(exchange).length === 0 || draftRateLimitFields(headersOf(exchange)).length > 0,
  );

/** Before authentication `express-rate-limit` would count by the address, and all keys of an address together. */
const COUNTED_BY_KEY =
  "`keyGenerator: (req) => /^Bearer +(\\S+)$/i.exec(req.get('Authorization') ?? '')?.[1] ?? ipKeyGenerator(req.ip)`";

export const rateLimits = {
  'rate-limit-headers': {
    violates: PRESENCE,
    where: 'where no response has the headers',
    inGeneral: 'Set the headers in one place that every response passes, errors and a 304 included.',
    Express: `With \`express-rate-limit\`, set \`legacyHeaders: true\`, register the limiter before \`express.json()\`, authentication and all routes, and count by the key: ${COUNTED_BY_KEY}.`,
    Laravel: untested(
      'The middleware `throttle` sends `X-RateLimit-Reset` only with a 429: add it to every response.',
    ),
  },
  'headers-of-errors': {
    violates: PRESENCE,
    where: 'where only some responses have the headers',
    // No app on Koa runs here: its documentation says that an error has no headers but its own (https://koajs.com).
    inGeneral:
      'Other responses have the headers: count and set them before authentication and before the body is read, so that no response is sent earlier. Koa drops headers where an error is thrown: catch it in the first middleware.',
    Express: `Register the limiter before \`express.json()\`, authentication and all routes, because what answers before it sends no headers, and count by the key: ${COUNTED_BY_KEY}.`,
    Fastify:
      '`@fastify/rate-limit` counts in the hook `onRequest`: check the key in a later one, `preParsing`, so that a 401 has the headers, too.',
  },
  'draft-headers': {
    violates: PRESENCE,
    where: 'where the fields of the Internet-Draft are sent',
    inGeneral:
      'Send the X-RateLimit headers in their place. X-RateLimit-Reset is a Unix timestamp, not the seconds left. Where the limiter has no option for them, as `hono-rate-limiter`, write them in a middleware before it.',
    Express:
      'In `express-rate-limit`, set `legacyHeaders: true`: its X-RateLimit-Reset is a Unix timestamp, as the specification says.',
    Fastify:
      "In `@fastify/rate-limit`, set `enableDraftSpec: false`, and turn the seconds left into a Unix timestamp: `app.addHook('onSend', async (request, reply) => { reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000) + Number(reply.getHeader('x-ratelimit-reset'))); })`.",
  },
  'near-headers': {
    violates: PRESENCE,
    where: 'where the headers have other names',
    inGeneral: untested(
      'Send the headers by the names `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, in any case but with these hyphens, and with a Unix timestamp in seconds as Reset.',
    ),
  },
  'limited-headers': {
    violates: LIMITED,
    where: 'where the 429 lacks headers',
    shows: {
      title: 'The 429 responses lack required headers.',
      when: (exchanges) => commonStatus(exchanges) === 429,
    },
    inGeneral:
      'Set Retry-After and the three X-RateLimit headers in the code that sends the 429, often a limiter or a gateway in front of the service.',
  },
  'limited-body': {
    violates: ['MEDIA-2'],
    where: 'where the 429 is no JSON',
    // The limiter writes the body of a 429, not the error handler of the service: a cause of its own.
    shows: { title: 'The 429 responses are not JSON.', when: () => true },
    inGeneral:
      'Have the limiter answer 429 with a JSON body and `Content-Type: application/json`, or without a body.',
    Express: 'In `express-rate-limit`, give `message` as an object: it is sent as JSON.',
  },
} as const satisfies Readonly<Record<string, KnownCause>>;
