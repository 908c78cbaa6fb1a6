import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderLine, Outcome, Request } from '../service/message.ts';
import { headBytes, headerText, statusLine } from './write-bytes.ts';

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
  // Node sends a head and a string in one write, a head and bytes in two; Latin-1 maps every byte to itself.
  response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
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
