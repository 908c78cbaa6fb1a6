import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { HeaderLine, Request, Response } from './message.ts';

/** An answer as bytes, and the fate of its connection. */
export interface Transmission {
  /** What goes out, each piece in a segment of its own. */
  readonly pieces: readonly Uint8Array[];
  /** What becomes of it afterwards: `keep` leaves it open, `end` closes it in order, `reset` breaks it off. */
  readonly connection: 'keep' | 'end' | 'reset';
}

/** What a fault of the bytes does to the answers, below anything that the service knows of. */
export interface BytesSeam {
  /** The bytes of an answer; undefined where it goes out as it is. */
  readonly transmit: (response: Response, request: Request) => Transmission | undefined;
  /** Whether a request is answered when its head has come, as if it had no body. */
  readonly early?: (head: Request) => boolean;
}

/** Milliseconds between two pieces: long enough that the other side reads them one by one. */
const BETWEEN_PIECES_MS = 15;

/** The status line of HTTP/1.1, without its end. */
export function statusLine(code: number): string {
  return `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'Unknown'}`;
}

/** Header lines as HTTP/1.1 writes them, without their ends. */
export function headerText({ headers }: { readonly headers: readonly HeaderLine[] }): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

/** A head of these lines, with the empty line that ends it. */
export function head(lines: readonly string[]): Uint8Array {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/**
 * Sends bytes past Node's own writer, which would put them right: those of the
 * seam, or the answer as it is. Node must not write a later answer of the same
 * connection, because it waits for the end of this one, which it never sees.
 */
export function transmit(
  response: ServerResponse,
  answer: Response,
  request: Request,
  bytes: BytesSeam,
): void {
  const { socket } = response;
  if (socket === null) return;
  response.detachSocket(socket);
  sendPieces(socket, bytes.transmit(answer, request) ?? asItIs(answer, request)).catch(() =>
    socket.destroy(),
  );
}

function asItIs(answer: Response, { method }: Request): Transmission {
  const start = head([statusLine(answer.status), ...headerText(answer)]);
  const whole = method === 'HEAD' ? start : Buffer.concat([start, answer.body]);
  return { pieces: [whole], connection: 'keep' };
}

async function sendPieces(socket: Socket, { pieces, connection }: Transmission): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(BETWEEN_PIECES_MS);
    socket.write(piece);
  }
  if (connection === 'reset') socket.resetAndDestroy();
  else if (connection === 'end') socket.end();
}
