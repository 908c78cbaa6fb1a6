import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from './message.ts';

/** An answer as bytes, and what becomes of its connection. */
export interface Transmission {
  /** What goes out, each piece in a segment of its own. */
  readonly pieces: readonly Uint8Array[];
  /** `keep` leaves the connection open, `end` closes it in order, `reset` breaks it off. */
  readonly then: 'keep' | 'end' | 'reset';
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

/** Sends bytes past Node's own writer, which would put them right. */
export function transmit(response: ServerResponse, transmission: Transmission): void {
  const { socket } = response;
  if (socket === null) return;
  response.detachSocket(socket);
  sendPieces(socket, transmission).catch(() => socket.destroy());
}

async function sendPieces(socket: Socket, { pieces, then }: Transmission): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await pause(BETWEEN_PIECES_MS);
    socket.write(piece);
  }
  if (then === 'keep') return;
  if (then === 'reset') await pause(BETWEEN_PIECES_MS);
  if (then === 'reset') socket.resetAndDestroy();
  else socket.end();
}
