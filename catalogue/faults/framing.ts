import { head, headerText, statusLine } from '../../reference-server/transmission.ts';
import type { Reply } from './answers.ts';
import { isCreated, isList, isRefused, without } from './answers.ts';
import type { Fault } from './fault.ts';
import { chunk, chunkedHead, headOf, lacking, lastChunk, onBytes, pieces, whole } from './on-bytes.ts';

/** A refusal that comes twice in an examination, so that everything else goes on. */
const malformed = isRefused('malformed_json');

const half = ({ body }: Reply): Uint8Array => body.subarray(0, Math.floor(body.length / 2));

const saying = (length: (real: number) => number) => (reply: Reply) =>
  headOf(reply, (lines) => [
    ...lacking('Content-Length')(lines),
    `Content-Length: ${length(reply.body.length)}`,
  ]);

/** Faults of the chapter "Media and HTTP": where an answer ends. */
export const framing: readonly Fault[] = [
  {
    id: 'list-cut-in-half',
    says: 'The connection is closed after half of the list, of which Content-Length says the whole.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'nginx, when the service behind it dies in the middle of an answer',
    ...onBytes(isList, (reply) => pieces([headOf(reply), half(reply)], 'end')),
  },
  {
    id: 'list-reset-in-mid-body',
    says: 'The connection is reset after half of the list.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'processes killed for their memory while they write',
    ...onBytes(isList, (reply) => pieces([headOf(reply), half(reply)], 'reset')),
  },
  {
    id: 'refusal-reset-in-mid-head',
    says: 'The connection is reset in the middle of the head of a 400.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'load balancers that lose their backend between two packets',
    ...onBytes(malformed, (reply) => pieces([headOf(reply).subarray(0, 40)], 'reset')),
  },
  {
    id: 'chunked-list-without-end',
    says: 'The connection is closed before the last chunk of the list.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'exceptions in the middle of a streamed answer, whose head is gone already',
    ...onBytes(isList, (reply) => pieces([chunkedHead(reply), chunk(reply.body)], 'end')),
  },
  {
    id: 'content-length-too-long',
    says: 'The Content-Length of a 400 is ten bytes too long, and the connection is closed.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'lengths taken before a body was compressed or trimmed',
    ...onBytes(malformed, (reply) => pieces([saying((real) => real + 10)(reply), reply.body], 'end')),
  },
  {
    id: 'content-length-too-short',
    says: 'The Content-Length of a list is counted in characters, and five bytes too short.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seen: 'body.length of a JavaScript string that holds an é',
    ...onBytes(isList, (reply) => whole([saying((real) => Math.max(0, real - 5))(reply), reply.body])),
  },
  {
    id: 'content-length-not-a-number',
    says: 'The Content-Length of a 400 is "undefined".',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'template strings around a value that is not set',
    ...onBytes(malformed, (reply) =>
      pieces([
        headOf(reply, (lines) => [...lacking('Content-Length')(lines), 'Content-Length: undefined']),
        reply.body,
      ]),
    ),
  },
  {
    id: 'two-content-lengths',
    says: 'A 400 has two Content-Length lines that differ.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'proxies that add a length to one that is there (RFC 9112 §6.3 calls it an attack)',
    ...onBytes(malformed, (reply) =>
      pieces([headOf(reply, (lines) => [...lines, 'Content-Length: 3']), reply.body]),
    ),
  },
  {
    id: 'content-length-beside-chunks',
    says: 'A 400 has both Content-Length and Transfer-Encoding: chunked.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'frameworks that set the length before they decide to stream (RFC 9112 §6.2 forbids it)',
    ...onBytes(malformed, (reply) =>
      pieces([
        headOf(reply, (lines) => [...lines, 'Transfer-Encoding: chunked']),
        chunk(reply.body),
        lastChunk(),
      ]),
    ),
  },
  {
    id: 'chunk-size-wrong',
    says: 'The chunk of a list says that it is three bytes shorter than it is.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'hand-written chunked encoders that count characters',
    ...onBytes(isList, (reply) =>
      pieces([chunkedHead(reply), chunk(reply.body, Math.max(1, reply.body.length - 3)), lastChunk()], 'end'),
    ),
  },
  {
    id: 'headers-in-trailers',
    says: 'The rate-limit headers of a 201 come in the trailers of its chunked body.',
    breaks: ['RATE-1'],
    seen: 'middleware that writes its headers after the handler has begun to stream',
    ...onBytes(isCreated, (reply) => {
      const late = headerText(reply).filter((line) => line.startsWith('X-RateLimit-'));
      const bare = without(reply, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
      return pieces([chunkedHead(bare), chunk(reply.body), lastChunk(...late)]);
    }),
  },
  {
    id: 'body-on-204',
    says: 'A 201 is answered as a 204 with a body.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warns: ['MEDIA-3', 'HTTP-4'],
    seen: 'handlers that set the status and forget the body (RFC 9110 §15.3.5 allows none)',
    ...onBytes(isCreated, (reply) => pieces([headOf({ ...reply, status: 204 }), reply.body], 'end')),
  },
  {
    id: 'answer-without-head',
    says: 'A 400 is its body alone, as in HTTP/0.9.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'scripts that print their answer before their headers',
    ...onBytes(malformed, (reply) => pieces([reply.body], 'end')),
  },
  {
    id: 'continue-and-nothing-more',
    says: 'Instead of a 400 comes 100 Continue, and then nothing: the connection is closed.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'servers that fail between the two',
    ...onBytes(malformed, () => pieces([head([statusLine(100)])], 'end')),
  },
  {
    id: 'switches-protocols-unasked',
    says: 'A 400 is 101 Switching Protocols, which nobody asked for.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'proxies for WebSockets in front of every path',
    ...onBytes(malformed, () =>
      pieces([head([statusLine(101), 'Connection: Upgrade', 'Upgrade: websocket'])], 'end'),
    ),
  },
];
