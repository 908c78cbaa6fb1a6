import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../evaluation/testing/tools/virtual-bench.ts';
import { assertError, bench, limitsOf, START, tiny } from '../../evaluation/testing/tools/virtual-bench.ts';
import { algorithms } from '../limiters/index.ts';

for (const algorithm of algorithms) {
  test(`${algorithm}: 60 in the minute of a Free key, then a 429 with an exact Retry-After that does not count`, () => {
    const { ask, create, clock } = bench({ algorithm });
    for (let left = 59; left >= 0; left -= 1) {
      const reply = left % 3 === 0 ? create('{}') : ask(left % 2 === 0 ? 'GET' : 'PUT');
      assert.notEqual(reply.status, 429);
      assert.deepEqual(limitsOf(reply).slice(0, 2), [60, left]);
    }
    const limited = ask();
    assertError(limited, 429, 'rate_limit_exceeded');
    const [limit, remaining, reset = 0] = limitsOf(limited);
    assert.deepEqual([limit, remaining], [60, 0]);
    assert.ok(reset * 1000 > clock.at && reset * 1000 <= clock.at + 61_000);
    const seconds = Number(limited.values('Retry-After')[0]);
    clock.at += (seconds - 1) * 1000;
    if (seconds > 1) assert.equal(ask().status, 429);
    clock.at += 1000;
    assert.equal(ask().status, 200);
  });
}

test('the day is counted as well as the minute, and the headers describe it where it has fewer requests left', () => {
  const { ask, clock } = bench({ plans: tiny });
  const seen = () => limitsOf(ask()).slice(0, 2);
  assert.deepEqual(
    [seen(), seen(), seen()],
    [
      [3, 2],
      [3, 1],
      [3, 0],
    ],
  );
  clock.at += 60_000;
  assert.deepEqual(
    [seen(), seen()],
    [
      [5, 1],
      [5, 0],
    ],
  );
  const limited = ask();
  const dayEnd = START + 86_400_000;
  assert.deepEqual(limitsOf(limited), [5, 0, Math.ceil(dayEnd / 1000)]);
  assert.deepEqual(limited.values('Retry-After'), [String((dayEnd - clock.at) / 1000)]);
  clock.at = dayEnd - 1;
  assert.equal(ask().status, 429);
  clock.at = dayEnd;
  assert.deepEqual(seen(), [3, 2]);
});

test('each key has its own limits, those of its plan', () => {
  const { ask, keys } = bench();
  const limit = (key: string | undefined) =>
    limitsOf(ask('GET', '/v1/categories', { authorization: [`Bearer ${key}`] })).slice(0, 2);
  for (let n = 0; n < 61; n += 1) ask();
  assert.deepEqual(limit(keys.free[1]), [60, 59]);
  assert.deepEqual([keys.pro[0], keys.business[1]].map(limit), [
    [300, 299],
    [1000, 999],
  ]);
});

test('there are keys for the plans whose limits are stated', () => {
  assert.deepEqual(Object.keys(bench({ plans: tiny }).keys).sort(), [
    'business',
    'disposable',
    'exhausted',
    'free',
    'pro',
  ]);
  const agreed = { ...tiny, plans: { enterprise: { perMinute: 7, perDay: 70 } } };
  const { ask, keys } = bench({ plans: agreed });
  assert.deepEqual([keys.free, keys.exhausted, keys.disposable], [[], [], []]);
  const reply = ask('GET', '/v1/categories', { authorization: [`Bearer ${keys['enterprise']?.[0]}`] });
  assert.equal(limitsOf(reply)[0], 7);
  assert.ok(
    Object.values(keys)
      .flat()
      .every((key) => key.length >= 20),
  );
});

test('the daily quota of the exhausted key is used up for a whole day, with every algorithm', () => {
  for (const algorithm of algorithms) {
    const { ask, clock, exhausted } = bench({ algorithm });
    const limited = ask('GET', '/v1/categories', { authorization: exhausted });
    assertError(limited, 429, 'rate_limit_exceeded');
    assert.deepEqual(limitsOf(limited).slice(0, 2), [1000, 0]);
    assert.deepEqual(limited.values('Retry-After'), ['86400']);
    clock.at += 86_400_000 - 1;
    assert.equal(ask('GET', '/v1/categories', { authorization: exhausted }).status, 429);
    clock.at += 1;
    assert.equal(ask('GET', '/v1/categories', { authorization: exhausted }).status, 200);
  }
});

test('windows may be fractions of a second', () => {
  const { ask, clock } = bench({ plans: { ...tiny, minuteSeconds: 0.0004, daySeconds: 0.5 } });
  for (let n = 0; n < 3; n += 1) assert.equal(ask().status, 200);
  assert.deepEqual(ask().values('Retry-After'), ['1']);
  clock.at += 1;
  assert.equal(ask().status, 200);
});

const ban = { after: 3, seconds: 300 };
const statuses = (ask: () => Reply, times: number) =>
  Array.from({ length: times }, () => ask().values('Retry-After')[0]);

test('no key is banned without a ban policy', () => {
  const { ask } = bench({ plans: tiny });
  assert.deepEqual(statuses(ask, 10).slice(3), Array(7).fill('60'));
});

test('a key that keeps sending is banned for the announced time, and not after one or two requests', () => {
  const { ask, clock } = bench({ plans: tiny, ban });
  assert.deepEqual(statuses(ask, 8), [undefined, undefined, undefined, '60', '60', '60', '300', '300']);
  clock.at += 299_999;
  assert.equal(ask().status, 429);
  clock.at += 1;
  assert.equal(ask().status, 200);
  assert.deepEqual(statuses(ask, 3), [undefined, '86100', '86100']);
});

test('waiting resets the count towards a ban, and the ban of one key affects no other key', () => {
  const { ask, clock, keys } = bench({ plans: tiny, ban });
  statuses(ask, 6);
  clock.at += 60_000;
  statuses(ask, 2);
  assert.equal(ask().values('Retry-After')[0], String(86_400 - 60));
  statuses(ask, 4);
  assert.equal(ask('GET', '/v1/categories', { authorization: [`Bearer ${keys.free[1]}`] }).status, 200);
});

test('unauthenticated callers are never banned', () => {
  const { ask } = bench({ plans: tiny, ban });
  const unauthenticated = () => ask('GET', '/v1/categories', { authorization: [] });
  assert.deepEqual(statuses(unauthenticated, 1010).slice(1000), Array(10).fill('60'));
});
