import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { BytesSeam, Transmission } from '../seams.ts';
import type { HeaderLine, Outcome, Request, Response } from '../service/message.ts';

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
  writePieces(socket, bytes(response, request) ?? unchanged(response, request)).catch(() => socket.destroy());
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

/** Writes the response, after its delay where it has one. */
export function writeResponse(response: ServerResponse, outcome: Outcome): void {
  if (outcome.delayMs === undefined) write(response, outcome);
  else setTimeout(write, outcome.delayMs, response, outcome).unref();
}

function write(response: ServerResponse, outcome: Outcome): void {
  if (outcome.kind === 'dropped') {
    response.socket?.destroy();
    return;
  }
  const { status, headers, body } = outcome;
  response.sendDate = false;
  response.writeHead(status, flat(headers));
  response.end(body);
}

/** The same as `Array.prototype.flat`, several times as fast. */
function flat(lines: readonly HeaderLine[]): string[] {
  const raw: string[] = [];
  for (const [name, value] of lines) raw.push(name, value);
  return raw;
}

/** Milliseconds for which a connection stays half open after its last response. */
const LINGER_MS = 2000;

/**
 * Writes a response for which Node made no response object, because it rejected
 * the request or hands the socket over, and closes the connection in the two
 * steps of RFC 9112 §9.6: a client that is still sending can read the response.
 */
export function writeAndClose(socket: Socket, outcome: Outcome, { method }: Request): void {
  if (outcome.kind === 'dropped' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = outcome;
  const head = headBytes([statusLine(status), ...headerText({ headers }), 'Connection: close']);
  socket.end(method === 'HEAD' ? head : Buffer.concat([head, body]));
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
