import { readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import type { RunningServer } from '../../../reference-server/http/server.ts';
import { startServer } from '../../../reference-server/http/server.ts';
import { plansOf } from '../../over-http.ts';
import { listening } from '../tools/listening.ts';

/** Starts the reference server with a window of this many seconds instead of a minute; it stops when the test ends. */
export async function serveReference(t: TestContext, minuteSeconds: number): Promise<RunningServer> {
  const server = await startServer({ plans: plansOf(minuteSeconds) });
  t.after(() => server.close());
  return server;
}

/** Starts a server with this listener; resolves to its origin. */
export async function serve(t: TestContext, listener: RequestListener, host?: string): Promise<string> {
  return `http://${await listen(t, createServer(listener), host)}`;
}

const identityFile = (name: string): string =>
  readFileSync(new URL(`identities/${name}`, import.meta.url), 'utf8');

/** A certificate and its private key of the folder `identities`, as PEM texts. They protect nothing: tests speak TLS with them. */
export const identityOf = (name: 'localhost' | 'expired' | 'other-name') => ({
  cert: identityFile(`${name}.pem`),
  key: identityFile(`${name}.key.pem`),
});

/** Valid for localhost and for a hundred years, but signed by no authority. */
export const selfSigned = identityOf('localhost');

/** The same over TLS. */
export async function serveTls(
  t: TestContext,
  listener: RequestListener,
  identity = selfSigned,
): Promise<string> {
  return `https://${await listen(t, createTlsServer(identity, listener))}`;
}

/** The same, and clients must show a certificate that the self-signed one has signed: itself. */
export async function serveMutualTls(t: TestContext, listener: RequestListener): Promise<string> {
  const options = { ...selfSigned, ca: selfSigned.cert, requestCert: true };
  return `https://${await listen(t, createTlsServer({ ...options, rejectUnauthorized: true }, listener))}`;
}

/** Starts a server over TLS that speaks HTTP/2 and HTTP/1.1 and prefers HTTP/2; resolves to its origin. */
export async function serveEitherHttp(t: TestContext, listener: RequestListener): Promise<string> {
  const options = { ...selfSigned, allowHTTP1: true };
  const server = createSecureServer(options, (asked, response) =>
    listener(
      asked as unknown as IncomingMessage,
      response as unknown as ServerResponse<IncomingMessage> & { req: IncomingMessage },
    ),
  );
  return `https://${await listen(t, server)}`;
}

/** Starts a server that only speaks HTTP/2, with or without TLS; resolves to its origin. */
export async function serveHttp2(t: TestContext, tls: boolean): Promise<string> {
  const server = tls ? createSecureServer({ ...selfSigned, allowHTTP1: false }) : createHttp2Server();
  return `${tls ? 'https' : 'http'}://${await listen(t, server)}`;
}

/** Starts a proxy that tunnels every host to this machine; `requestedHosts` are the hosts of its requests. */
export async function serveProxy(
  t: TestContext,
): Promise<{ readonly origin: string; readonly requestedHosts: string[] }> {
  const requestedHosts: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, client, head) => {
    requestedHosts.push(request.url ?? '');
    const port = Number(request.url?.split(':')[1]);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  return { origin: `http://${await listen(t, proxy)}`, requestedHosts };
}

/** Lets a server listen until the test ends; resolves to its host and port. */
export async function listen(t: TestContext, server: Server, host?: string): Promise<string> {
  const { authority, close } = await listening(server, host);
  t.after(close);
  return authority;
}

/** Answers every request with 401 and an Error body, as for an invalid key. */
export function rejectEveryKey(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(401, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' });
  response.end('{"code":"unauthorized","message":"The API key is not valid.","status":401}');
}

/** Passes every request on to the server at this base address, as a gateway does. @param more headers of each response. */
export const forwardingTo =
  (baseUrl: string, more: OutgoingHttpHeaders = {}): RequestListener =>
  (asked, response) => {
    const headers = { ...asked.headers, host: new URL(baseUrl).host };
    const options = { method: asked.method, headers };
    const inner = request(new URL(asked.url ?? '', baseUrl), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...more });
      answer.pipe(response);
    });
    asked.pipe(inner);
  };
