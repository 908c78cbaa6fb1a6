import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { BytesSeam, Transmission } from '../seams.ts';
import type { HeaderLine, Request, Response } from '../service/message.ts';

/** Milliseconds between two pieces: long enough that the client reads them one by one. */
const BETWEEN_PIECES_MS = 15;

/** The status line of HTTP/1.1, without its line end. */
export function statusLine(code: number): string {
  return `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'Unknown'}`;
}

/** Header lines as HTTP/1.1 writes them, without their line ends. */
export function headerText({ headers }: { readonly headers: readonly HeaderLine[] }): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

/** A head of these lines, with the empty line that ends it. */
export function headBytes(lines: readonly string[]): Uint8Array {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/**
 * Writes the bytes of the seam, or the response unchanged, to the socket itself:
 * Node's own writer would correct them. It writes every response of such a
 * server, because Node holds back a response until it saw the end of the one before.
 */
export function writeBytes(
  raw: ServerResponse,
  response: Response,
  request: Request,
  bytes: BytesSeam,
): void {
  const { socket } = raw;
  if (socket === null) return;
  raw.detachSocket(socket);
  writePieces(socket, bytes.transmit(response, request) ?? unchanged(response, request)).catch(() =>
    socket.destroy(),
  );
}

function unchanged(response: Response, { method }: Request): Transmission {
  const head = headBytes([statusLine(response.status), ...headerText(response)]);
  return { pieces: [method === 'HEAD' ? head : Buffer.concat([head, response.body])], connection: 'keep' };
}

async function writePieces(socket: Socket, { pieces, connection }: Transmission): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(BETWEEN_PIECES_MS);
    socket.write(piece);
  }
  if (connection === 'reset') socket.resetAndDestroy();
  else if (connection === 'end') socket.end();
}
