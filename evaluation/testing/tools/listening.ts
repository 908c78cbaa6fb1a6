import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';

/** Lets a server listen on a free port, of the loopback interface where no host is given. `close` ends its connections, too. */
export async function listening(server: Server, host = '127.0.0.1') {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const { address, port, family } = server.address() as AddressInfo;
  const authority = family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
  return {
    port,
    authority,
    /** Of a service without TLS. */
    baseUrl: `http://${authority}/v1`,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A port of the loopback interface that is free at this moment. */
export async function freePort(): Promise<number> {
  const { port, close } = await listening(createServer());
  await close();
  return port;
}
