import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from './connections.ts';
import { headProblem, rejectedByNode } from './head.ts';
import type { HeaderLine, Request } from './message.ts';
import { headerValues, MAX_BODY_BYTES } from './message.ts';

/** A request as the core sees it, before its body was read. */
export function coreRequest(
  { method = '', rawHeaders, httpVersion, socket }: IncomingMessage,
  target: string,
  connection: number,
): Request {
  const client = { address: socket.remoteAddress ?? '', connection };
  const request = { method, target, headers: headerLines(rawHeaders), body: null, client };
  const malformed = headProblem(request, httpVersion);
  return malformed === undefined ? request : { ...request, malformed };
}

/**
 * What Node rejected, as the core sees it: the request whose body did not
 * arrive whole, or, where no head could be read, a request without credentials.
 */
export function rejectedRequest(
  code: string | undefined,
  socket: Socket,
  { number, receiving }: Connection,
): Request {
  const client = { address: socket.remoteAddress ?? '', connection: number };
  const unread: Request = { method: '', target: '', headers: [], body: null, client };
  const head = receiving?.raw.complete === false ? receiving.head : unread;
  return { ...head, malformed: rejectedByNode(code) };
}

/** Whether a body follows the head (RFC 9112 §6.3). */
export function hasBody(request: Request): boolean {
  const announced = headerValues(request, 'Content-Length').some((length) => length !== '0');
  return announced || headerValues(request, 'Transfer-Encoding').length > 0;
}

/**
 * Whether the connection ends with the answer: when the request is malformed,
 * and when it asks for an upgrade, since Node's parser drops what is pipelined
 * behind one.
 */
export function isLast(request: Request): boolean {
  return request.malformed !== undefined || headerValues(request, 'Upgrade').length > 0;
}

/**
 * The body's bytes, at most one more than the limit so that the core sees that
 * it is too large; null where the client went away. The rest of a larger one is
 * read and thrown away: a client that is still sending when the connection ends
 * may never read the answer.
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
