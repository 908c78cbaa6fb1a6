import { headBytes, headerText, statusLine } from '../../reference-server/http/write-bytes.ts';
import { chunk, chunkedHead, headOf, inOnePiece, inPieces, lastChunk, onBytes } from '../wrappers/bytes.ts';
import { isCreated, isList, isRejected } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** A refusal that comes twice in an examination, so that everything else goes on. */
const malformed = isRejected('malformed_json');

const spoiled = (line: string) => (lines: readonly string[]) => [...lines, line];

/** Faults of the chapter "Media and HTTP": how the head of an answer is written, and what comes before and after it. */
export const headLines: readonly Fault[] = [
  {
    id: 'header-folded',
    description: 'A header of a 400 is folded over two lines.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'mail libraries that write HTTP headers (RFC 9112 §5.2 forbids it)',
    ...onBytes(malformed, (response) =>
      inOnePiece([headOf(response, (lines) => ['X-Trace: a,\r\n  b', ...lines]), response.body], 'end'),
    ),
  },
  {
    id: 'space-before-colon',
    description: 'A space stands before the colon of a header of a 400.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'hand-written responses (RFC 9112 §5.1 forbids it, because proxies read it in two ways)',
    ...onBytes(malformed, (response) =>
      inPieces([headOf(response, spoiled('X-Trace : 1')), response.body], 'end'),
    ),
  },
  {
    id: 'null-in-header',
    description: 'A header of a 400 holds a null character.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'strings of C copied with their end',
    ...onBytes(malformed, (response) =>
      inPieces([headOf(response, spoiled('X-Trace: a\u0000b')), response.body], 'end'),
    ),
  },
  {
    id: 'line-without-colon',
    description: 'A line of the head of a 400 is no header.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'warnings of PHP and Perl printed among the headers',
    ...onBytes(malformed, (response) =>
      inPieces(
        [headOf(response, spoiled('Warning: Undefined variable'.replace(':', ''))), response.body],
        'end',
      ),
    ),
  },
  {
    id: 'status-of-four-digits',
    description: 'The status of a 400 is written with four digits.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'error codes of the service put into the status line',
    ...onBytes(malformed, (response) =>
      inPieces([headBytes(['HTTP/1.1 4001 Bad', ...headerText(response)]), response.body], 'end'),
    ),
  },
  {
    id: 'protocol-misnamed',
    description: 'The status line of a 400 begins with ICY.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'SHOUTcast servers, which answer "ICY 200 OK"',
    ...onBytes(malformed, (response) =>
      inPieces([headBytes(['ICY 400 Bad Request', ...headerText(response)]), response.body], 'end'),
    ),
  },
  {
    id: 'bare-line-feeds',
    description: 'The lines of the head of a 400 end in a line feed alone.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'CGI scripts and embedded servers on Unix',
    ...onBytes(malformed, (response) =>
      inPieces(
        [Buffer.from(`${[statusLine(400), ...headerText(response)].join('\n')}\n\n`), response.body],
        'end',
      ),
    ),
  },
  {
    id: 'reason-phrase-missing',
    description: 'The status line of a list ends after the status, without a space.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9112 §4 leaves the phrase empty and wants the space before it; every parser in use reads the line without it, and tells nobody.',
    },
    seenIn: 'HTTP/2 gateways, which have no phrase to write',
    ...onBytes(isList, (response) =>
      inPieces([headBytes(['HTTP/1.1 200', ...headerText(response)]), response.body]),
    ),
  },
  {
    id: 'unasked-continue',
    description: 'Before a 201 comes 100 Continue, although the client did not expect it.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because: 'RFC 9110 §15.2 has every client read interim answers that it did not ask for: it is lawful.',
    },
    seenIn: 'IIS and older Apaches, which answer every POST with it',
    ...onBytes(isCreated, (response) =>
      inPieces([headBytes([statusLine(100)]), headOf(response), response.body]),
    ),
  },
  {
    id: 'trailers-after-list',
    description: 'The list comes in chunks, and trailers after them.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because: 'RFC 9110 §6.5 lets a sender add trailers and a recipient ignore them: it is lawful.',
    },
    seenIn: 'gRPC gateways, Server-Timing after the work is done',
    ...onBytes(isList, (response) =>
      inPieces([chunkedHead(response), chunk(response.body), lastChunk('Server-Timing: db;dur=3')]),
    ),
  },
  {
    id: 'http-1-0-answers',
    description: 'A list is answered in HTTP/1.0, and the connection is closed after it.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because: 'RFC 9110 §2.5 lets a server answer in any version of the same major number: it is lawful.',
    },
    seenIn: 'Python’s http.server, old gateways',
    ...onBytes(isList, (response) =>
      inPieces([headBytes(['HTTP/1.0 200 OK', ...headerText(response)]), response.body], 'end'),
    ),
  },
  {
    id: 'bytes-after-answer',
    description: 'After a 201 comes a second answer to the same request.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'What follows an answer belongs to no request: the client closes the connection and the next request opens another, so that every exchange is whole. Nothing in an exchange shows it.',
    },
    seenIn: 'handlers that answer twice; HAProxy’s 408 on idle connections',
    ...onBytes(isCreated, (response) =>
      inOnePiece([headOf(response), response.body, headOf(response), response.body]),
    ),
  },
  {
    id: 'reset-after-answer',
    description: 'The connection is reset when the whole list has been sent.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'An answer that has arrived whole is an answer, and a server may close a connection whenever it is idle: it is lawful, if rude.',
    },
    seenIn: 'servers with SO_LINGER at zero',
    ...onBytes(isList, (response) => inOnePiece([headOf(response), response.body], 'reset')),
  },
  {
    id: 'answer-before-end-of-request',
    description:
      'A creation of more than 16 KiB is answered 413 before its body has come, and the connection is closed.',
    breaks: [],
    undecidable: {
      requirement: 'HTTP-4',
      because:
        'RFC 9110 §15.5.14 lets a server close the connection over content that is too large, and the specification shows no bound: it is lawful. Where the reset that follows overtakes the answer, the connection was not fresh, which is no dropped request either.',
    },
    seenIn: 'nginx’s client_max_body_size, Node servers that answer from a header alone',
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
];
