import { headBytes, headerText, statusLine } from '../../http/write-response.ts';
import {
  chunk,
  chunkedHead,
  headOf,
  inOnePiece,
  inPieces,
  lastChunk,
  linesOf,
  unsizedLines,
  withHead,
} from '../wrappers/bytes.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import { isCreated, isList, isRejected, withoutRateLimit } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** A response that occurs only twice in a run, so that all other requests work. */
const malformed = isRejected('malformed_json');

const half = ({ body }: SentResponse): Uint8Array => body.subarray(0, Math.floor(body.length / 2));

/** The lines of a head that states another length of the body. */
const sizedLines = (response: SentResponse, length: unknown): readonly string[] => [
  ...unsizedLines(response),
  `Content-Length: ${length}`,
];

/** Faults of the chapter "Media and HTTP": where a response ends. */
export const framing: StatedFaults = {
  'list-cut-in-half': {
    description: 'The connection is closed after half of the list; Content-Length states the full length.',
    warnings: ['HTTP-4'],
    seenIn: 'nginx, when the service behind it crashes within a response',
    ...inPieces(isList, 'end', (response) => [headOf(response), half(response)]),
  },
  'list-reset-in-mid-body': {
    description: 'The connection is reset after half of the list.',
    warnings: ['HTTP-4'],
    seenIn: 'processes killed for their memory use while they write',
    ...inPieces(isList, 'reset', (response) => [headOf(response), half(response)]),
  },
  'rejection-reset-in-mid-head': {
    description: 'The connection is reset within the head of a 400 response.',
    warnings: ['HTTP-4'],
    seenIn: 'load balancers that lose their backend between two packets',
    ...inPieces(malformed, 'reset', (response) => [headOf(response).subarray(0, 40)]),
  },
  'chunked-list-without-end': {
    description: 'The connection is closed before the last chunk of the list.',
    warnings: ['HTTP-4'],
    seenIn: 'exceptions within a streamed response, after its head was sent',
    ...inPieces(isList, 'end', (response) => [chunkedHead(response), chunk(response.body)]),
  },
  'content-length-too-long': {
    description: 'The Content-Length of a 400 response is ten bytes too long, and the connection is closed.',
    warnings: ['HTTP-4'],
    seenIn: 'lengths computed before a body was compressed or trimmed',
    ...withHead(malformed, 'end', (response) => sizedLines(response, response.body.length + 10)),
  },
  'content-length-too-short': {
    description: 'The Content-Length of a list is five bytes too short.',
    breaks: ['MEDIA-1', 'LIST-2'],
    warnings: ['HTTP-4'],
    seenIn: 'body.length of a JavaScript string that contains an é',
    ...inOnePiece(isList, 'keep', (response) => [
      headBytes(sizedLines(response, Math.max(0, response.body.length - 5))),
      response.body,
    ]),
  },
  'content-length-not-a-number': {
    description: 'The Content-Length of a 400 response is "undefined".',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'template strings with an undefined value',
    ...withHead(malformed, 'keep', (response) => sizedLines(response, undefined)),
  },
  'two-content-lengths': {
    description: 'A 400 response has two different Content-Length lines.',
    warnings: ['HTTP-4'],
    seenIn: 'proxies that add a second length (RFC 9112 §6.3 calls it an attack)',
    ...withHead(malformed, 'keep', (response) => [...linesOf(response), 'Content-Length: 3']),
  },
  'content-length-beside-chunks': {
    description: 'A 400 response has both Content-Length and Transfer-Encoding: chunked.',
    warnings: ['HTTP-4'],
    seenIn: 'frameworks that set the length before they decide to stream (RFC 9112 §6.2 forbids it)',
    ...inPieces(malformed, 'keep', (response) => [
      headBytes([...linesOf(response), 'Transfer-Encoding: chunked']),
      chunk(response.body),
      lastChunk(),
    ]),
  },
  'chunked-twice': {
    description: 'Transfer-Encoding: chunked stands twice in the head of a list.',
    warnings: ['HTTP-4'],
    seenIn: 'Spring Boot behind a controller that copies the headers of another service (RFC 9112 §6.1)',
    ...inOnePiece(isList, 'keep', (response) => [
      headBytes([...unsizedLines(response), 'transfer-encoding: chunked', 'Transfer-Encoding: chunked']),
      chunk(response.body),
      lastChunk(),
    ]),
  },
  'content-length-twice': {
    description: 'A 400 response has two Content-Length lines with the same value.',
    warnings: ['HTTP-4'],
    seenIn: 'proxies that compute the length a second time (RFC 9110 §8.6)',
    ...inOnePiece(malformed, 'keep', (response) => [
      headBytes([...linesOf(response), `Content-Length: ${response.body.length}`]),
      response.body,
    ]),
  },
  'body-without-end': {
    description: 'A 400 response has neither Content-Length nor chunks, and the connection stays open.',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'hand-written servers that forget the length, and keep the connection (RFC 9112 §6.3)',
    ...inOnePiece(malformed, 'keep', (response) => [headBytes(unsizedLines(response)), response.body]),
  },
  'white-space-behind-chunk-size': {
    description: 'White space follows each chunk size of a list.',
    warnings: ['HTTP-4'],
    seenIn: 'encoders that pad the size to a fixed width (RFC 9112 §7.1 has no white space there)',
    ...inOnePiece(isList, 'keep', (response) => [
      chunkedHead(response),
      Buffer.from(`${response.body.length.toString(16)}  \r\n`),
      response.body,
      Buffer.from('\r\n0  \r\n\r\n'),
    ]),
  },
  'chunk-size-wrong': {
    description: 'The size line of a chunk of the list is three bytes too small.',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'hand-written chunked encoders that count characters',
    ...inPieces(isList, 'end', (response) => [
      chunkedHead(response),
      chunk(response.body, Math.max(1, response.body.length - 3)),
      lastChunk(),
    ]),
  },
  'headers-in-trailers': {
    description: 'The rate-limit headers of a 201 response are in the trailers of its chunked body.',
    breaks: ['RATE-1'],
    seenIn: 'middleware that writes its headers after the handler has begun to stream',
    ...inPieces(isCreated, 'keep', (response) => {
      const late = headerText(response).filter((line) => line.startsWith('X-RateLimit-'));
      return [chunkedHead(withoutRateLimit(response)), chunk(response.body), lastChunk(...late)];
    }),
  },
  'body-on-204': {
    description: 'A creation gets 204 with a body.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3', 'HTTP-4'],
    seenIn: 'handlers that set the status and still send the body (RFC 9110 §15.3.5 forbids it)',
    ...inPieces(isCreated, 'end', (response) => [
      Buffer.concat([headOf({ ...response, status: 204 }), response.body]),
    ]),
  },
  'response-without-head': {
    description: 'A 400 response consists of its body only, as in HTTP/0.9.',
    warnings: ['HTTP-4'],
    seenIn: 'scripts that print their body before their headers',
    ...inPieces(malformed, 'end', (response) => [response.body]),
  },
  'continue-only': {
    description: 'Instead of a 400 response, the client gets 100 Continue, and the connection is closed.',
    warnings: ['HTTP-4'],
    seenIn: 'servers that crash after the interim response',
    ...inPieces(malformed, 'end', () => [headBytes([statusLine(100)])]),
  },
  'switches-protocols-unasked': {
    description: 'Instead of a 400 response, the client gets 101 Switching Protocols without asking for it.',
    warnings: ['HTTP-4'],
    seenIn: 'WebSocket proxies in front of every path',
    ...inPieces(malformed, 'end', () => [
      headBytes([statusLine(101), 'Connection: Upgrade', 'Upgrade: websocket']),
    ]),
  },

  // Faults of the chapter "Media and HTTP": the head of a response, and what precedes and follows it.
  'header-folded': {
    description: 'A header of a 400 response is folded over two lines.',
    warnings: ['HTTP-4'],
    seenIn: 'mail libraries that write HTTP headers (RFC 9112 §5.2 forbids it)',
    ...inOnePiece(malformed, 'end', (response) => [
      headBytes([statusLine(400), 'X-Trace: a,\r\n  b', ...headerText(response)]),
      response.body,
    ]),
  },
  'space-before-colon': {
    description: 'A header of a 400 response has a space before its colon.',
    warnings: ['HTTP-4'],
    seenIn: 'hand-written responses (RFC 9112 §5.1 forbids it, because proxies read it in two ways)',
    ...withHead(malformed, 'end', (response) => [...linesOf(response), 'X-Trace : 1']),
  },
  'null-in-header': {
    description: 'A header of a 400 response contains a null character.',
    warnings: ['HTTP-4'],
    seenIn: 'C strings copied with their terminator',
    ...withHead(malformed, 'end', (response) => [...linesOf(response), 'X-Trace: a\u0000b']),
  },
  'line-without-colon': {
    description: 'A line in the head of a 400 response is not a header.',
    warnings: ['HTTP-4'],
    seenIn: 'warnings of PHP and Perl printed among the headers',
    ...withHead(malformed, 'end', (response) => [...linesOf(response), 'Warning Undefined variable']),
  },
  'status-of-four-digits': {
    description: 'The status of a 400 response has four digits.',
    warnings: ['HTTP-4'],
    seenIn: 'error codes of the service written into the status line',
    ...withHead(malformed, 'end', (response) => ['HTTP/1.1 4001 Bad', ...headerText(response)]),
  },
  'protocol-misnamed': {
    description: 'The status line of a 400 response begins with ICY.',
    warnings: ['HTTP-4'],
    seenIn: 'SHOUTcast servers, which send "ICY 200 OK"',
    ...withHead(malformed, 'end', (response) => ['ICY 400 Bad Request', ...headerText(response)]),
  },
  'bare-line-feeds': {
    description: 'The header lines of a 400 response end with a line feed only.',
    warnings: ['HTTP-4'],
    seenIn: 'CGI scripts and embedded servers on Unix',
    ...inPieces(malformed, 'end', (response) => [
      Buffer.from(`${linesOf(response).join('\n')}\n\n`),
      response.body,
    ]),
  },
  'reason-phrase-missing': {
    description: 'The status line of a list ends directly after the status, without a space.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9112 §4 allows an empty phrase and requires the space before it. Every common parser accepts the line without the space, and does not report it.',
    },
    seenIn: 'HTTP/2 gateways, which have no reason phrase',
    ...withHead(isList, 'keep', (response) => ['HTTP/1.1 200', ...headerText(response)]),
  },
  'unasked-continue': {
    description: 'A 100 Continue precedes a 201 response although the client did not expect it.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §15.2 requires clients to accept interim responses that they did not ask for, so the server conforms.',
    },
    seenIn: 'IIS and older Apache versions, which send it for every POST',
    ...inPieces(isCreated, 'keep', (response) => [
      headBytes([statusLine(100)]),
      headOf(response),
      response.body,
    ]),
  },
  'trailers-after-list': {
    description: 'The list is chunked and followed by trailers.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §6.5 allows a sender to add trailers and a recipient to ignore them, so the server conforms.',
    },
    seenIn: 'gRPC gateways; Server-Timing after the work is done',
    ...inPieces(isList, 'keep', (response) => [
      chunkedHead(response),
      chunk(response.body),
      lastChunk('Server-Timing: db;dur=3'),
    ]),
  },
  'http-1-0-responses': {
    description: 'A list is sent as HTTP/1.0, and the connection is closed after it.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §2.5 allows a server to respond in any version with the same major number, so the server conforms.',
    },
    seenIn: 'Python’s http.server, old gateways',
    ...withHead(isList, 'end', (response) => ['HTTP/1.0 200 OK', ...headerText(response)]),
  },
  'bytes-after-response': {
    description: 'A 201 response is followed by a second response to the same request.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'The bytes after a response belong to no request: the client closes the connection, and the next request opens another one. Every exchange is complete, so no exchange shows it.',
    },
    seenIn: 'handlers that respond twice; HAProxy’s 408 on idle connections',
    ...inOnePiece(isCreated, 'keep', (response) => [
      headOf(response),
      response.body,
      headOf(response),
      response.body,
    ]),
  },
  'reset-after-response': {
    description: 'The connection is reset after the whole list was sent.',
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'A response that arrived in full is a valid response, and a server may close an idle connection at any time, so the server conforms.',
    },
    seenIn: 'servers with SO_LINGER set to zero',
    ...inOnePiece(isList, 'reset', (response) => [headOf(response), response.body]),
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
        return {
          pieces: [headBytes([...lines, `Content-Length: ${text.length}`]), Buffer.from(text)],
          connection: 'end',
        };
      },
    },
  },
};
