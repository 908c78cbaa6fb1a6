import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderLine, Malformed, Request } from '../service/message.ts';
import { headerValues, MAX_BODY_BYTES } from '../service/message.ts';

/** What the server remembers of a connection. */
export interface Connection {
  /** From 1, in the order of their first request. */
  readonly number: number;
  /** The head of the last request that has a body; `raw.complete` says whether that body arrived in full. */
  receiving?: { readonly raw: IncomingMessage; readonly head: Request };
  /** Settles when every request so far has its response; undefined when all have. */
  pending: Promise<void> | undefined;
  /** Whether its last request has arrived: RFC 9112 §9.6 forbids to process any request after it. */
  closing: boolean;
  /** Whether the rest of its bytes cannot be parsed as requests. */
  broken: boolean;
}

/** Keeps one `Connection` for each socket. */
export function rememberConnections(): (socket: Socket) => Connection {
  const bySocket = new WeakMap<Socket, Connection>();
  let last = 0;
  return (socket) => {
    const known = bySocket.get(socket);
    if (known !== undefined) return known;
    last += 1;
    const connection: Connection = { number: last, pending: undefined, closing: false, broken: false };
    bySocket.set(socket, connection);
    return connection;
  };
}

/**
 * Calls `task` with its arguments when every earlier request of the connection has its response, at once where all have:
 * without a closure, which each request would pay for. RFC 9112 §9.3.2: pipelined requests may be processed in
 * parallel only if all of them are safe, and a creation is not.
 * @param task must not reject
 */
export function inOrder<Arguments extends readonly unknown[]>(
  connection: Connection,
  task: (...these: Arguments) => void | Promise<void>,
  ...these: Arguments
): void {
  const done =
    connection.pending === undefined ? task(...these) : connection.pending.then(() => task(...these));
  if (done !== undefined) connection.pending = pendingUntil(done, connection);
}

function pendingUntil(done: Promise<void>, connection: Connection): Promise<void> {
  const pending = done.then(() => {
    if (connection.pending === pending) connection.pending = undefined;
  });
  return pending;
}

/** The largest head that the service accepts, in bytes (16 KiB): request line and header lines together. */
export const MAX_HEAD_BYTES = 16_384;

/** RFC 9112 §3.2: `uri-host [ ":" port ]` of RFC 3986, or nothing. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/** The bytes of a request line and of a header line beside method, target, name and value. */
const REQUEST_LINE_SYNTAX = '  HTTP/1.1\r\n'.length;
const HEADER_LINE_SYNTAX = ': \r\n'.length;

const problem = (status: number, code: string, message: string): Malformed => ({ status, code, message });

const VERSION = problem(505, 'http_version_not_supported', 'This service speaks HTTP/1.1 and HTTP/1.0.');
const TARGET = problem(414, 'target_too_long', `The request target is longer than ${MAX_HEAD_BYTES} bytes.`);
const HEADERS = problem(
  431,
  'headers_too_large',
  `The head of the request is larger than ${MAX_HEAD_BYTES} bytes.`,
);
const NO_HOST = problem(400, 'host_required', 'An HTTP/1.1 request needs a Host header.');
const BAD_HOST = problem(
  400,
  'invalid_host',
  'A request has exactly one Host header: a host, with or without a port.',
);
const FRAMING = problem(400, 'malformed_http', 'HTTP/1.0 has no Transfer-Encoding.');
const CODING = problem(501, 'transfer_coding_not_implemented', 'The only transfer coding is chunked.');

/**
 * Why a request with this head is rejected before it is routed:
 * RFC 9110 §15.6.6 (version), RFC 9110 §15.5.15 and RFC 6585 §5 (size),
 * RFC 9112 §3.2 (Host), RFC 9112 §6.1 (Transfer-Encoding).
 */
function headProblem(
  request: Request,
  { httpVersion: version, headers }: IncomingMessage,
): Malformed | undefined {
  if (version !== '1.1' && version !== '1.0') return VERSION;
  if (request.target.length > MAX_HEAD_BYTES) return TARGET;
  if (headBytes(request) > MAX_HEAD_BYTES) return HEADERS;
  return (
    hostProblem(headerValues(request, 'Host'), version) ??
    codingProblem(headers['transfer-encoding'], version)
  );
}

function headBytes({ method, target, headers }: Request): number {
  let bytes = method.length + target.length + REQUEST_LINE_SYNTAX;
  for (const [name, value] of headers) bytes += name.length + value.length + HEADER_LINE_SYNTAX;
  return bytes;
}

function hostProblem([host, ...further]: readonly string[], version: string): Malformed | undefined {
  if (host === undefined) return version === '1.1' ? NO_HOST : undefined;
  return further.length > 0 || !HOST.test(host) ? BAD_HOST : undefined;
}

function codingProblem(codings: string | undefined, version: string): Malformed | undefined {
  if (codings === undefined) return undefined;
  if (version === '1.0') return FRAMING;
  return codings.toLowerCase() === 'chunked' ? undefined : CODING;
}

const NOT_HTTP = problem(400, 'malformed_http', 'This is not a complete HTTP request.');

/** What Node's parser and its timeouts reject, by error code; any other code is `NOT_HTTP`. */
const PARSER_PROBLEMS: Readonly<Record<string, Malformed>> = {
  ERR_HTTP_REQUEST_TIMEOUT: problem(408, 'request_timeout', 'The request did not arrive in full in time.'),
  HPE_HEADER_OVERFLOW: HEADERS,
};

/** A request as the service sees it, before its body is read. */
export function readHead(raw: IncomingMessage, connection: number): Request {
  const { method = '', url = '', rawHeaders, socket } = raw;
  const client = { address: socket.remoteAddress ?? '', connection };
  const request = { method, target: url, headers: headerLines(rawHeaders), body: null, client };
  const malformed = headProblem(request, raw);
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
  return { ...head, malformed: PARSER_PROBLEMS[code ?? ''] ?? NOT_HTTP };
}

/** Whether a body follows the head (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/**
 * Whether the response closes the connection: when the request is malformed,
 * and when it asks for an upgrade, since Node's parser drops what is pipelined
 * after one.
 */
export function closesConnection({ malformed }: Request, { headers }: IncomingMessage): boolean {
  return malformed !== undefined || headers.upgrade !== undefined;
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
