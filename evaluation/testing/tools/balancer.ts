import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import type { RunningServer } from '../../../reference-server/http/server.ts';

/** A port of the loopback interface that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A load balancer in front of replicas: each connection goes to the next one. All are closed when the test ends.
 * @returns the base address.
 */
export async function balance(
  t: Pick<TestContext, 'after'>,
  replicas: readonly RunningServer[],
): Promise<string> {
  const ports = replicas.map(({ baseUrl }) => Number(new URL(baseUrl).port));
  const open = new Set<Socket>();
  let next = 0;
  const balancer = createServer((client) => {
    const server = connect(ports[next % ports.length] ?? 0, '127.0.0.1');
    next += 1;
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  t.after(async () => {
    for (const socket of open) socket.destroy();
    balancer.close();
    await Promise.all(replicas.map((replica) => replica.close()));
  });
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}/v1`;
}
