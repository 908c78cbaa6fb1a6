import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createServer } from 'node:tls';
import type { RunningServer } from '../reference-server/http/server.ts';
import type { Seams } from '../reference-server/seams.ts';
import { headerValues } from '../reference-server/service/message.ts';
import type { Identity } from './testing/cli/target.ts';

// What stands in front of a service: the content of its responses stays the same.

/** The service below a path of its host, such as `/gateway/petstore`, and nothing beside it. */
export const belowPath = (path: string): Seams => ({
  wrapService: (handle) => (request) =>
    handle({
      ...request,
      target: request.target.startsWith(`${path}/v1`) ? request.target.slice(path.length) : '/outside',
    }),
});

/** A gateway that answers 403 to every request without this header. */
export const wantingHeader = (name: string, value: string): Seams => ({
  wrapService: (handle) => (request) => {
    const outcome = handle(request);
    const isAdmitted = outcome.kind === 'dropped' || headerValues(request, name)[0] === value;
    return isAdmitted ? outcome : { ...outcome, status: 403 };
  },
});

/** A gateway that speaks TLS with clients, and plain HTTP with this server. */
export async function overTls(
  { baseUrl, keys, close }: RunningServer,
  identity: Identity,
): Promise<RunningServer> {
  const sockets = new Set<TLSSocket>();
  const gateway = createServer(identity, (client) => {
    const service = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    sockets.add(client);
    client.on('error', () => service.destroy()).on('close', () => sockets.delete(client));
    service.on('error', () => client.destroy());
    client.pipe(service).pipe(client);
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  return {
    baseUrl: `https://127.0.0.1:${(gateway.address() as AddressInfo).port}/v1`,
    keys,
    async close() {
      for (const client of sockets) client.destroy();
      gateway.close();
      await close();
    },
  };
}
