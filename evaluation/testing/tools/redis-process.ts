import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
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

/** A Redis server for one test, on the loopback interface and without persistence. */
export interface RedisProcess {
  readonly url: string;
  /** Kills it at once, like a crash. */
  kill(): Promise<void>;
  /** Starts it again on the same port, without data. */
  restart(): Promise<void>;
}

/** Starts a Redis on a free port. */
export async function startRedis(): Promise<RedisProcess> {
  const port = await freePort();
  let child = await launch(port);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill();
      child = await launch(port);
    },
  };
}

async function launch(port: number): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of child.stdout) {
    if (String(chunk).includes('Ready to accept connections')) break;
  }
  return child;
}

/**
 * A load balancer in front of replicas: each connection goes to the next one. It is closed when the test ends.
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
  t.after(() => {
    for (const socket of open) socket.destroy();
    balancer.close();
  });
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}/v1`;
}
