import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeEndlessly } from '../../testing/suites/synthetic.ts';
import type { Attack, Attacks } from '../attack.ts';
import { ending, serving } from '../attack.ts';

const BLOCK = Buffer.alloc(64 * 1024, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const GIGABYTE = 1024 ** 3;

/** Begins a response, and writes one piece after another, as fast as the client reads, until the connection is closed. */
const pouring = (head: string, piece: Uint8Array | string): Attack =>
  serving((socket) => {
    socket.write(head);
    const pieces = (function* () {
      for (;;) yield piece;
    })();
    pipeline(Readable.from(pieces), socket).catch(() => undefined);
  });

/** The same, with a tenth of a second between the pieces. */
const dripping = (head: string, piece: string): Attack =>
  serving((socket) => {
    socket.write(head);
    writeEndlessly(socket, piece, 100);
  });

const TIMED_OUT = /is slow or out of reach: no complete answer within 30 s/;

/** Responses without end, slow and fast. */
export const endlessAttacks: Attacks = {
  'slow-head': ending(TIMED_OUT, dripping('HTTP/1.1 200 OK\r\nX-Slow: ', 'x')),
  'slow-body': ending(TIMED_OUT, dripping('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', ' ')),
  'interim-responses': ending(
    /interim/,
    pouring('', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50)),
  ),
  'gigabyte-with-length': pouring(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${GIGABYTE}\r\n\r\n`,
    BLOCK,
  ),
  'gigabyte-in-chunks': pouring(CHUNKED, CHUNK),
  'chunk-extension': pouring(`${CHUNKED}5;x=`, BLOCK),
  'chunk-extensions': pouring(CHUNKED, `1;${'x'.repeat(8000)}\r\n \r\n`),
  trailers: pouring(`${CHUNKED}2\r\n[]\r\n0\r\n`, 'X-A: 1\r\n'.repeat(10_000)),
  'large-interim-responses': ending(
    /interim|no content/,
    pouring('', `HTTP/1.1 103 Early Hints\r\nLink: <${'x'.repeat(60_000)}>\r\n\r\n`),
  ),
  'long-header': ending(/[Hh]eader/, pouring('HTTP/1.1 200 OK\r\nX-Long: ', BLOCK)),
  'a-million-headers': ending(/[Hh]eader/, pouring('HTTP/1.1 200 OK\r\n', 'X-A: 1\r\n'.repeat(10_000))),
};
