import { contentCodingOf } from '../../exchanges/body.ts';
import type { Answer, Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { answerOf, headerValue, headerValues, isJsonMediaType, statusOf } from '../../exchanges/headers.ts';
import { dateHeaderSeconds, parseHttpDate } from '../../exchanges/http-date.ts';
import { quoted } from '../../words/text.ts';
import { documented, expectJson, isProblem } from '../evidence/answers.ts';
import { jsonValueText } from '../evidence/json-value-text.ts';
import type { Problem } from '../evidence/judgement.ts';
import { doubt, judgeEach, violation } from '../evidence/judgement.ts';
import type { Requirement } from '../evidence/requirement.ts';
import { judgeCreation } from '../evidence/valid-creations.ts';
import { creations } from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { probes } from '../probes/index.ts';

const withBody = (exchange: Exchange): boolean => (answerOf(exchange)?.body.bytes ?? 0) > 0;

function notJson(exchange: Exchange): Problem | undefined {
  const type = headerValue(answerOf(exchange)?.headers ?? [], 'Content-Type');
  if (type === undefined || !isJsonMediaType(type)) {
    const came = type === undefined ? 'none, or more than one' : quoted(type);
    return violation(`Expected the media type application/json, but ${exchangeName(exchange)} has ${came}.`);
  }
  const answer = answerOf(exchange);
  const types = headerValues(answer?.headers ?? [], 'Content-Type');
  // RFC 9110 §5.3: a client that joins the lines reads a type that there is not.
  if (types.length > 1)
    return doubt(
      `Expected Content-Type once, but ${exchangeName(exchange)} has it ${types.length} times: ${quoted(types.join(', '))}.`,
    );
  const coding = answer === undefined ? undefined : contentCodingOf(answer);
  if (coding !== undefined)
    return doubt(
      `Expected a body as it is, since identity alone was asked for, but that of ${exchangeName(exchange)} is coded: ${quoted(coding)}.`,
    );
  const json = expectJson(exchange, 'a body');
  return isProblem(json) ? json : undefined;
}

/** A challenge at the beginning of a list of them: a scheme, and behind it nothing, a token68, or parameters (RFC 9110 §11.6.1). */
const CHALLENGE = /^[,\s]*[\w!#$%&'*+.^`|~-]+(\s+([\w.~+/-]+=*|[\w!#$%&'*+.^`|~-]+\s*=.*))?\s*(,.*)?$/s;

/** Chapter "Media and HTTP". */
export const mediaAndHttp: readonly Requirement[] = [
  {
    id: 'MEDIA-1',
    probes: probes,
    whyItMatters:
      'Clients choose their reader by the media type, and a body that is not JSON breaks every one of them.',
    judge: (evidence) =>
      judgeEach(documented(evidence, 200, 201, 400, 401).filter(withBody), notJson, {
        good: 'Every documented answer with a body is application/json and parses',
        none: evidence.whyNothing(),
      }),
  },
  {
    id: 'MEDIA-2',
    probes: [exhaustQuota],
    whyItMatters:
      'The specification says that every response body is JSON, and leaves the body of a 429 open.',
    judge(evidence) {
      const limitedExchanges = evidence.answered(429).filter(withBody);
      return judgeEach(limitedExchanges, notJson, {
        good: 'Every 429 with a body is JSON',
        none: 'No 429 of this run has a body.',
      });
    },
  },
  {
    id: 'MEDIA-3',
    probes: [creations],
    whyItMatters: 'Many HTTP clients add a charset to application/json by themselves.',
    judge: (evidence) =>
      judgeCreation(evidence, {
        step: creations.steps.charset,
        what: 'a creation sent as application/json; charset=utf-8',
      }),
  },
  {
    id: 'HTTP-1',
    probes: probes,
    whyItMatters:
      'RFC 9110 §11.6.1 requires it: without a challenge a client cannot know how to authenticate.',
    judge: (evidence) =>
      judgeEach(
        evidence.answered(401),
        (exchange) => {
          const values = headerValues(answerOf(exchange)?.headers ?? [], 'WWW-Authenticate');
          if (values.some((value) => CHALLENGE.test(value))) return undefined;
          const came = values.length === 0 ? 'none' : quoted(values.join(', '));
          return violation(
            `Expected WWW-Authenticate with a challenge on a 401, but ${exchangeName(exchange)} has ${came}.`,
          );
        },
        { good: 'Every 401 carries WWW-Authenticate', none: 'No request of this run was answered 401.' },
      ),
  },
  {
    id: 'HTTP-2',
    probes: probes,
    whyItMatters:
      'RFC 9110 §6.6.1 requires it of a server with a clock; Reset and Retry-After dates are read against it.',
    judge: (evidence) =>
      judgeEach(
        evidence.exchanges.filter((exchange) => (statusOf(exchange) ?? 500) < 500),
        (exchange) => {
          const answer = answerOf(exchange);
          if (answer === undefined || dateHeaderSeconds(answer) !== undefined) return undefined;
          const date = headerValue(answer.headers, 'Date');
          return violation(
            `Expected an HTTP-date in Date, but ${exchangeName(exchange)} has ${jsonValueText(date)}.`,
          );
        },
        { good: 'Every answer carries Date', none: evidence.whyNothing() },
      ),
  },
  {
    id: 'HTTP-3',
    probes: [exhaustQuota],
    whyItMatters: 'RFC 6585 §4: a stored 429 would refuse clients that are within their limit.',
    judge: (evidence) =>
      judgeEach(
        evidence.answered(429),
        (exchange) => {
          const invitation = cacheable(exchange);
          return invitation === undefined
            ? undefined
            : violation(
                `Expected a 429 that no cache stores, but ${exchangeName(exchange)} says ${quoted(invitation)}.`,
              );
        },
        { good: 'No 429 invites a cache to store it', none: 'No request of this run was answered 429.' },
      ),
  },
  {
    id: 'HTTP-4',
    probes: probes,
    whyItMatters: 'A request that brings a server down, or its connection, does so for everybody behind it.',
    judge: (evidence) =>
      judgeEach(
        evidence.exchanges,
        (exchange) => {
          const status = statusOf(exchange);
          // 501 is an answer about an operation that does not exist here, not a breakdown.
          const broke = status === undefined ? dropped(exchange) : status >= 500 && status !== 501;
          if (!broke && answerOf(exchange)?.broken === undefined) return undefined;
          const how = broke ? outcomeText(exchange) : 'broke off in the middle of its body';
          return violation(
            `Expected an answer below 500 to "${exchange.step}", but ${exchangeName(exchange)} ${how}.`,
          );
        },
        { good: 'No request was answered by a 5xx or a dropped connection', none: evidence.whyNothing() },
      ),
  },
];

/** A kept connection may be closed by the target just as it is used again: that is no dropped request. */
function dropped(exchange: Exchange): boolean {
  const { outcome, connection } = exchange;
  return outcome.kind === 'no-response' && !(outcome.cause === 'reset' && !connection.fresh);
}

/** An Expires that lies after the answer's own Date: RFC 9111 §3 lets a cache store what carries one. */
function expiry(answer: Answer): string | undefined {
  const text = headerValue(answer.headers, 'Expires') ?? '';
  const [date, expires] = [dateHeaderSeconds(answer), parseHttpDate(text)?.seconds];
  return date !== undefined && expires !== undefined && expires > date ? `Expires: ${text}` : undefined;
}

/** The header that lets a cache store this answer, if there is one. */
function cacheable(exchange: Exchange): string | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const control = headerValues(answer.headers, 'Cache-Control').join(', ');
  if (/\bno-store\b/i.test(control)) return undefined;
  if (/\b(public|s-maxage=[1-9]|max-age=[1-9])/i.test(control)) return `Cache-Control: ${control}`;
  // RFC 9111 §5.3: a max-age goes before Expires; the other two keep shared caches or reuse out.
  return /\b(max-age|private|no-cache)\b/i.test(control) ? undefined : expiry(answer);
}
