import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderLine, Outcome } from './message.ts';

/** Sends what the core answered, when it is due. */
export function send(response: ServerResponse, outcome: Outcome): void {
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
  // Node sends a head and a text as one piece, and a head and bytes as two; Latin-1 maps every byte to itself.
  response.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
}

/** What `Array.prototype.flat` does, several times as fast. */
function flat(lines: readonly HeaderLine[]): string[] {
  const raw: string[] = [];
  for (const [name, value] of lines) raw.push(name, value);
  return raw;
}

/**
 * Answers what Node made no response object for, because it is not HTTP; the
 * connection ends with it, since nobody knows where a next request would begin.
 */
export function sendLast(socket: Socket, outcome: Outcome): void {
  if (outcome.kind === 'dropped') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = outcome;
  const lines = [...headers, ['Connection', 'close']]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(
    Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n`), body]),
  );
}
