import { quoted, secondsText } from '../../../kernel/basics/text.ts';
import { codingProblem, completeText } from '../../../kernel/exchanges/body.ts';
import type { Answer, Exchange } from '../../../kernel/exchanges/exchange.ts';
import {
  answerOf,
  challengeSchemes,
  headersOf,
  headerValue,
  headerValues,
  isJsonMediaType,
  statusOf,
} from '../../../kernel/exchanges/headers.ts';
import { exchangeName, responseText } from '../../../kernel/exchanges/outcome-kinds.ts';
import {
  dateHeaderSeconds,
  isUndated,
  lacksGmt,
  parseHttpDate,
} from '../../../kernel/exchanges/rate-headers.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import {
  ENDS_WITH_GMT,
  fail,
  furtherReasoned,
  isAdverse,
  judgeEach,
  warn,
} from '../../../kernel/findings/judgement.ts';
import { isDateStanding } from '../../../kernel/rate-limits/clocks.ts';
import { documented, expectJson, isProblem, namedSuccesses } from '../evidence/answers.ts';
import { circumstances } from '../evidence/circumstances.ts';
import type { Evidence, Requirement } from '../evidence/evidence.ts';
import { closedOnReuse } from '../evidence/evidence.ts';
import { isLockedOut, isMissing } from '../evidence/locked-out.ts';
import { judgeCreation } from '../evidence/valid-creations.ts';
import { creations } from '../probes/creations.ts';
import { EVERY_PROBE } from '../probes/index.ts';

/** A Date that is the same in all responses: it names the moment of none. */
function standingDate(evidence: Evidence): Judgement | undefined {
  const { recorded } = evidence;
  const dated = isDateStanding(recorded) ? recorded.filter((exchange) => !isUndated(exchange)) : [];
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const date = headerValue(headersOf(first), 'Date') ?? '';
  return fail({
    expected: 'a Date that names the moment of its response',
    received: `${quoted(date)} in ${exchangeName(first)} and still in ${exchangeName(last)}, ${secondsText(last.received.mono - first.sent.mono)} later`,
    reasoning:
      'A Date that stands still, as one that is computed once or stored with a response, shows no time, so Reset was compared with the clock of the machine that ran the test.',
    exchanges: [first, last],
  });
}

const withBody = (exchange: Exchange): boolean => {
  const answer = answerOf(exchange);
  return answer !== undefined && (answer.body.bytes > 0 || answer.unreadable !== undefined);
};

function notJson(exchange: Exchange): Problem | undefined {
  const answer = answerOf(exchange);
  const headers = answer?.headers ?? [];
  const where = `in ${exchangeName(exchange)}`;
  const types = headerValues(headers, 'Content-Type');
  const [type = '', other] = new Set(types);
  if (other !== undefined || !isJsonMediaType(type)) {
    const received =
      types.length === 0 ? 'no Content-Type' : `Content-Type ${types.map(quoted).join(' and ')}`;
    const fact = { expected: 'Content-Type application/json', received: `${received} ${where}` };
    return other === undefined && asksFor(exchange, type)
      ? warn({ ...fact, reasoning: NEGOTIATED })
      : fail(fact);
  }
  // RFC 9110 §5.3: a client that joins the lines reads a media type that does not exist.
  if (types.length > 1)
    return warn({
      expected: 'one Content-Type',
      received: `${types.length} of them (${quoted(types.join(', '))}) ${where}`,
    });
  if (answer?.unreadable !== undefined)
    return fail({
      expected: 'a body that clients can read',
      received: `a body that none can read: ${answer.unreadable}, ${where}`,
    });
  const coded = answer === undefined ? undefined : codedBody(answer, where);
  const json = expectJson(exchange, 'a body');
  if (isProblem(json)) return isAdverse(json) ? json : (coded ?? json);
  if (coded !== undefined) return coded;
  if (completeText(exchange)?.startsWith('\uFEFF')) return warn(byteOrderMark(where));
  return json.repeated === undefined ? undefined : warn(repeatedName(json.repeated, where));
}

function codedBody(answer: Answer, where: string): Problem | undefined {
  const coding = codingProblem(answer);
  if (coding === undefined) return undefined;
  const stated = `Content-Encoding ${headerValues(answer.headers, 'Content-Encoding').map(quoted).join(' and ')}`;
  if (coding.kind === 'false')
    return fail({
      expected: 'a body with the coding that Content-Encoding states',
      received: `${stated} on plain text ${where}`,
      reasoning:
        'Clients decode a body by this header (RFC 9110 §8.4), and fail on what is not coded: browsers, curl with --compressed, fetch of Node, requests of Python, and Go.',
    });
  return warn({
    expected: 'no Content-Encoding, because the request accepts identity alone',
    received: `${stated}${coding.kind === 'coded' ? '' : ', which is no content coding (RFC 9110 §8.4.1),'} ${where}`,
  });
}

