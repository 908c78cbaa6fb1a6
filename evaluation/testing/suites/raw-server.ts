import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';

/**
 * Starts a server on a free loopback port that answers with any bytes, so that tests can send responses that no framework
 * sends; `respond` is called for every complete request head.
 */
export async function rawServer(respond: (socket: Socket, request: string, n: number) => void) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      requests.push(text);
      respond(socket, text, requests.length);
      text = '';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: new URL(`http://127.0.0.1:${port}/v1`),
    /** The texts of all received requests, in order. */
    requests,
    /** How many connections were opened. */
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type RawServer = Awaited<ReturnType<typeof rawServer>>;

/** A complete response as text, with a Content-Length. */
export function answerText(status: string, headers: readonly string[], body: string): string {
  return [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
    '\r\n',
  );
}
