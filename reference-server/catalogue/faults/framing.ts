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
  withoutLine,
} from '../wrappers/bytes.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import { isCreated, isList, isRejected, withoutRateLimit } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** A response that occurs only twice in a run, so that all other requests work. */
const malformed = isRejected('malformed_json');

const half = ({ body }: SentResponse): Uint8Array => body.subarray(0, Math.floor(body.length / 2));

const withContentLength = (length: (real: number) => number) => (response: SentResponse) =>
  headOf(response, (lines) => [
    ...withoutLine('Content-Length')(lines),
    `Content-Length: ${length(response.body.length)}`,
  ]);

const twiceChunkedHead = (response: SentResponse): Uint8Array =>
  headOf(response, (lines) => [
    ...withoutLine('Content-Length')(lines),
    'transfer-encoding: chunked',
    'Transfer-Encoding: chunked',
  ]);

/** Faults of the chapter "Media and HTTP": where a response ends. */
export const framing: StatedFaults = {
  'list-cut-in-half': {
    description: 'The connection is closed after half of the list; Content-Length states the full length.',
    warnings: ['HTTP-4'],
    seenIn: 'nginx, when the service behind it crashes within a response',
    ...onBytes(isList, (response) => inPieces([headOf(response), half(response)], 'end')),
  },
  'list-reset-in-mid-body': {
    description: 'The connection is reset after half of the list.',
    warnings: ['HTTP-4'],
    seenIn: 'processes killed for their memory use while they write',
    ...onBytes(isList, (response) => inPieces([headOf(response), half(response)], 'reset')),
  },
  'rejection-reset-in-mid-head': {
    description: 'The connection is reset within the head of a 400 response.',
    warnings: ['HTTP-4'],
    seenIn: 'load balancers that lose their backend between two packets',
    ...onBytes(malformed, (response) => inPieces([headOf(response).subarray(0, 40)], 'reset')),
  },
  'chunked-list-without-end': {
    description: 'The connection is closed before the last chunk of the list.',
    warnings: ['HTTP-4'],
    seenIn: 'exceptions within a streamed response, after its head was sent',
    ...onBytes(isList, (response) => inPieces([chunkedHead(response), chunk(response.body)], 'end')),
  },
  'content-length-too-long': {
    description: 'The Content-Length of a 400 response is ten bytes too long, and the connection is closed.',
    warnings: ['HTTP-4'],
    seenIn: 'lengths computed before a body was compressed or trimmed',
    ...withHead(
      malformed,
      withContentLength((real) => real + 10),
      'end',
    ),
  },
  'content-length-too-short': {
    description: 'The Content-Length of a list is five bytes too short.',
    breaks: ['MEDIA-1', 'LIST-2'],
    warnings: ['HTTP-4'],
    seenIn: 'body.length of a JavaScript string that contains an é',
    ...onBytes(isList, (response) =>
      inOnePiece([withContentLength((real) => Math.max(0, real - 5))(response), response.body]),
    ),
  },
  'content-length-not-a-number': {
    description: 'The Content-Length of a 400 response is "undefined".',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'template strings with an undefined value',
    ...withHead(malformed, (response) =>
      headOf(response, (lines) => [...withoutLine('Content-Length')(lines), 'Content-Length: undefined']),
    ),
  },
  'two-content-lengths': {
    description: 'A 400 response has two different Content-Length lines.',
    warnings: ['HTTP-4'],
    seenIn: 'proxies that add a second length (RFC 9112 §6.3 calls it an attack)',
    ...withHead(malformed, (response) => headOf(response, (lines) => [...lines, 'Content-Length: 3'])),
  },
  'content-length-beside-chunks': {
    description: 'A 400 response has both Content-Length and Transfer-Encoding: chunked.',
    warnings: ['HTTP-4'],
    seenIn: 'frameworks that set the length before they decide to stream (RFC 9112 §6.2 forbids it)',
    ...onBytes(malformed, (response) =>
      inPieces([
        headOf(response, (lines) => [...lines, 'Transfer-Encoding: chunked']),
        chunk(response.body),
        lastChunk(),
      ]),
    ),
  },
  'chunked-twice': {
    description: 'Transfer-Encoding: chunked stands twice in the head of a list.',
    warnings: ['HTTP-4'],
    seenIn: 'Spring Boot behind a controller that copies the headers of another service (RFC 9112 §6.1)',
    ...onBytes(isList, (response) =>
      inOnePiece([twiceChunkedHead(response), chunk(response.body), lastChunk()]),
    ),
  },
  'content-length-twice': {
    description: 'A 400 response has two Content-Length lines with the same value.',
    warnings: ['HTTP-4'],
    seenIn: 'proxies that compute the length a second time (RFC 9110 §8.6)',
    ...onBytes(malformed, (response) =>
      inOnePiece([
        headOf(response, (lines) => [...lines, `Content-Length: ${response.body.length}`]),
        response.body,
      ]),
    ),
  },
  'body-without-end': {
    description: 'A 400 response has neither Content-Length nor chunks, and the connection stays open.',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'hand-written servers that forget the length, and keep the connection (RFC 9112 §6.3)',
    ...onBytes(malformed, (response) =>
      inOnePiece([headOf(response, withoutLine('Content-Length')), response.body]),
    ),
  },
  'white-space-behind-chunk-size': {
    description: 'White space follows each chunk size of a list.',
    warnings: ['HTTP-4'],
    seenIn: 'encoders that pad the size to a fixed width (RFC 9112 §7.1 has no white space there)',
    ...onBytes(isList, (response) =>
      inOnePiece([
        chunkedHead(response),
        Buffer.from(`${response.body.length.toString(16)}  \r\n`),
        response.body,
        Buffer.from('\r\n0  \r\n\r\n'),
      ]),
    ),
  },
  'chunk-size-wrong': {
    description: 'The size line of a chunk of the list is three bytes too small.',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'hand-written chunked encoders that count characters',
    ...onBytes(isList, (response) =>
      inPieces(
        [chunkedHead(response), chunk(response.body, Math.max(1, response.body.length - 3)), lastChunk()],
        'end',
      ),
    ),
  },
  'headers-in-trailers': {
    description: 'The rate-limit headers of a 201 response are in the trailers of its chunked body.',
    breaks: ['RATE-1'],
    seenIn: 'middleware that writes its headers after the handler has begun to stream',
    ...onBytes(isCreated, (response) => {
      const late = headerText(response).filter((line) => line.startsWith('X-RateLimit-'));
      return inPieces([chunkedHead(withoutRateLimit(response)), chunk(response.body), lastChunk(...late)]);
    }),
  },
  'body-on-204': {
    description: 'A creation gets 204 with a body.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3', 'HTTP-4'],
    seenIn: 'handlers that set the status and still send the body (RFC 9110 §15.3.5 forbids it)',
    ...onBytes(isCreated, (response) =>
      inPieces([Buffer.concat([headOf({ ...response, status: 204 }), response.body])], 'end'),
    ),
  },
  'response-without-head': {
    description: 'A 400 response consists of its body only, as in HTTP/0.9.',
    warnings: ['HTTP-4'],
    seenIn: 'scripts that print their body before their headers',
    ...onBytes(malformed, (response) => inPieces([response.body], 'end')),
  },
  'continue-only': {
    description: 'Instead of a 400 response, the client gets 100 Continue, and the connection is closed.',
    warnings: ['HTTP-4'],
    seenIn: 'servers that crash after the interim response',
    ...onBytes(malformed, () => inPieces([headBytes([statusLine(100)])], 'end')),
  },
  'switches-protocols-unasked': {
    description: 'Instead of a 400 response, the client gets 101 Switching Protocols without asking for it.',
    warnings: ['HTTP-4'],
    seenIn: 'WebSocket proxies in front of every path',
    ...onBytes(malformed, () =>
      inPieces([headBytes([statusLine(101), 'Connection: Upgrade', 'Upgrade: websocket'])], 'end'),
    ),
  },
};
