import { headBytes, headerText, statusLine } from '../../http/write-response.ts';
import {
  chunk,
  chunkedHead,
  headOf,
  inOnePiece,
  inPieces,
  lastChunk,
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
  'rejection-reset-in-mid-head': {
    description: 'The connection is reset within the head of a 400 response.',
    warnings: ['HTTP-4'],
    seenIn: 'load balancers that lose their backend between two packets',
    ...inPieces(malformed, 'reset', (response) => [headOf(response).subarray(0, 40)]),
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
  'body-without-end': {
    description: 'A 400 response has neither Content-Length nor chunks, and the connection stays open.',
    breaks: ['MEDIA-1'],
    warnings: ['HTTP-4'],
    seenIn: 'hand-written servers that forget the length, and keep the connection (RFC 9112 §6.3)',
    ...inOnePiece(malformed, 'keep', (response) => [headBytes(unsizedLines(response)), response.body]),
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
  'status-of-four-digits': {
    description: 'The status of a 400 response has four digits.',
    warnings: ['HTTP-4'],
    seenIn: 'error codes of the service written into the status line',
    ...withHead(malformed, 'end', (response) => ['HTTP/1.1 4001 Bad', ...headerText(response)]),
  },
  'bytes-after-response': {
    description: 'A 201 response is followed by a second response to the same request.',
    violates: 'HTTP-4',
    undecidable:
      'The bytes after a response belong to no request: the client closes the connection, and the next request opens another one. Every exchange is complete, so no exchange shows it.',
    seenIn: 'handlers that respond twice; HAProxy’s 408 on idle connections',
    ...inOnePiece(isCreated, 'keep', (response) => [
      headOf(response),
      response.body,
      headOf(response),
      response.body,
    ]),
  },
};