/** Whether the request accepts this media type by its name, and not by a wildcard alone. */
function asksFor({ request }: Exchange, type: string): boolean {
  const [name = ''] = type.toLowerCase().split(';');
  const accepted = headerValue(request.headers, 'Accept')?.toLowerCase().split(/[,;]/) ?? [];
  return name !== '' && accepted.includes(name.trim());
}

const NEGOTIATED =
  'The request accepts this type by its name, as browsers do, and JSON as well. The specification names no other type than application/json, and does not say that the type can be negotiated (RFC 9110 §12.1).';

const repeatedName = (name: string, where: string) => ({
  expected: 'each name once in a JSON object',
  received: `${quoted(name)} twice in one object, with different values, ${where}`,
  reasoning:
    'RFC 8259 §4: names should be unique, because some readers take the first value, some the last, and some reject the body. The other verdicts are about the last one.',
});

const byteOrderMark = (where: string) => ({
  expected: 'JSON without a byte order mark',
  received: `one before the JSON ${where}`,
  reasoning:
    'RFC 8259 §8.1 forbids senders to add the mark, and lets readers ignore it or reject the body: Python and Go reject it.',
});

function challengeProblem(exchange: Exchange): Problem | undefined {
  const values = headerValues(headersOf(exchange), 'WWW-Authenticate');
  const schemes = values.flatMap(challengeSchemes);
  if (schemes.includes('bearer')) return undefined;
  const received = values.length === 0 ? 'none' : quoted(values.join(', '));
  return fail({
    expected: 'WWW-Authenticate with a challenge of the scheme Bearer on a 401',
    received: `${received} in ${exchangeName(exchange)}`,
    ...(schemes.length === 0 ? {} : { reasoning: NOT_APPLICABLE }),
  });
}

const NOT_APPLICABLE =
  'RFC 9110 §15.5.2: at least one challenge is applicable to the resource, and the service takes its keys by Bearer alone.';

