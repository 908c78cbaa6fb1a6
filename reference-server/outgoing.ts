import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderLine, Outcome } from './message.ts';
import { errorResponse } from './message.ts';

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

/** How to answer what Node's parser and timeouts refuse, by the code of its error; 400 for all others. */
const REFUSALS = new Map<string | undefined, readonly [status: number, reason: string, code: string]>([
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'request_timeout']],
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large', 'headers_too_large']],
]);

/** What is not HTTP has no caller, and hence no limit to show: an Error body and the end of the connection. */
export function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, code] =
    REFUSALS.get(error.code) ?? ([400, 'Bad Request', 'malformed_http'] as const);
  const { headers, body } = errorResponse(status, code, `${reason}: this is not a complete HTTP request.`);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `HTTP/1.1 ${status} ${reason}\r\n${lines}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]));
}
