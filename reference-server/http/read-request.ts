import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderLine, Request } from '../service/message.ts';
import { headerValues, MAX_BODY_BYTES } from '../service/message.ts';
import type { Connection } from './connections.ts';
import { headProblem, parserProblem } from './request-head.ts';

/** A request as the service sees it, before its body is read. */
export function readHead(raw: IncomingMessage, connection: number): Request {
  const { method = '', url = '', rawHeaders, httpVersion, socket } = raw;
  const client = { address: socket.remoteAddress ?? '', connection };
  const request = { method, target: url, headers: headerLines(rawHeaders), body: null, client };
  const malformed = headProblem(request, httpVersion);
  return malformed === undefined ? request : { ...request, malformed };
}

/**
 * What Node rejected, as the service sees it: the request whose body did not
 * arrive in full, or, where no head could be parsed, a request without credentials.
 */
export function unreadableRequest(
  code: string | undefined,
  socket: Socket,
  { number, receiving }: Connection,
): Request {
  const client = { address: socket.remoteAddress ?? '', connection: number };
  const unread: Request = { method: '', target: '', headers: [], body: null, client };
  const head = receiving?.raw.complete === false ? receiving.head : unread;
  return { ...head, malformed: parserProblem(code) };
}

/** Whether a body follows the head (RFC 9112 §6.3). */
export function hasBody(request: Request): boolean {
  const announced = headerValues(request, 'Content-Length').some((length) => length !== '0');
  return announced || headerValues(request, 'Transfer-Encoding').length > 0;
}

/**
 * Whether the response closes the connection: when the request is malformed,
 * and when it asks for an upgrade, since Node's parser drops what is pipelined
 * after one.
 */
export function closesConnection(request: Request): boolean {
  return request.malformed !== undefined || headerValues(request, 'Upgrade').length > 0;
}

/**
 * The body's bytes, at most one more than the limit so that the service sees
 * that it is too large; null where the client closed the connection. The rest
 * of a larger one is read and dropped: a client that is still sending when the
 * connection closes may never read the response.
 */
export async function readBody(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      if (received <= MAX_BODY_BYTES) chunks.push(chunk);
      received += chunk.length;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks, Math.min(received, MAX_BODY_BYTES + 1));
}

function headerLines(raw: readonly string[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return lines;
}
