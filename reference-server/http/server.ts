import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { listen } from '../../kernel/basics/listen.ts';
import type { BytesSeam } from '../seams.ts';
import type { DemoKeys } from '../service/callers.ts';
import type { Request, RequestHandler } from '../service/message.ts';
import type { Service, ServiceOptions } from '../service/service.ts';
import { createService, systemClock } from '../service/service.ts';
import type { Connection } from './read-request.ts';
import {
  closesConnection,
  hasBody,
  inOrder,
  MAX_HEAD_BYTES,
  readBody,
  readHead,
  rememberConnections,
  unreadableRequest,
} from './read-request.ts';
import { writeAndClose, writeBytes, writeResponse } from './write-response.ts';

export interface ListenOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The address to listen on; loopback by default. */
  readonly host?: string;
  /** How long a client may take to send a request, in milliseconds; 30,000 by default. */
  readonly requestTimeoutMs?: number;
}

/** How to serve: the options of the service, and where to listen. */
export interface ServerOptions extends Omit<ServiceOptions, 'clock'>, ListenOptions {
  /** The system's clock by default. */
  readonly clock?: ServiceOptions['clock'];
}

export interface RunningServer {
  /** For example `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly keys: DemoKeys;
  /** Stops listening and closes every connection at once. */
  close(): Promise<void>;
}

/**
 * Serves the Pet Store Service over HTTP.
 * @throws {UserError} when the port is taken, or the address or the port cannot be used
 */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  const service = createService({ ...options, clock: options.clock ?? systemClock });
  return serveOverHttp(service, options, options.seams?.wrapBytes);
}

/**
 * Serves this service over HTTP.
 * @throws {UserError} when the port is taken, or the address or the port cannot be used
 */
export async function serveOverHttp(
  { keys, handle }: Service,
  { port = 0, host = '127.0.0.1', requestTimeoutMs = 30_000 }: ListenOptions = {},
  bytes?: BytesSeam,
): Promise<RunningServer> {
  const server = createHttpServer(handle, requestTimeoutMs, bytes);
  const bound = await listen(server, { host, port }, 'server', '--host and --port');
  const authority = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return { baseUrl: `http://${authority}:${bound.port}/v1`, keys, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

/** The largest head that Node parses, in bytes: more than the service accepts, so that the key of a rejected one is known. */
const PARSED_HEAD_BYTES = 64 * MAX_HEAD_BYTES;
const KEEP_ALIVE_MS = 10_000;

/**
 * An HTTP server on `node:http` that passes each request to `respond`: bytes
 * in, bytes out, without routes and without a JSON parser of its own.
 * @param requestTimeoutMs how long a client may take to send a request
 */
function createHttpServer(respond: RequestHandler, requestTimeoutMs: number, bytes?: BytesSeam): Server {
  const connectionOf = rememberConnections();
  const server = createServer({
    maxHeaderSize: PARSED_HEAD_BYTES,
    // By default Node rejects a request without Host itself, without the headers of the service.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
  });
  // By default Node drops the header lines beyond 2,000, a key among them. Their size is bounded anyway.
  server.maxHeadersCount = 0;
  const onRequest = requestListener(respond, connectionOf, bytes);
  server.on('request', onRequest);
  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know.
  server.on('checkExpectation', onRequest);
  // Without this listener Node closes the connection and sends no response.
  server.on('connect', (raw: IncomingMessage) => {
    const connection = connectionOf(raw.socket);
    respondAndClose(respond, readHead(raw, connection.number), raw.socket, connection);
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connectionOf(socket);
    if (code === 'ECONNRESET') socket.destroy();
    else if (!connection.broken) respondToUnreadable(respond, code, socket, connection);
  });
  return server;
}

function requestListener(
  respond: RequestHandler,
  connectionOf: (socket: Socket) => Connection,
  bytes: BytesSeam | undefined,
): RequestListener {
  const serve = (request: Request, response: ServerResponse): void => {
    const outcome = respond(request);
    if (bytes === undefined || outcome.kind === 'dropped') writeResponse(response, outcome);
    else writeBytes(response, outcome, request, bytes);
  };
  return (raw, response) => {
    const connection = connectionOf(raw.socket);
    if (connection.closing) return;
    const head = readHead(raw, connection.number);
    connection.closing = closesConnection(head, raw);
    if (connection.closing) response.shouldKeepAlive = false;
    if (!hasBody(raw)) return inOrder(connection, serve, head, response);
    connection.receiving = { raw, head };
    const arrived = readBody(raw);
    inOrder(connection, () =>
      arrived.then((body) => (body === null ? undefined : serve({ ...head, body }, response))),
    );
  };
}

/** Responds to bytes that Node's parser or one of its timeouts rejected. */
function respondToUnreadable(
  respond: RequestHandler,
  code: string | undefined,
  socket: Socket,
  connection: Connection,
): void {
  const request = unreadableRequest(code, socket, connection);
  connection.broken = true;
  // The rest of this body will never arrive: do not wait for it.
  if (connection.receiving?.raw.complete === false) connection.pending = undefined;
  respondAndClose(respond, request, socket, connection);
}

/** Responds on the socket itself, after every earlier request, and closes the connection. */
function respondAndClose(
  respond: RequestHandler,
  request: Request,
  socket: Socket,
  connection: Connection,
): void {
  // Node hands the socket over without listeners, and an 'error' event without a listener ends the process.
  socket.on('error', () => socket.destroy());
  inOrder(connection, () => writeAndClose(socket, respond(request), request));
}
