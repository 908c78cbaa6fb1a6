import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderLine, Malformed, Request } from './message.ts';
import { headerValues, MAX_BODY_BYTES } from './message.ts';

/** A body beyond its limit is read on to this many bytes and thrown away, so that the client gets to read the answer. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES;

/** A request as the core sees it, before its body was read. */
export function coreRequest(
  { method = '', rawHeaders, httpVersion, socket }: IncomingMessage,
  target: string,
  connection: number,
): Request {
  const client = { address: socket.remoteAddress ?? '', connection };
  const request = { method, target, headers: headerLines(rawHeaders), body: null, client };
  const hostless = httpVersion === '1.1' && headerValues(request, 'Host').length === 0;
  return hostless ? { ...request, malformed: NO_HOST } : request;
}

/** RFC 9112 §3.2: "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks a Host header field". */
const NO_HOST: Malformed = {
  status: 400,
  code: 'host_required',
  message: 'An HTTP/1.1 request needs a Host header.',
};

/** How to answer what Node's parser and timeouts refuse, by the code of its error; as `NOT_HTTP` for all others. */
const REFUSALS = new Map<string | undefined, Malformed>([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, code: 'request_timeout', message: 'The request did not arrive whole in time.' },
  ],
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: 431,
      code: 'headers_too_large',
      message: 'The head of the request is too large.',
    },
  ],
]);

const NOT_HTTP: Malformed = {
  status: 400,
  code: 'malformed_http',
  message: 'This is not a complete HTTP request.',
};

/** What came instead of a request, as the core sees it: without a key, a stranger at its address. */
export function malformedRequest(code: string | undefined, socket: Socket, connection: number): Request {
  const client = { address: socket.remoteAddress ?? '', connection };
  return {
    method: '',
    target: '',
    headers: [],
    body: null,
    client,
    malformed: REFUSALS.get(code) ?? NOT_HTTP,
  };
}

/** Whether a body follows the head (RFC 9112 §6.3). */
export function hasBody(request: Request): boolean {
  const announced = headerValues(request, 'Content-Length').some((length) => length !== '0');
  return announced || headerValues(request, 'Transfer-Encoding').length > 0;
}

/**
 * The body's bytes, at most one more than the limit so that the core sees that it is too large.
 * @throws when the client goes away, or is sent away for a body without end
 */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    if (received <= MAX_BODY_BYTES) chunks.push(chunk);
    received += chunk.length;
    if (received > MAX_DISCARDED_BYTES) request.socket.destroy();
  }
  return Buffer.concat(chunks, Math.min(received, MAX_BODY_BYTES + 1));
}

function headerLines(raw: readonly string[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return lines;
}

/** Numbers connections from 1 in the order of their first request. */
export function numberConnections(): (socket: Socket) => number {
  const numbers = new WeakMap<Socket, number>();
  let last = 0;
  return (socket) => {
    const known = numbers.get(socket);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(socket, last);
    return last;
  };
}
