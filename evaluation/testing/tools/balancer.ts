import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import type { RunningServer } from '../../../reference-server/http/server.ts';
import { listening } from './listening.ts';

/**
 * A load balancer in front of replicas: each connection goes to the next one. All are closed when the test ends.
 * @returns the base address.
 */
export async function balance(
  t: Pick<TestContext, 'after'>,
  replicas: readonly RunningServer[],
): Promise<string> {
  const ports = replicas.map(({ baseUrl }) => Number(new URL(baseUrl).port));
  let next = 0;
  const balancer = createServer((client) => {
    const server = connect(ports[next % ports.length] ?? 0, '127.0.0.1');
    next += 1;
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  const { baseUrl, close } = await listening(balancer);
  t.after(async () => {
    await close();
    await Promise.all(replicas.map((replica) => replica.close()));
  });
  return baseUrl;
}
