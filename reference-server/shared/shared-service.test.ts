import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { RedisProcess } from '../../evaluation/testing/tools/redis-process.ts';
import { startRedis } from '../../evaluation/testing/tools/redis-process.ts';
import type { Plans } from '../../spec/plans.ts';
import { findDaemon } from '../../tools/daemons.ts';
import { systemClock } from '../clock.ts';
import type { Outcome, Request } from '../message.ts';
import { headerValues } from '../message.ts';
import { connectRedis, StoreUnreachableError } from './redis.ts';
import type { SharedService } from './shared-service.ts';
import { createSharedService } from './shared-service.ts';
import type { StoreFailure } from './store.ts';

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
  failure: StoreFailure,
): Promise<readonly SharedService[]> {
  const stores = await Promise.all([1, 2, 3].map(() => connectRedis(redis.url, `test-${failure}`)));
  t.after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await redis.kill();
  });
  return Promise.all(
    stores.map((store) => createSharedService({ plans, clock: systemClock, store, failure })),
  );
}

const nth = (services: readonly SharedService[], n: number): SharedService => {
  const service = services[n % services.length];
  assert.ok(service !== undefined);
  return service;
};

function request(service: SharedService, body?: string, key = service.keys.free[0]): Request {
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

const list = async (service: SharedService) => responseOf(await service.answer(request(service)));

test('replicas that share a store accept exactly the limit between them', { skip }, async (t) => {
  const services = await replicas(t, await startRedis(), 'closed');
  const answers = await Promise.all(Array.from({ length: LIMIT + 7 }, (_, n) => list(nth(services, n))));
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(accepted.length, LIMIT);
  assert.equal(refused.length, 7);
  assert.deepEqual(
    accepted.map(({ remaining }) => remaining).sort((a, b) => a - b),
    Array.from({ length: LIMIT }, (_, n) => n),
  );
  assert.equal(new Set(answers.map(({ reset }) => reset)).size, 1, 'one window');
  for (const { retryAfter } of refused) assert.ok(retryAfter >= 1 && retryAfter <= 31, String(retryAfter));
});

test('the key whose day is spent is refused by every replica', { skip }, async (t) => {
  for (const service of await replicas(t, await startRedis(), 'closed')) {
    const spent = responseOf(await service.answer(request(service, undefined, service.keys.spent[0])));
    assert.equal(spent.status, 429);
    assert.ok(spent.retryAfter > plans.minuteSeconds, 'until the day is over');
  }
});

test('what one replica creates the others list, and no two share an id', { skip }, async (t) => {
  const services = await replicas(t, await startRedis(), 'closed');
  const made = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const service = nth(services, n);
      return responseOf(await service.answer(request(service, JSON.stringify({ name: `c${n}` })))).json as {
        id: number;
      };
    }),
  );
  assert.equal(new Set(made.map(({ id }) => id)).size, 6);
  const invalid = responseOf(await nth(services, 0).answer(request(nth(services, 0), '{}')));
  assert.equal(invalid.status, 400);
  const later = responseOf(await nth(services, 1).answer(request(nth(services, 1), '{"name":"later"}')));
  assert.equal((later.json as { id: number }).id, 8, 'a rejected creation leaves a gap');
  made.push(later.json as { id: number });
  for (const service of services) {
    const { json } = await list(service);
    assert.deepEqual((json as { id: number }[]).map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
  }
});

test('closed: without its store a replica answers 503 and says when to ask again, until the store is back', {
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

test('open: without its store a replica counts nobody, shows what it saw last, and creates nothing', {
  skip,
}, async (t) => {
  const redis = await startRedis();
  const service = nth(await replicas(t, redis, 'open'), 0);
  assert.equal(responseOf(await service.answer(request(service, '{"name":"kept"}'))).status, 201);
  const before = await list(service);
  await redis.kill();
  for (let n = 0; n < LIMIT + 3; n += 1) {
    const { status, remaining, json } = await list(service);
    assert.deepEqual([status, remaining, json], [200, LIMIT, before.json]);
  }
  assert.equal(responseOf(await service.answer(request(service, '{"name":"lost"}'))).status, 503);
});

test('a Redis that is not there is told of in a sentence, without the password', {
  skip: false,
}, async () => {
  const url = 'redis://user:hunter2@127.0.0.1:1';
  await assert.rejects(connectRedis(url, 'test'), (error: Error) => {
    assert.ok(error instanceof StoreUnreachableError);
    assert.match(
      error.message,
      /^No Redis answers at redis:\/\/127\.0\.0\.1:1 \(.*\): start one, or serve without --store\.$/,
    );
    return !error.message.includes('hunter2');
  });
});

/** Reconnecting takes the client a moment: asked a few times, for at most five seconds. */
async function statusOnceBack(service: SharedService): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { status } = await list(service);
    if (status !== 503) return status;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return 503;
}
