import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { serveOverHttp, startServer } from '../../reference-server/http/server.ts';
import type { Outcome, Request } from '../../reference-server/service/message.ts';
import { headerValues } from '../../reference-server/service/message.ts';
import type { Plans } from '../../spec/plans.ts';
import { findDaemon } from '../../tools/daemons.ts';
import { overHttp, plansOf } from '../over-http.ts';
import { onBusyMachine, whyTooSlowOnly } from '../testing/tools/busy-machine.ts';
import type { RedisProcess } from '../testing/tools/redis-process.ts';
import { balance, startRedis } from '../testing/tools/redis-process.ts';
import { reasonsOf } from '../testing/verdicts.ts';
import type { OutagePolicy, Replica } from './replica.ts';
import { connectRedis, createReplica, StoreUnreachableError } from './replica.ts';

const redisServer = await findDaemon('redis-server');
const skip = redisServer.kind === 'missing' && redisServer.advice;
const LIMIT = 20;
const plans: Plans = {
  minuteSeconds: 30,
  daySeconds: 60,
  plans: { free: { perMinute: LIMIT, perDay: 2 * LIMIT } },
};

async function replicas(
  t: TestContext,
  redis: RedisProcess,
  duringOutage: OutagePolicy,
): Promise<readonly Replica[]> {
  const stores = await Promise.all([1, 2, 3].map(() => connectRedis(redis.url, `test-${duringOutage}`)));
  t.after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await redis.kill();
  });
  return Promise.all(stores.map((store) => createReplica({ plans, store, duringOutage })));
}

const nth = (services: readonly Replica[], n: number): Replica => {
  const service = services[n % services.length];
  assert.ok(service !== undefined);
  return service;
};

function request(service: Replica, body?: string, key = service.keys.free[0]): Request {
  const headers = [
    ['Authorization', `Bearer ${key}`],
    ['Content-Type', 'application/json'],
  ] as const;
  return {
    method: body === undefined ? 'GET' : 'POST',
    target: '/v1/categories',
    headers,
    body: body === undefined ? null : Buffer.from(body),
    client: { address: '127.0.0.1', connection: 1 },
  };
}

function responseOf(outcome: Outcome) {
  assert.ok(outcome.kind === 'response');
  const header = (name: string) => Number(headerValues(outcome, name)[0]);
  return {
    status: outcome.status,
    json: JSON.parse(Buffer.from(outcome.body).toString()) as unknown,
    remaining: header('X-RateLimit-Remaining'),
    reset: header('X-RateLimit-Reset'),
    retryAfter: header('Retry-After'),
  };
}

const list = async (service: Replica) => responseOf(await service.handle(request(service)));

test('replicas that share a store accept exactly the limit between them', { skip }, async (t) => {
  const services = await replicas(t, await startRedis(), 'closed');
  const answers = await Promise.all(Array.from({ length: LIMIT + 7 }, (_, n) => list(nth(services, n))));
  const accepted = answers.filter(({ status }) => status === 200);
  const rateLimited = answers.filter(({ status }) => status === 429);
  assert.equal(accepted.length, LIMIT);
  assert.equal(rateLimited.length, 7);
  assert.deepEqual(
    accepted.map(({ remaining }) => remaining).sort((a, b) => a - b),
    Array.from({ length: LIMIT }, (_, n) => n),
  );
  assert.equal(new Set(answers.map(({ reset }) => reset)).size, 1, 'one window');
  for (const { retryAfter } of rateLimited)
    assert.ok(retryAfter >= 1 && retryAfter <= 31, String(retryAfter));
});

test('every replica rate-limits the key whose daily quota is used up', { skip }, async (t) => {
  for (const service of await replicas(t, await startRedis(), 'closed')) {
    const exhausted = responseOf(
      await service.handle(request(service, undefined, service.keys.exhausted[0])),
    );
    assert.equal(exhausted.status, 429);
    assert.ok(exhausted.retryAfter > plans.minuteSeconds, 'until the day is over');
  }
});

