import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { serveOverHttp, startServer } from '../../reference-server/http/server.ts';
import type { Plans } from '../../spec/plans.ts';
import { findDaemon } from '../../tools/daemons.ts';
import { overHttp } from '../over-http.ts';
import { balance } from '../testing/tools/balancer.ts';
import { startRedis } from '../testing/tools/redis-process.ts';
import { connectRedis } from './redis.ts';
import { createReplica } from './replica.ts';

const redisServer = await findDaemon('redis-server');
const skip = redisServer.kind === 'missing' && redisServer.advice;
const REPLICAS = 3;
const plans: Plans = {
  minuteSeconds: 3,
  daySeconds: 86_400,
  plans: { free: { perMinute: 60, perDay: 1000 } },
};

async function deploy(t: TestContext, shared: boolean) {
  const redis = await startRedis();
  t.after(() => redis.kill());
  const stores = await Promise.all(Array.from({ length: REPLICAS }, () => connectRedis(redis.url, 'proof')));
  const replicas = await Promise.all(
    stores.map(async (store) =>
      shared
        ? serveOverHttp(await createReplica({ plans, store, duringOutage: 'closed' }))
        : startServer({ plans }),
    ),
  );
  t.after(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await Promise.all(stores.map((store) => store.close()));
  });
  const [key = '', other = ''] = replicas[0]?.keys.free ?? [];
  return { baseUrl: await balance(t, replicas), keys: { key, other } };
}

const failed = ({ requirements }: Awaited<ReturnType<typeof overHttp>>['record']): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id, because }) => `${id}: ${because}`);

test('replicas behind one address that share a store conform', { skip }, async (t) => {
  const { record } = await overHttp({ ...(await deploy(t, true)), plans });
  assert.deepEqual(failed(record), []);
  assert.equal(record.outcome, 'conforms');
});

test('replicas without a shared store never receive the outcome "conforms"', {
  skip,
}, async (t) => {
  const { record } = await overHttp({ ...(await deploy(t, false)), plans });
  assert.notEqual(record.outcome, 'conforms');
  const list = record.requirements.find(({ id }) => id === 'LIST-3');
  assert.ok(list?.verdict === 'fail' || list?.verdict === 'warn', list?.because);
});
