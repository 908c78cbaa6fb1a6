import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Attack, Respond } from '../attack.ts';
import { raw } from '../attack.ts';

const BLOCK = Buffer.alloc(64 * 1024, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const GIGABYTE = 1024 ** 3;

/** Writes one piece after another, as fast as the client reads, until the connection is closed. */
function pour(socket: Socket, piece: Uint8Array | string): void {
  const pieces = (function* () {
    for (;;) yield piece;
  })();
  pipeline(Readable.from(pieces), socket).catch(() => undefined);
}

/** Writes one piece at this interval, in milliseconds, until the connection is closed. */
function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(timer));
}

const begin =
  (head: string, then: (socket: Socket) => void): Respond =>
  (socket) => {
    socket.write(head);
    then(socket);
  };

const serving =
  (respond: Respond): Attack['start'] =>
  async (t) => ({
    target: (await raw(t, respond)).baseUrl.href,
  });

/** Responses without end, slow and fast. */
export const endlessAttacks: readonly Attack[] = [
  {
    id: 'slow-head',
    description: 'sends the head of its response byte by byte, without end',
    expected: 'the request times out after 30 s; the run ends and names the cause',
    exitCodes: [2],
    lastLine: /is slow or out of reach: no complete answer within 30 s/,
    start: serving(begin('HTTP/1.1 200 OK\r\nX-Slow: ', (socket) => drip(socket, 'x', 100))),
  },
  {
    id: 'slow-body',
    description: 'sends the body of its response byte by byte, without end',
    expected: 'the request times out after 30 s; the run ends and names the cause',
    exitCodes: [2],
    lastLine: /is slow or out of reach: no complete answer within 30 s/,
    start: serving(
      begin('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', (socket) => drip(socket, ' ', 100)),
    ),
  },
  {
    id: 'interim-responses',
    description: 'sends 103 responses without end and no final response',
    expected: 'the request is aborted after 100 of them; the run ends and names the cause',
    exitCodes: [2],
    lastLine: /interim/,
    start: serving(
      begin('', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50))),
    ),
  },
  {
    id: 'gigabyte-with-length',
    description: 'sends a body of one gigabyte with its Content-Length',
    expected: 'a verdict; the body is cut at the bound and not judged',
    exitCodes: [1, 3],
    megabytes: 700,
    cpuSeconds: 30,
    start: serving(
      begin(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${GIGABYTE}\r\n\r\n`,
        (socket) => pour(socket, BLOCK),
      ),
    ),
  },
  {
    id: 'gigabyte-in-chunks',
    slow: true,
    description: 'sends a chunked body without end',
    expected: 'a verdict; the body is cut at the bound and not judged',
    exitCodes: [1, 3],
    megabytes: 700,
    cpuSeconds: 30,
    start: serving(begin(CHUNKED, (socket) => pour(socket, CHUNK))),
  },
  {
    id: 'chunk-extension',
    description: 'sends a chunk extension without end',
    expected: 'a verdict; a line of chunks is read up to 16 KiB, and no client reads such a body',
    exitCodes: [1, 3],
    start: serving(begin(`${CHUNKED}5;x=`, (socket) => pour(socket, BLOCK))),
  },
  {
    id: 'chunk-extensions',
    description: 'sends chunks of one byte without end, each with an extension of 8 KB',
    expected: 'a verdict; at most 1 MiB of what is no content is read, and the response is not judged',
    exitCodes: [1, 3],
    cpuSeconds: 30,
    start: serving(begin(CHUNKED, (socket) => pour(socket, `1;${'x'.repeat(8000)}\r\n \r\n`))),
  },
  {
    id: 'trailers',
    slow: true,
    description: 'sends trailers without end',
    expected: 'a verdict; at most 1 MiB of what is no content is read, and the response is not judged',
    exitCodes: [1, 3],
    cpuSeconds: 30,
    start: serving(
      begin(`${CHUNKED}2\r\n[]\r\n0\r\n`, (socket) => pour(socket, 'X-A: 1\r\n'.repeat(10_000))),
    ),
  },
  {
    id: 'large-interim-responses',
    description: 'sends 103 responses of 60 KB without end and no final response',
    expected: 'the request is aborted at the bound; the run ends and names the cause',
    exitCodes: [2],
    lastLine: /interim|no content/,
    start: serving(
      begin('', (socket) =>
        pour(socket, `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(60_000)}>\r\n\r\n`),
      ),
    ),
  },
  {
    id: 'long-header',
    description: 'sends a header of 10 MB',
    expected: 'the request is aborted at 64 KiB of headers; the run ends and names the cause',
    exitCodes: [2],
    lastLine: /[Hh]eader/,
    start: serving(begin('HTTP/1.1 200 OK\r\nX-Long: ', (socket) => pour(socket, BLOCK))),
  },
  {
    id: 'a-million-headers',
    description: 'sends a million headers',
    expected: 'the request is aborted at 64 KiB of headers; the run ends and names the cause',
    exitCodes: [2],
    lastLine: /[Hh]eader/,
    start: serving(begin('HTTP/1.1 200 OK\r\n', (socket) => pour(socket, 'X-A: 1\r\n'.repeat(10_000)))),
  },
];