test('every replica lists what one of them creates, and no two categories share an id', {
  skip,
}, async (t) => {
  const services = await replicas(t, await startRedis(), 'closed');
  const made = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const service = nth(services, n);
      return responseOf(await service.handle(request(service, JSON.stringify({ name: `c${n}` })))).json as {
        id: number;
      };
    }),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, 6);
  const invalid = responseOf(await nth(services, 0).handle(request(nth(services, 0), '{}')));
  assert.equal(invalid.status, 400);
  const later = responseOf(await nth(services, 1).handle(request(nth(services, 1), '{"name":"later"}')));
  assert.equal((later.json as { id: number }).id, 8, 'a rejected creation leaves a gap');
  made.push(later.json as { id: number });
  for (const service of services) {
    const { json } = await list(service);
    assert.deepEqual((json as { id: number }[]).map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
  }
});

test('closed: a replica responds 503 with Retry-After until the store is available again', {
  skip,
}, async (t) => {
  const redis = await startRedis();
  const service = nth(await replicas(t, redis, 'closed'), 0);
  assert.equal((await list(service)).status, 200);
  await redis.kill();
  const lost = await list(service);
  assert.deepEqual([lost.status, lost.retryAfter, lost.remaining], [503, 1, 0]);
  await redis.restart();
  assert.equal(await statusOnceBack(service), 200);
});

test('open: without its store a replica does not count, shows the list that it read last, and creates nothing', {
  skip,
}, async (t) => {
  const redis = await startRedis();
  const service = nth(await replicas(t, redis, 'open'), 0);
  assert.equal(responseOf(await service.handle(request(service, '{"name":"kept"}'))).status, 201);
  const before = await list(service);
  await redis.kill();
  for (let n = 0; n < LIMIT + 3; n += 1) {
    const { status, remaining, json } = await list(service);
    assert.deepEqual([status, remaining, json], [200, LIMIT, before.json]);
  }
  assert.equal(responseOf(await service.handle(request(service, '{"name":"lost"}'))).status, 503);
});

test('a missing Redis is reported in one sentence, without the password', async () => {
  const url = 'redis://user:hunter2@127.0.0.1:1';
  await assert.rejects(connectRedis(url, 'test'), (error: Error) => {
    assert.ok(error instanceof StoreUnreachableError);
    assert.match(error.message, /^No Redis responds at redis:\/\/127\.0\.0\.1:1 \(.*\): start one\.$/);
    return !error.message.includes('hunter2');
  });
});

/** Reconnecting takes a moment: polls for at most five seconds. */
async function statusOnceBack(service: Replica): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { status } = await list(service);
    if (status !== 503) return status;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return 503;
}

const REPLICAS = 3;
const conformancePlans = plansOf(3);
const unlessBusy = onBusyMachine();

async function deploy(t: TestContext, shared: boolean, plans = conformancePlans) {
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

test('replicas behind one address that share a store conform', { skip }, (t) =>
  unlessBusy(t, async (again) => {
    const plans = again ? plansOf(30) : conformancePlans;
    const { record } = await overHttp({ ...(await deploy(t, true, plans)), plans });
    assert.deepEqual(reasonsOf(record, 'fail'), []);
    const reason = whyTooSlowOnly(record);
    if (reason === undefined) assert.equal(record.outcome, 'conforms');
    return reason;
  }),
);

test('replicas without a shared store never receive the outcome "conforms"', {
  skip,
}, async (t) => {
  const { record } = await overHttp({ ...(await deploy(t, false)), plans: conformancePlans });
  assert.notEqual(record.outcome, 'conforms');
  const list = record.requirements.find(({ id }) => id === 'LIST-3');
  assert.ok(list?.verdict === 'fail' || list?.verdict === 'warn', list?.because);
});
