import type { Socket } from 'node:net';
import type { Attack, Respond } from '../attack.ts';

const BLOCK = Buffer.alloc(64 * 1024, 'x');
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]);
const GIGABYTE = 1024 ** 3;

/** Writes one piece after another, as fast as it is taken, until the other side has enough. */
function pour(socket: Socket, piece: Uint8Array | string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('exhaust-quota', more);
  more();
}

/** Writes one piece every so many milliseconds, for ever. */
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

const raw =
  (respond: Respond): Attack['stage'] =>
  async (stage) => ({
    target: (await stage.raw(respond)).baseUrl.href,
  });

/** Answers without end, slow and fast. */
export const endless: readonly Attack[] = [
  {
    id: 'slow-head',
    does: 'sends its head byte by byte, for ever',
    ends: 'given up after 30 s; the run ends and names the cause',
    codes: [2],
    says: /could not be reached: no complete answer within 30 s/,
    stage: raw(begin('HTTP/1.1 200 OK\r\nX-Slow: ', (socket) => drip(socket, 'x', 100))),
  },
  {
    id: 'slow-body',
    does: 'sends its body byte by byte, for ever',
    ends: 'given up after 30 s; the run ends and names the cause',
    codes: [2],
    says: /could not be reached: no complete answer within 30 s/,
    stage: raw(
      begin('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', (socket) => drip(socket, ' ', 100)),
    ),
  },
  {
    id: 'interim-answers',
    does: 'sends 103 after 103 and never an answer',
    ends: 'given up after 100 of them; the run ends and names the cause',
    codes: [2],
    says: /interim/,
    stage: raw(
      begin('', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(50))),
    ),
  },
  {
    id: 'gigabyte-with-length',
    does: 'announces a body of a gigabyte and sends it',
    ends: 'cut at the bound; a verdict that judges no cut body',
    codes: [1, 3],
    megabytes: 700,
    cpuSeconds: 30,
    stage: raw(
      begin(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${GIGABYTE}\r\n\r\n`,
        (socket) => pour(socket, BLOCK),
      ),
    ),
  },
  {
    id: 'gigabyte-in-chunks',
    long: true,
    does: 'sends a body in chunks without end',
    ends: 'cut at the bound; a verdict that judges no cut body',
    codes: [1, 3],
    megabytes: 700,
    cpuSeconds: 30,
    stage: raw(
      begin(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        (socket) => pour(socket, CHUNK),
      ),
    ),
  },
  {
    id: 'long-header',
    does: 'sends a header of 10 MB',
    ends: 'given up at 64 KiB of header; the run ends and names the cause',
    codes: [2],
    says: /[Hh]eader/,
    stage: raw(begin('HTTP/1.1 200 OK\r\nX-Long: ', (socket) => pour(socket, BLOCK))),
  },
  {
    id: 'a-million-headers',
    does: 'sends a million headers',
    ends: 'given up at 64 KiB of header; the run ends and names the cause',
    codes: [2],
    says: /[Hh]eader/,
    stage: raw(begin('HTTP/1.1 200 OK\r\n', (socket) => pour(socket, 'X-A: 1\r\n'.repeat(10_000)))),
  },
];
