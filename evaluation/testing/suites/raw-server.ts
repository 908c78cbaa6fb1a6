import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { listening } from '../tools/listening.ts';

/** Answers the `n`th request to a raw server, from 1. */
export type Respond = (socket: Socket, request: string, n: number) => void;

/**
 * Starts a server on a free loopback port that answers with any bytes, so that tests can send responses that no framework
 * sends; `respond` is called for every complete request head.
 */
export async function rawServer(respond: Respond) {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      requests.push(text);
      respond(socket, text, requests.length);
      text = '';
    });
  });
  const { baseUrl, close } = await listening(server);
  return {
    baseUrl: new URL(baseUrl),
    /** The texts of all received requests, in order. */
    requests,
    /** How many connections were opened. */
    connections: () => connections,
    [Symbol.asyncDispose]: close,
  };
}

export type RawServer = Awaited<ReturnType<typeof rawServer>>;

/** A complete response as text, with a Content-Length. */
export function answerText(status: string, headers: readonly string[], body: string): string {
  return [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
    '\r\n',
  );
}
