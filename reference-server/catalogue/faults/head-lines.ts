import { headBytes, headerText, statusLine } from '../../http/write-response.ts';
import {
  chunk,
  chunkedHead,
  headOf,
  inOnePiece,
  inPieces,
  lastChunk,
  onBytes,
  withHead,
} from '../wrappers/bytes.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import { isCreated, isList, isRejected } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** A response that occurs only twice in a run, so that all other requests work. */
const malformed = isRejected('malformed_json');

const withExtraLine = (line: string) => (response: SentResponse) =>
  headOf(response, (lines) => [...lines, line]);

/** Faults of the chapter "Media and HTTP": the head of a response, and what precedes and follows it. */
export const headLines: StatedFaults = {
  'header-folded': {
    description: 'A header of a 400 response is folded over two lines.',
    warnings: ['HTTP-4'],
    seenIn: 'mail libraries that write HTTP headers (RFC 9112 §5.2 forbids it)',
    ...onBytes(malformed, (response) =>
      inOnePiece([headOf(response, (lines) => ['X-Trace: a,\r\n  b', ...lines]), response.body], 'end'),
    ),
  },
  'space-before-colon': {
    description: 'A header of a 400 response has a space before its colon.',
    warnings: ['HTTP-4'],
    seenIn: 'hand-written responses (RFC 9112 §5.1 forbids it, because proxies read it in two ways)',
    ...withHead(malformed, withExtraLine('X-Trace : 1'), 'end'),
  },
  'null-in-header': {
    description: 'A header of a 400 response contains a null character.',
    warnings: ['HTTP-4'],
    seenIn: 'C strings copied with their terminator',
    ...withHead(malformed, withExtraLine('X-Trace: a\u0000b'), 'end'),
  },
  'line-without-colon': {
    description: 'A line in the head of a 400 response is not a header.',
    warnings: ['HTTP-4'],
    seenIn: 'warnings of PHP and Perl printed among the headers',
    ...withHead(malformed, withExtraLine('Warning Undefined variable'), 'end'),
  },
  'status-of-four-digits': {
    description: 'The status of a 400 response has four digits.',
    warnings: ['HTTP-4'],
    seenIn: 'error codes of the service written into the status line',
    ...withHead(malformed, (response) => headBytes(['HTTP/1.1 4001 Bad', ...headerText(response)]), 'end'),
  },
  'protocol-misnamed': {
    description: 'The status line of a 400 response begins with ICY.',
    warnings: ['HTTP-4'],
    seenIn: 'SHOUTcast servers, which send "ICY 200 OK"',
    ...withHead(malformed, (response) => headBytes(['ICY 400 Bad Request', ...headerText(response)]), 'end'),
  },
  'bare-line-feeds': {
    description: 'The header lines of a 400 response end with a line feed only.',
    warnings: ['HTTP-4'],
    seenIn: 'CGI scripts and embedded servers on Unix',
    ...withHead(
      malformed,
      (response) => Buffer.from(`${[statusLine(400), ...headerText(response)].join('\n')}\n\n`),
      'end',
    ),
  },
  'reason-phrase-missing': {
    description: 'The status line of a list ends directly after the status, without a space.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9112 §4 allows an empty phrase and requires the space before it. Every common parser accepts the line without the space, and does not report it.',
    },
    seenIn: 'HTTP/2 gateways, which have no reason phrase',
    ...withHead(isList, (response) => headBytes(['HTTP/1.1 200', ...headerText(response)])),
  },
  'unasked-continue': {
    description: 'A 100 Continue precedes a 201 response although the client did not expect it.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §15.2 requires clients to accept interim responses that they did not ask for, so the server conforms.',
    },
    seenIn: 'IIS and older Apache versions, which send it for every POST',
    ...onBytes(isCreated, (response) =>
      inPieces([headBytes([statusLine(100)]), headOf(response), response.body]),
    ),
  },
  'trailers-after-list': {
    description: 'The list is chunked and followed by trailers.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §6.5 allows a sender to add trailers and a recipient to ignore them, so the server conforms.',
    },
    seenIn: 'gRPC gateways; Server-Timing after the work is done',
    ...onBytes(isList, (response) =>
      inPieces([chunkedHead(response), chunk(response.body), lastChunk('Server-Timing: db;dur=3')]),
    ),
  },
  'http-1-0-responses': {
    description: 'A list is sent as HTTP/1.0, and the connection is closed after it.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §2.5 allows a server to respond in any version with the same major number, so the server conforms.',
    },
    seenIn: 'Python’s http.server, old gateways',
    ...withHead(isList, (response) => headBytes(['HTTP/1.0 200 OK', ...headerText(response)]), 'end'),
  },
  'bytes-after-response': {
    description: 'A 201 response is followed by a second response to the same request.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'The bytes after a response belong to no request: the client closes the connection, and the next request opens another one. Every exchange is complete, so no exchange shows it.',
    },
    seenIn: 'handlers that respond twice; HAProxy’s 408 on idle connections',
    ...onBytes(isCreated, (response) =>
      inOnePiece([headOf(response), response.body, headOf(response), response.body]),
    ),
  },
  'reset-after-response': {
    description: 'The connection is reset after the whole list was sent.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'A response that arrived in full is a valid response, and a server may close an idle connection at any time, so the server conforms.',
    },
    seenIn: 'servers with SO_LINGER set to zero',
    ...onBytes(isList, (response) => inOnePiece([headOf(response), response.body], 'reset')),
  },
  'response-before-end-of-request': {
    description:
      'A creation of more than 16 KiB gets 413 before its body has arrived, and the connection is closed.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §15.5.14 allows a server to close the connection when the content is too large, and the specification shows no maximum. Where the reset arrives before the response, the connection had been used before, so it does not count as a dropped request either.',
    },
    seenIn: 'nginx’s client_max_body_size; Node servers that respond to the head only',
    kind: 'bytes',
    wrapBytes: {
      early: ({ headers }) =>
        headers.some(([name, value]) => name.toLowerCase() === 'content-length' && Number(value) > 16_384),
      transmit({ headers }, request) {
        const length = request.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
        if (Number(length ?? 0) <= 16_384) return undefined;
        const text = JSON.stringify({ code: 'too_large', message: 'Send less.', status: 413 });
        const rates = headerText({ headers }).filter(
          (line) => line.startsWith('X-RateLimit-') || line.startsWith('Date:'),
        );
        const lines = [statusLine(413), ...rates, 'Content-Type: application/json', 'Connection: close'];
        return inPieces([headBytes([...lines, `Content-Length: ${text.length}`]), Buffer.from(text)], 'end');
      },
    },
  },
};
