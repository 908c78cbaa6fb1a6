import { head, headerText, statusLine } from '../../reference-server/transmission.ts';
import { isCreated, isList, isRefused } from './answers.ts';
import type { Fault } from './fault.ts';
import { chunk, chunkedHead, headOf, lastChunk, onBytes, pieces, whole } from './on-bytes.ts';

/** A refusal that comes twice in an examination, so that everything else goes on. */
const malformed = isRefused('malformed_json');

const spoiled = (line: string) => (lines: readonly string[]) => [...lines, line];

/** Faults of the chapter "Media and HTTP": how the head of an answer is written, and what comes before and after it. */
export const headLines: readonly Fault[] = [
  {
    id: 'header-folded',
    says: 'A header of a 400 is folded over two lines.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'mail libraries that write HTTP headers (RFC 9112 §5.2 forbids it)',
    ...onBytes(malformed, (reply) =>
      whole([headOf(reply, (lines) => ['X-Trace: a,\r\n  b', ...lines]), reply.body], 'end'),
    ),
  },
  {
    id: 'space-before-colon',
    says: 'A space stands before the colon of a header of a 400.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'hand-written responses (RFC 9112 §5.1 forbids it, because proxies read it in two ways)',
    ...onBytes(malformed, (reply) => pieces([headOf(reply, spoiled('X-Trace : 1')), reply.body], 'end')),
  },
  {
    id: 'null-in-header',
    says: 'A header of a 400 holds a null character.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'strings of C copied with their end',
    ...onBytes(malformed, (reply) =>
      pieces([headOf(reply, spoiled('X-Trace: a\u0000b')), reply.body], 'end'),
    ),
  },
  {
    id: 'line-without-colon',
    says: 'A line of the head of a 400 is no header.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'warnings of PHP and Perl printed among the headers',
    ...onBytes(malformed, (reply) =>
      pieces([headOf(reply, spoiled('Warning: Undefined variable'.replace(':', ''))), reply.body], 'end'),
    ),
  },
  {
    id: 'status-of-four-digits',
    says: 'The status of a 400 is written with four digits.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'error codes of the service put into the status line',
    ...onBytes(malformed, (reply) =>
      pieces([head(['HTTP/1.1 4001 Bad', ...headerText(reply)]), reply.body], 'end'),
    ),
  },
  {
    id: 'protocol-misnamed',
    says: 'The status line of a 400 begins with ICY.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'SHOUTcast servers, which answer "ICY 200 OK"',
    ...onBytes(malformed, (reply) =>
      pieces([head(['ICY 400 Bad Request', ...headerText(reply)]), reply.body], 'end'),
    ),
  },
  {
    id: 'bare-line-feeds',
    says: 'The lines of the head of a 400 end in a line feed alone.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'CGI scripts and embedded servers on Unix',
    ...onBytes(malformed, (reply) =>
      pieces([Buffer.from(`${[statusLine(400), ...headerText(reply)].join('\n')}\n\n`), reply.body], 'end'),
    ),
  },
  {
    id: 'reason-phrase-missing',
    says: 'The status line of a list ends after the status, without a space.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because:
        'RFC 9112 §4 leaves the phrase empty and wants the space before it; every parser in use reads the line without it, and tells nobody.',
    },
    seen: 'HTTP/2 gateways, which have no phrase to write',
    ...onBytes(isList, (reply) => pieces([head(['HTTP/1.1 200', ...headerText(reply)]), reply.body])),
  },
  {
    id: 'unasked-continue',
    says: 'Before a 201 comes 100 Continue, although the client did not expect it.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because: 'RFC 9110 §15.2 has every client read interim answers that it did not ask for: it is lawful.',
    },
    seen: 'IIS and older Apaches, which answer every POST with it',
    ...onBytes(isCreated, (reply) => pieces([head([statusLine(100)]), headOf(reply), reply.body])),
  },
  {
    id: 'trailers-after-list',
    says: 'The list comes in chunks, and trailers after them.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because: 'RFC 9110 §6.5 lets a sender add trailers and a recipient ignore them: it is lawful.',
    },
    seen: 'gRPC gateways, Server-Timing after the work is done',
    ...onBytes(isList, (reply) =>
      pieces([chunkedHead(reply), chunk(reply.body), lastChunk('Server-Timing: db;dur=3')]),
    ),
  },
  {
    id: 'http-1-0-answers',
    says: 'A list is answered in HTTP/1.0, and the connection is closed after it.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because: 'RFC 9110 §2.5 lets a server answer in any version of the same major number: it is lawful.',
    },
    seen: 'Python’s http.server, old gateways',
    ...onBytes(isList, (reply) =>
      pieces([head(['HTTP/1.0 200 OK', ...headerText(reply)]), reply.body], 'end'),
    ),
  },
  {
    id: 'bytes-after-answer',
    says: 'After a 201 comes a second answer to the same request.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because:
        'What follows an answer belongs to no request: the client closes the connection and the next request opens another, so that every exchange is whole. Nothing in an exchange shows it.',
    },
    seen: 'handlers that answer twice; HAProxy’s 408 on idle connections',
    ...onBytes(isCreated, (reply) => whole([headOf(reply), reply.body, headOf(reply), reply.body])),
  },
  {
    id: 'reset-after-answer',
    says: 'The connection is reset when the whole list has been sent.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because:
        'An answer that has arrived whole is an answer, and a server may close a connection whenever it is idle: it is lawful, if rude.',
    },
    seen: 'servers with SO_LINGER at zero',
    ...onBytes(isList, (reply) => whole([headOf(reply), reply.body], 'reset')),
  },
  {
    id: 'answer-before-end-of-request',
    says: 'A creation of more than 16 KiB is answered 413 before its body has come, and the connection is closed.',
    breaks: [],
    undecidable: {
      about: 'HTTP-4',
      because:
        'RFC 9110 §15.5.14 lets a server close the connection over content that is too large, and the specification shows no bound: it is lawful. Where the reset that follows overtakes the answer, the connection was not fresh, which is no dropped request either.',
    },
    seen: 'nginx’s client_max_body_size, Node servers that answer from a header alone',
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
        return pieces([head([...lines, `Content-Length: ${text.length}`]), Buffer.from(text)], 'end');
      },
    },
  },
];
