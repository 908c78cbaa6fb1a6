import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoKeys } from '../reference-server/service/callers.ts';
import type { HeaderLine, RequestHandler, Response } from '../reference-server/service/message.ts';
import type { ServiceOptions } from '../reference-server/service/service.ts';
import { createService, systemClock } from '../reference-server/service/service.ts';

/** How a proxy or a gateway in front of a service transports its responses. The content stays the same. */
export interface NetworkShape {
  /** Where to listen; by default the IPv4 loopback address. */
  readonly host?: string;
  /** A path in front of `/v1`, for example `/gateway/petstore`. */
  readonly basePath?: string;
  /** How long each response is delayed, in milliseconds. */
  readonly delayMs?: number;
  /** `announced` sends `Connection: close`; `silent` sends the response and closes the socket without that header. */
  readonly close?: 'announced' | 'silent';
  /** Bodies go out in chunks of this many bytes, without `Content-Length`. */
  readonly chunkBytes?: number;
  readonly lowerCase?: boolean;
  /** A header without which the gateway answers every request with 403. */
  readonly requiredHeader?: HeaderLine;
  /** PEM texts. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A server with a network shape that listens on a free port. */
export interface ShapedServer {
  readonly baseUrl: string;
  readonly keys: DemoKeys;
  close(): Promise<void>;
}

/** Serves the core of the reference server with this network shape. */
export async function serveShaped(
  shape: NetworkShape,
  options: Omit<ServiceOptions, 'clock'>,
): Promise<ShapedServer> {
  const { handle, keys } = createService({ ...options, clock: systemClock });
  const server = createShapedServer(shape, (request, response) => {
    serve(request, response, handle, shape).catch(() => request.socket.destroy());
  });
  const host = shape.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const scheme = shape.tls === undefined ? 'http' : 'https';
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    baseUrl: `${scheme}://${authority}:${port}${shape.basePath ?? ''}/v1`,
    keys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const createShapedServer = ({ tls }: NetworkShape, listener: RequestListener): Server =>
  tls === undefined ? createServer(listener) : createTlsServer(tls, listener);

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: RequestHandler,
  shape: NetworkShape,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const { basePath = '', delayMs = 0, requiredHeader } = shape;
  const headers = headerLines(request.rawHeaders);
  const admitted =
    requiredHeader === undefined || request.headers[requiredHeader[0].toLowerCase()] === requiredHeader[1];
  const target = request.url ?? '';
  const inside = target.startsWith(`${basePath}/v1`);
  const outcome = answer({
    method: request.method ?? '',
    target: inside ? target.slice(basePath.length) : '/outside',
    headers,
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
    client: { address: '127.0.0.1', connection: connectionNumber(request.socket) },
  });
  if (delayMs > 0) await delay(delayMs);
  if (outcome.kind === 'dropped') return void request.socket.destroy();
  send(response, admitted ? outcome : { ...outcome, status: 403 }, shape);
}

function send(response: ServerResponse, { status, headers, body }: Response, shape: NetworkShape): void {
  const { close, chunkBytes, lowerCase = false } = shape;
  const lines = headers
    .filter(([name]) => chunkBytes === undefined || name !== 'Content-Length')
    .map(([name, value]): HeaderLine => [lowerCase ? name.toLowerCase() : name, value]);
  response.sendDate = false;
  if (close === 'announced') response.shouldKeepAlive = false;
  response.writeHead(status, lines.flat());
  if (chunkBytes === undefined) response.write(body);
  else
    for (let at = 0; at < body.length; at += chunkBytes) response.write(body.subarray(at, at + chunkBytes));
  response.end(() => {
    if (close === 'silent') response.socket?.destroySoon();
  });
}

function headerLines(raw: readonly string[]): readonly HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return lines;
}

const connectionNumbers = new WeakMap<Socket, number>();
let sockets = 0;

/** Numbers sockets in the order of their first request. */
function connectionNumber(socket: Socket): number {
  const known = connectionNumbers.get(socket);
  if (known !== undefined) return known;
  sockets += 1;
  connectionNumbers.set(socket, sockets);
  return sockets;
}
