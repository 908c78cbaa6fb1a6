import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Attacks, Respond } from '../attack.ts';
import { ending, serving } from '../attack.ts';

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

const TIMED_OUT = /is slow or out of reach: no complete answer within 30 s/;

/** Responses without end, slow and fast. */
export const endlessAttacks: Attacks = {
  'slow-head': ending(
    TIMED_OUT,
    serving(begin('HTTP/1.1 200 OK\r\nX-Slow: ', (socket) => drip(socket, 'x', 100))),
  ),
  'slow-body': ending(
    TIMED_OUT,
    serving(begin('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', (socket) => drip(socket, ' ', 100))),
  ),
  'interim-responses': ending(
    /interim/,
    serving(begin('', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50)))),
  ),
  'gigabyte-with-length': serving(
    begin(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${GIGABYTE}\r\n\r\n`,
      (socket) => pour(socket, BLOCK),
    ),
  ),
  'gigabyte-in-chunks': serving(begin(CHUNKED, (socket) => pour(socket, CHUNK))),
  'chunk-extension': serving(begin(`${CHUNKED}5;x=`, (socket) => pour(socket, BLOCK))),
  'chunk-extensions': serving(begin(CHUNKED, (socket) => pour(socket, `1;${'x'.repeat(8000)}\r\n \r\n`))),
  trailers: serving(
    begin(`${CHUNKED}2\r\n[]\r\n0\r\n`, (socket) => pour(socket, 'X-A: 1\r\n'.repeat(10_000))),
  ),
  'large-interim-responses': ending(
    /interim|no content/,
    serving(
      begin('', (socket) =>
        pour(socket, `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(60_000)}>\r\n\r\n`),
      ),
    ),
  ),
  'long-header': ending(
    /[Hh]eader/,
    serving(begin('HTTP/1.1 200 OK\r\nX-Long: ', (socket) => pour(socket, BLOCK))),
  ),
  'a-million-headers': ending(
    /[Hh]eader/,
    serving(begin('HTTP/1.1 200 OK\r\n', (socket) => pour(socket, 'X-A: 1\r\n'.repeat(10_000)))),
  ),
};
