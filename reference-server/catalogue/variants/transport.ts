import type { Seams } from '../../seams.ts';
import { chunkedHead, headOf, inOnePiece, inPieces, onBytes, withoutLine } from '../wrappers/bytes.ts';
import { onResponse, withLines, withoutHeaders } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </v1/categories>; rel=preload\r\n\r\n';

const ALWAYS = (): boolean => true;

/** Conforming transports, visible over sockets only. */
export const transport: readonly Variant[] = [
  {
    id: 'body-in-chunks',
    topic: 'K51',
    description: 'Bodies are chunked, without Content-Length.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'every server that streams',
    ...onResponse(ALWAYS, (response) => withoutHeaders(response, 'Content-Length')),
  },
  {
    id: 'chunk-extensions-and-trailers',
    topic: 'K51',
    description: 'Bodies are chunked, with an extension behind each size and a trailer at the end.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'RFC 9112 §7.1; servers that sign chunks or send Server-Timing',
    ...onBytes(ALWAYS, (response) =>
      inOnePiece([
        chunkedHead(response),
        Buffer.from(`00${response.body.length.toString(16)};part="1;2"\r\n`),
        response.body,
        Buffer.from('\r\n0\r\nServer-Timing: db;dur=3\r\n\r\n'),
      ]),
    ),
  },
  {
    id: 'body-until-close',
    topic: 'K53',
    description: 'Bodies end with the connection: there is neither Content-Length nor chunks.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'CGI programs and servers of HTTP/1.0 (RFC 9112 §6.3)',
    ...onBytes(ALWAYS, (response) =>
      inPieces([headOf(response, withoutLine('Content-Length')), response.body], 'end'),
    ),
  },
  {
    id: 'connection-closed-each-time',
    topic: 'K53',
    description: 'Every response has Connection: close, and the connection is closed.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'Apache with KeepAlive off',
    ...onResponse(ALWAYS, (response) => withLines(response, ['Connection', 'close'])),
  },
  {
    id: 'connection-closed-unannounced',
    topic: 'K53',
    description: 'Every second connection is closed after its first response, without Connection: close.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'load balancers that close idle connections early',
    ...closingSilently(),
  },
  {
    id: 'continue-before-each-response',
    topic: 'K55',
    description: 'An unexpected 100 precedes every response.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'IIS and older .NET servers, which send it at once',
    ...withInterimResponse(CONTINUE),
  },
  {
    id: 'early-hints-before-each-response',
    topic: 'K55',
    description: 'A 103 with a Link header precedes every response.',
    expected: conforms,
    testedWith: 'sockets',
    seenIn: 'CDNs with Early Hints; RFC 8297',
    ...withInterimResponse(EARLY_HINTS),
  },
];

/** Closes the connections with even numbers after their first response. */
function closingSilently(): Seams {
  const { wrapBytes } = onBytes(
    (_, { client }) => client.connection % 2 === 0,
    (response) => inOnePiece([headOf(response), response.body], 'end'),
  );
  return { wrapBytes };
}

/** Sends an interim response in a segment of its own before each response. */
function withInterimResponse(interim: string): Seams {
  const { wrapBytes } = onBytes(ALWAYS, (response) =>
    inPieces([Buffer.from(interim), Buffer.concat([headOf(response), response.body])]),
  );
  return { wrapBytes };
}
