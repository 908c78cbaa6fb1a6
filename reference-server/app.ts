import type { IncomingMessage, ServerResponse } from 'node:http';
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import type { Connection } from './connections.ts';
import { inTurn, rememberConnections } from './connections.ts';
import { MAX_HEAD_BYTES } from './head.ts';
import { coreRequest, hasBody, isLast, readBody, rejectedRequest } from './incoming.ts';
import type { Outcome, Request } from './message.ts';
import { send, sendLast } from './outgoing.ts';
import type { BytesSeam } from './transmission.ts';
import { transmit } from './transmission.ts';

/** A service in memory answers at once, one over a shared store when the store did. */
type Answering = (request: Request) => Outcome | Promise<Outcome>;

/** What Node's parser reads of a head: more than the service accepts, so that the key of a head that is too large is known. */
const PARSED_HEAD_BYTES = 64 * MAX_HEAD_BYTES;
const KEEP_ALIVE_MS = 10_000;

/**
 * Fastify holds the sockets, the timeouts and the shutdown; it neither routes
 * nor parses, since paths and bodies are the core's business. Answers go out
 * through the raw response: Fastify would lower-case and join the header lines.
 * @param requestTimeoutMs how long a client may take to send a request
 */
export function createApp(answer: Answering, requestTimeoutMs: number, bytes?: BytesSeam): FastifyInstance {
  const connectionOf = rememberConnections();
  const respond = createResponder(answer, bytes);
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: requestTimeoutMs,
    rewriteUrl: () => '/',
    http: {
      maxHeaderSize: PARSED_HEAD_BYTES,
      // Node would answer it without any header of the service.
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    },
    clientErrorHandler({ code }, socket) {
      const connection = connectionOf(socket);
      if (code === 'ECONNRESET') socket.destroy();
      else if (!connection.broken) answerRejected(answer, code, socket, connection);
    },
  });
  // Node would leave out the lines beyond some number, a key among them; the size is bounded anyway.
  app.server.maxHeadersCount = 0;
  // RFC 9110 §10.1.1 lets a server ignore an expectation that it does not know.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Without a listener Node ends the connection and answers nothing.
  app.server.on('connect', (raw: IncomingMessage) => {
    const connection = connectionOf(raw.socket);
    answerLast(answer, coreRequest(raw, raw.url ?? '', connection.number), raw.socket, connection);
  });
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.all('/', ({ raw, originalUrl }, reply) => {
    reply.hijack();
    const connection = connectionOf(raw.socket);
    if (connection.ending) return;
    const head = coreRequest(raw, originalUrl, connection.number);
    connection.ending = isLast(head);
    if (!hasBody(head) || bytes?.early?.(head) === true)
      return inTurn(connection, () => respond(reply.raw, head));
    connection.receiving = { raw, head };
    const arrived = readBody(raw);
    inTurn(connection, () =>
      arrived.then((body) => (body === null ? undefined : respond(reply.raw, { ...head, body }))),
    );
  });
  return app;
}

type Respond = (response: ServerResponse, request: Request) => void | Promise<void>;

function createResponder(answer: Answering, bytes: BytesSeam | undefined): Respond {
  return (response, request) => {
    if (isLast(request)) response.shouldKeepAlive = false;
    const outcome = answer(request);
    if (outcome instanceof Promise) {
      return outcome.then(
        (late) => send(response, late),
        () => void response.destroy(),
      );
    }
    if (bytes === undefined || outcome.kind === 'dropped') return send(response, outcome);
    transmit(response, outcome, request, bytes);
  };
}

/** Answers what Node's parser or one of its timeouts rejected. */
function answerRejected(
  answer: Answering,
  code: string | undefined,
  socket: Socket,
  connection: Connection,
): void {
  const request = rejectedRequest(code, socket, connection);
  connection.broken = true;
  // A body that will never be whole is not waited for.
  if (connection.receiving?.raw.complete === false) connection.pending = undefined;
  answerLast(answer, request, socket, connection);
}

/** Answers on the socket itself, after every earlier request, and ends the connection. */
function answerLast(answer: Answering, request: Request, socket: Socket, connection: Connection): void {
  // Node hands a connection over without any listener, and an error that nobody listens to ends the process.
  socket.on('error', () => socket.destroy());
  inTurn(connection, async () => sendLast(socket, await answer(request), request));
}
