import type { IncomingMessage, ServerResponse } from 'node:http';
import { METHODS } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { systemClock } from './clock.ts';
import type { DemoKeys } from './demo-keys.ts';
import type { Answer, HeaderLine, Outcome, Request } from './message.ts';
import { errorResponse, MAX_BODY_BYTES } from './message.ts';
import type { ServiceOptions } from './service.ts';
import { createService } from './service.ts';
import type { BytesSeam } from './transmission.ts';
import { transmit } from './transmission.ts';

/** How to serve: everything of the service, and where to listen. */
export interface ServerOptions extends Omit<ServiceOptions, 'clock'> {
  /** The system's clock unless another is given. */
  readonly clock?: ServiceOptions['clock'];
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback unless another is given. */
  readonly host?: string;
  /** How long a client may take to send a request, in milliseconds; 30,000 unless said otherwise. */
  readonly requestTimeoutMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly keys: DemoKeys;
  /** Stops listening and ends every connection at once. */
  close(): Promise<void>;
}

/** The server cannot listen where it was told to; the message is one sentence that says what to do. */
export class CannotListenError extends Error {
  override readonly name: string = 'CannotListenError';
}

/** Another program holds the port. */
export class PortTakenError extends CannotListenError {
  override readonly name = 'PortTakenError';
}

/** A body beyond its limit is read on to this many bytes and thrown away, so that the client gets to read the answer. */
const MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES;
const MAX_HEADER_BYTES = 16_384;
const KEEP_ALIVE_MS = 10_000;

/**
 * Serves the Pet Store Service over HTTP.
 * @throws {PortTakenError} when the port is taken
 * @throws {CannotListenError} when the address or the port cannot be listened on
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 } = options;
  const service = createService({ ...options, clock: options.clock ?? systemClock });
  const app = createApp(service.answer, requestTimeoutMs, options.fault?.wrapBytes);
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw cannotListen(error, host, port);
  }
  const address = app.server.address() as AddressInfo;
  const authority = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    baseUrl: `http://${authority}:${address.port}/v1`,
    keys: service.keys,
    close: () => app.close(),
  };
}

/**
 * Fastify holds the sockets, the timeouts and the shutdown; it neither routes
 * nor parses, since paths and bodies are the core's business. Answers go out
 * through the raw response: Fastify would lower-case and join the header lines.
 */
function createApp(answer: Answer, requestTimeoutMs: number, bytes?: BytesSeam): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: requestTimeoutMs,
    rewriteUrl: () => '/',
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    },
    clientErrorHandler: refuseMalformed,
  });
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  const connections = numberConnections();
  app.all('/', ({ raw, originalUrl }, reply) => {
    reply.hijack();
    const connection = connections(raw.socket);
    const respond = (body: Uint8Array | null): void => {
      const request = coreRequest(raw, originalUrl, connection, body);
      const outcome = answer(request);
      const mangled =
        bytes === undefined || outcome.kind === 'dropped' ? undefined : bytes.transmit(outcome, request);
      if (mangled === undefined) send(reply.raw, outcome);
      else transmit(reply.raw, mangled);
    };
    if (!hasBody(raw)) return respond(null);
    if (bytes?.early?.(coreRequest(raw, originalUrl, connection, null)) === true) return respond(null);
    readBody(raw).then(respond, () => raw.socket.destroy());
  });
  return app;
}

function coreRequest(
  { method = '', rawHeaders, socket }: IncomingMessage,
  target: string,
  connection: number,
  body: Uint8Array | null,
): Request {
  const client = { address: socket.remoteAddress ?? '', connection };
  return { method, target, headers: headerLines(rawHeaders), body, client };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * The body's bytes, at most one more than the limit so that the core sees that it is too large.
 * @throws when the client goes away, or is sent away for a body without end
 */
async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    if (received <= MAX_BODY_BYTES) chunks.push(chunk);
    received += chunk.length;
    if (received > MAX_DISCARDED_BYTES) request.socket.destroy();
  }
  return Buffer.concat(chunks, Math.min(received, MAX_BODY_BYTES + 1));
}

function send(response: ServerResponse, outcome: Outcome): void {
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

function headerLines(raw: readonly string[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return lines;
}

/** Numbers connections from 1 in the order of their first request. */
function numberConnections(): (socket: Socket) => number {
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

/** How to answer what Node's parser and timeouts refuse, by the code of its error; 400 for all others. */
const REFUSALS = new Map<string | undefined, readonly [status: number, reason: string, code: string]>([
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'request_timeout']],
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large', 'headers_too_large']],
]);

/** What is not HTTP has no caller, and hence no limit to show: an Error body and the end of the connection. */
function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
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

function cannotListen(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new PortTakenError(
      `Port ${port} on ${host} is taken by another program: stop that one, or choose another port (0 takes any free one).`,
    );
  }
  if (code === 'EACCES') {
    return new CannotListenError(`Port ${port} needs rights that this user lacks: choose one above 1023.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CannotListenError(
      `${host} is no address of this machine: listen on 127.0.0.1, ::1 or 0.0.0.0.`,
    );
  }
  return error;
}
