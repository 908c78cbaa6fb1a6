import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { answered, asking, get } from '../../../evaluation/testing/suites/asking.ts';
import { answerText } from '../../../evaluation/testing/suites/raw-server.ts';
import type { WireRequest } from './wire.ts';

const ok = answerText('200 OK', [], '[]');

test('a kept connection is used again, a new one is not, and closing the connections closes all', async () => {
  await asking(
    (socket) => socket.write(ok),
    async (wire) => {
      const connection = async (send: WireRequest) => (await wire.send(send)).connection;
      assert.deepEqual(await connection(get), { id: 1, fresh: true });
      assert.deepEqual(await connection(get), { id: 1, fresh: false });
      assert.deepEqual(await connection({ ...get, route: 'new' }), { id: 2, fresh: true });
      assert.deepEqual(await connection({ ...get, route: 'parallel-1' }), { id: 3, fresh: true });
      assert.deepEqual(await connection(get), { id: 1, fresh: false });
      await wire.closeConnections();
      assert.deepEqual(await connection(get), { id: 4, fresh: true });
    },
  );
});

test('a server that serves one connection at a time is given up the idle ones', async () => {
  const waiting: (() => void)[] = [];
  let serving = false;
  const next = (): void => {
    serving = false;
    const serve = waiting.shift();
    if (serve === undefined) return;
    serving = true;
    serve();
  };
  const connections = new Set<Socket>();
  await asking(
    (socket) => {
      const serve = (): void => void socket.write(ok);
      if (connections.has(socket)) return serve();
      connections.add(socket);
      socket.once('close', next);
      waiting.push(serve);
      if (!serving) next();
    },
    async (wire) => {
      const routes = ['kept', 'parallel-1', 'parallel-2', 'new', 'kept'] as const;
      for (const route of routes) answered(await wire.send({ ...get, route }));
      const together = (['parallel-1', 'parallel-2', 'parallel-3'] as const).map((route) =>
        wire.send({ ...get, route }),
      );
      for (const reply of await Promise.all(together)) answered(reply);
    },
  );
});
