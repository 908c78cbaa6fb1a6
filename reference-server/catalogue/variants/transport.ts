import type { Seams } from '../../seams.ts';
import { headerValues } from '../../service/message.ts';
import { beyondFive, firewallBefore, pageOf } from '../wrappers/blocking.ts';
import { chunkedHead, headOf, inOnePiece, inPieces, unsizedLines, withHead } from '../wrappers/bytes.ts';
import { always, asError, editing, remembering } from '../wrappers/responses.ts';
import { turningAway } from './limiters.ts';
import type { StatedVariants } from './variant.ts';
import { inconclusiveWithout429 } from './variant.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </v1/categories>; rel=preload\r\n\r\n';

/** Sends an interim response in a segment of its own before each response. */
function withInterimResponse(interim: string): Seams {
  return inPieces(always, 'keep', (response) => [
    Buffer.from(interim),
    Buffer.concat([headOf(response), response.body]),
  ]);
}

const SEEN_IN = 'connection rates of HAProxy (conn_rate) and of web application firewalls';

/** How long the service is unavailable, as a share of the window. */
const SHARE = 1 / 3;

/** Conforming transports, visible over sockets only. */
export const transport: StatedVariants = {
  'body-in-chunks': {
    topic: 'K51',
    description: 'Bodies are chunked, without Content-Length.',
    testedWith: 'sockets',
    seenIn: 'every server that streams',
    ...editing(always, { without: ['Content-Length'] }),
  },
  'chunk-extensions-and-trailers': {
    topic: 'K51',
    description: 'Bodies are chunked, with an extension behind each size and a trailer at the end.',
    testedWith: 'sockets',
    seenIn: 'RFC 9112 §7.1; servers that sign chunks or send Server-Timing',
    ...inOnePiece(always, 'keep', (response) => [
      chunkedHead(response),
      Buffer.from(`00${response.body.length.toString(16)};part="1;2"\r\n`),
      response.body,
      Buffer.from('\r\n0\r\nServer-Timing: db;dur=3\r\n\r\n'),
    ]),
  },
  'body-until-close': {
    topic: 'K53',
    description: 'Bodies end with the connection: there is neither Content-Length nor chunks.',
    testedWith: 'sockets',
    seenIn: 'CGI programs and servers of HTTP/1.0 (RFC 9112 §6.3)',
    ...withHead(always, 'end', unsizedLines),
  },
  'connection-closed-each-time': {
    topic: 'K53',
    description: 'Every response has Connection: close, and the connection is closed.',
    testedWith: 'sockets',
    seenIn: 'Apache with KeepAlive off',
    ...editing(always, { lines: { Connection: 'close' } }),
  },
  'connection-closed-unannounced': {
    topic: 'K53',
    description: 'Every second connection is closed after its first response, without Connection: close.',
    testedWith: 'sockets',
    seenIn: 'load balancers that close idle connections early',
    ...inOnePiece(
      (_, { client }) => client.connection % 2 === 0,
      'end',
      (response) => [headOf(response), response.body],
    ),
  },
  'continue-before-each-response': {
    topic: 'K55',
    description: 'An unexpected 100 precedes every response.',
    testedWith: 'sockets',
    seenIn: 'IIS and older .NET servers, which send it at once',
    ...withInterimResponse(CONTINUE),
  },
  'early-hints-before-each-response': {
    topic: 'K55',
    description: 'A 103 with a Link header precedes every response.',
    testedWith: 'sockets',
    seenIn: 'CDNs with Early Hints; RFC 8297',
    ...withInterimResponse(EARLY_HINTS),
  },

  // Conforming services behind a firewall that limits how fast connections are opened.
  'new-connections-limited': {
    topic: 'K18',
    description:
      'In addition to the minute, a firewall answers 429 to new connections beyond five in a second.',
    warnings: ['LIMIT-2', 'RATE-8'],
    inconclusive: ['LIMIT-6'],
    because:
      'The firewall comes before a full bucket of few requests is exceeded, so nothing shows how that is counted.',
    seenIn: SEEN_IN,
    ...turningAway(() => {
      const isTurned = beyondFive('turned away');
      return (_, request, now) => isTurned(request, now);
    }),
  },
  'new-connections-reset': {
    topic: 'K18',
    description: 'A firewall resets new connections beyond five in a second.',
    warnings: ['HTTP-4'],
    seenIn: 'iptables with connlimit and REJECT, SYN rate limits of load balancers',
    ...firewallBefore(() => ({ kind: 'dropped' })),
  },
  'new-connections-unavailable': {
    topic: 'K18',
    description: 'A firewall answers 503 with a page to new connections beyond five in a second.',
    warnings: ['HTTP-4'],
    inconclusive: [...inconclusiveWithout429, 'LIMIT-2', 'LIMIT-8'],
    because: 'The run ends its requests where several in a row get 503, so no 429 shows.',
    seenIn: 'limit_conn of nginx with its usual status',
    ...firewallBefore(pageOf(503)),
  },

  // Services that are unavailable for a while, where a limit that answers 503 would look the same once.
  'outage-at-the-end-of-the-quota': {
    topic: 'K88',
    description:
      'When a key first exceeds its limit, the service becomes unavailable for a third of a window: every request gets 503.',
    warnings: ['HTTP-4'],
    inconclusive: ['RATE-8', 'LIMIT-4', 'LIMIT-6', 'LIMIT-7', 'LIMIT-9', 'RETRY-3', 'RETRY-4'],
    because: 'The quota was exhausted, and no 429 came until it was exhausted again.',
    seenIn: 'a deployment, or a restart, at a moment that looks like the end of a quota',
    ...remembering(always, ({ now, plans }) => {
      let until: number | undefined;
      return (response) => {
        if (response.status === 429) until ??= now() + SHARE * plans.minuteSeconds * 1000;
        const isDown = until !== undefined && now() < until;
        return isDown ? asError(response, 503) : response;
      };
    }),
  },
  'unavailable-once-after-a-429': {
    topic: 'K88',
    description: 'The first request of a key after its first 429 gets 503, and the others are served.',
    warnings: ['HTTP-4'],
    seenIn: 'growthbook-proxy#135: a load balancer that uses an idle connection as the service closes it',
    ...remembering(
      ({ status }) => status !== 401,
      () => {
        let limited: string | undefined;
        let isOver = false;
        return (response, request) => {
          const key = headerValues(request, 'Authorization').join();
          if (response.status === 429) limited ??= key;
          else if (key === limited && !isOver) {
            isOver = true;
            return asError(response, 503);
          }
          return response;
        };
      },
    ),
  },
};