export const mediaAndHttp: readonly Requirement[] = [
  {
    id: 'MEDIA-1',
    probes: EVERY_PROBE,
    whyItMatters: 'Clients choose their parser by the media type, and fail on a body that is not JSON.',
    fix: 'Write every response body as JSON with `Content-Type: application/json`, the errors of the framework and the gateway included.',
    judge: (evidence) =>
      judgeEach(
        [...documented(evidence, 200, 201, 400, 401), ...namedSuccesses(evidence)].filter(withBody),
        notJson,
        {
          good: 'Every documented response with a body is application/json and parses as JSON',
          none: evidence.whyNothing(),
        },
      ),
  },
  {
    id: 'MEDIA-2',
    probes: ['exhaust-quota'],
    whyItMatters:
      'The specification says that every response body is JSON, and leaves the body of a 429 open.',
    fix: 'Have the limiter answer 429 with a JSON body and `Content-Type: application/json`, or without a body.',
    judge(evidence) {
      const limited = evidence.answered(429);
      return judgeEach(limited.filter(withBody), notJson, {
        good: 'Every 429 with a body is JSON',
        none: limited.length === 0 ? NO_429 : 'No 429 of this run has a body.',
      });
    },
  },
  {
    id: 'MEDIA-3',
    probes: ['creations'],
    whyItMatters: 'Many HTTP clients add a charset to application/json by default.',
    fix: 'Compare only the media type of Content-Type, and ignore its parameters.',
    judge: (evidence) =>
      judgeCreation(evidence, creations.steps.charset, 'a creation sent as application/json; charset=utf-8'),
  },
  {
    id: 'HTTP-1',
    probes: EVERY_PROBE,
    whyItMatters:
      'Without a challenge a client cannot know how to authenticate, so RFC 9110 §11.6.1 requires one.',
    fix: 'Send `WWW-Authenticate: Bearer` with every 401.',
    judge: (evidence) =>
      judgeEach(evidence.answered(401), challengeProblem, {
        good: 'Every 401 carries a challenge of the scheme Bearer',
        none: 'No request of this run returned 401.',
      }),
  },
  {
    id: 'HTTP-2',
    probes: EVERY_PROBE,
    whyItMatters:
      'RFC 9110 §6.6.1 requires it from a server with a clock, and clients compare Reset and Retry-After dates with it.',
    fix: 'Let the server or the gateway send `Date`, computed anew for each response, as most do by default.',
    judge: (evidence) =>
      standingDate(evidence) ??
      judgeEach(
        evidence.exchanges.filter((exchange) => (statusOf(exchange) ?? 500) < 500),
        (exchange) => {
          if (!isUndated(exchange)) return undefined;
          const dates = headerValues(headersOf(exchange), 'Date');
          const received = dates.length === 0 ? 'no Date' : dates.map(quoted).join(' and ');
          return fail({
            expected: 'Date with an HTTP-date',
            received: `${received} in ${exchangeName(exchange)}`,
            ...(dates.some(lacksGmt) ? { reasoning: ENDS_WITH_GMT } : {}),
          });
        },
        { good: 'Every response carries Date', none: evidence.whyNothing() },
      ),
  },
  {
    id: 'HTTP-3',
    probes: ['exhaust-quota'],
    whyItMatters: 'A cached 429 would rate-limit clients that are within their limit (RFC 6585 §4).',
    fix: 'Send `Cache-Control: no-store` with every 429.',
    judge: (evidence) =>
      judgeEach(
        evidence.answered(429),
        (exchange) => {
          const header = cacheableBy(exchange);
          return header === undefined
            ? undefined
            : fail({
                expected: 'a 429 that no cache stores',
                received: `${quoted(header)} in ${exchangeName(exchange)}`,
              });
        },
        { good: 'No 429 allows a cache to store it', none: NO_429 },
      ),
  },
  {
    id: 'HTTP-4',
    probes: EVERY_PROBE,
    whyItMatters: 'A request that crashes a server or drops a connection affects every other client, too.',
    fix: 'Find the exception in the log of the service, or with 502, 503 or 504 the reason in the log of the gateway in front of it. If the input is invalid, answer 400 instead.',
    judge: (evidence) =>
      judgeEach(
        evidence.exchanges.filter((exchange) => !isLockedOut(exchange) && !isMissing(exchange)),
        (exchange) => {
          const status = statusOf(exchange);
          // 501 is an answer about an operation that does not exist here, not a breakdown.
          const broke = status === undefined ? !closedOnReuse(exchange) : status >= 500 && status !== 501;
          const received = broke ? responseText(exchange) : malformed(exchange);
          if (received === undefined) return undefined;
          const isRead = !broke && answerOf(exchange)?.irregular !== undefined;
          const expected = `a complete response below 500 to "${exchange.step}"`;
          const fact = { expected, received: `${received} in ${exchangeName(exchange)}` };
          const beside = broke ? evidence.fact(circumstances)?.text : undefined;
          return fail(furtherReasoned(fact, isRead ? READ_BY_SOME : beside));
        },
        {
          good: 'No request received a 5xx, a malformed response or a dropped connection',
          none: evidence.whyNothing(),
        },
      ),
  },
];

/** What is wrong with the message of a response, whatever it says. */
function malformed(exchange: Exchange): string | undefined {
  const { broken, unreadable, irregular } = answerOf(exchange) ?? {};
  if (broken !== undefined) return `a body that broke off (${quoted(broken)})`;
  const flaws = [...(unreadable === undefined ? [] : [unreadable]), ...(irregular ?? [])];
  return flaws.length === 0 ? undefined : `a malformed response (${flaws.join('; ')})`;
}

const NO_429 = 'No request of this run returned 429.';

const READ_BY_SOME =
  'Some clients in wide use reject such a response, and others read it: Go (with k6), Node and curl each reject what another of them reads.';

/** An Expires after the response's own Date: RFC 9111 §3 lets a cache store such a response. */
function expiry(exchange: Exchange): string | undefined {
  const text = headerValue(headersOf(exchange), 'Expires') ?? '';
  const [date, expires] = [dateHeaderSeconds(exchange), parseHttpDate(text)?.seconds];
  return date !== undefined && expires !== undefined && expires > date ? `Expires: ${text}` : undefined;
}

/** The header that lets a cache store this response, if there is one. */
function cacheableBy(exchange: Exchange): string | undefined {
  const control = headerValues(headersOf(exchange), 'Cache-Control').join(', ');
  if (/\bno-store\b/i.test(control)) return undefined;
  if (/\b(public|s-maxage=[1-9]|max-age=[1-9])/i.test(control)) return `Cache-Control: ${control}`;
  // RFC 9111 §5.3: max-age overrides Expires; the other two exclude shared caches or reuse.
  return /\b(max-age|private|no-cache)\b/i.test(control) ? undefined : expiry(exchange);
}
