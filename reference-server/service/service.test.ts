import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../evaluation/testing/tools/virtual-bench.ts';
import { assertError, bench, limitsOf, START, tiny } from '../../evaluation/testing/tools/virtual-bench.ts';
import { algorithms } from '../limiters/index.ts';
import { createCategoryStore, MAX_CATEGORIES, MAX_LIST_LENGTH } from './categories.ts';

test('an empty list, then one that holds what was created', () => {
  const { ask, create } = bench();
  assert.deepEqual([ask().status, ask().text], [200, '[]']);
  const dog = create('{"name":"dog","description":"barks"}');
  const cat = create('{"name":"cat"}');
  assert.deepEqual([dog.status, dog.text], [201, '{"id":1,"name":"dog","description":"barks"}']);
  assert.deepEqual([cat.status, cat.text], [201, '{"id":2,"name":"cat"}']);
  assert.equal(ask().text, `[${dog.text},${cat.text}]`);
  assert.deepEqual(ask().values('Content-Type'), ['application/json']);
});

test('the service assigns the id, and ignores unknown fields', () => {
  const { create } = bench();
  assert.equal(
    create('{"id":99,"name":"dog","__proto__":{"description":1},"tail":true}').text,
    '{"id":1,"name":"dog"}',
  );
});

test('of two equal keys the last one counts', () => {
  const { create } = bench();
  assert.equal(create('{"name":1,"name":"last"}').text, '{"id":1,"name":"last"}');
  assertError(create('{"name":"first","name":1}'), 400, 'invalid_name');
});

test('text of any script comes back as it was sent', () => {
  const { ask, create } = bench();
  const name = '<b>犬 & "кот"\u0000\ud800\u2028';
  assert.equal(create(JSON.stringify({ name })).json.name, name);
  assert.equal(ask().json[0].name, name);
});

const rejected: readonly (readonly [what: string, body: unknown, code: string])[] = [
  ['no body', null, 'body_required'],
  ['an empty body', '', 'body_required'],
  ['no name', '{}', 'name_required'],
  ['only a description', '{"description":"x"}', 'name_required'],
  ...['1', 'true', 'null', '[]', '{}'].map(
    (name) => [`name ${name}`, `{"name":${name}}`, 'invalid_name'] as const,
  ),
  ...['1', 'false', 'null', '["x"]', '{}'].map(
    (text) => [`description ${text}`, `{"name":"x","description":${text}}`, 'invalid_description'] as const,
  ),
  ...['[]', '"text"', '5', 'null', '[{"name":"x"}]'].map(
    (text) => [`body ${text}`, text, 'invalid_body'] as const,
  ),
  ['malformed JSON', '{"name":"x"', 'malformed_json'],
  ['a byte order mark', '\uFEFF{"name":"x"}', 'malformed_json'],
  ['invalid UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 'malformed_json'],
  ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'invalid_body'],
  ['a megabyte and a byte', Buffer.alloc(1_048_577, ' '), 'body_too_large'],
];
for (const [what, body, code] of rejected) {
  test(`${what} gets 400 ${code}, and creates nothing`, () => {
    const { ask, create } = bench();
    assertError(create(body), 400, code);
    assert.equal(ask().text, '[]');
  });
}

test('deeply nested values in unknown fields are accepted', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  assert.equal(bench().create(`{"name":"x","more":${deep}}`).status, 201);
});

test('application/json with or without a UTF-8 charset is accepted, any other type is not', () => {
  const { create } = bench();
  for (const parameter of [' charset=utf-8', 'charset="UTF-8"', ' v=1'])
    for (const type of ['application/json', 'APPLICATION/JSON'])
      assert.equal(create('{"name":"x"}', [`${type};${parameter}`]).status, 201, parameter);
  for (const type of [
    [],
    ['text/plain'],
    ['application/json; charset=utf-16'],
    ['application/jsonp'],
    ['application/json', 'application/json'],
  ]) {
    assertError(create('{"name":"x"}', type), 400, 'unsupported_content_type');
  }
});

test('a full store responds 507 and keeps what it has', () => {
  const { create } = bench({ seams: { wrapStore: (store) => ({ ...store, create: () => null }) } });
  assertError(create('{"name":"x"}'), 507, 'store_full');
});

test('unknown paths get 404, known ones with another method 405 with Allow', () => {
  const { ask } = bench();
  const unknown = ['', 'v1', 'v1/categories/', 'v1/categories/1', 'v2/categories', 'v1/pets/', 'v1/%zz'];
  for (const path of unknown) assertError(ask('GET', `/${path}`), 404, 'not_found');
  for (const method of ['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'constructor']) {
    const reply = ask(method);
    assertError(reply, 405, 'method_not_allowed');
    assert.deepEqual(reply.values('Allow'), ['GET, POST']);
  }
  assert.deepEqual(ask('POST', '/v1/store/orders').values('Allow'), ['GET']);
});

test('query strings and absolute targets lead to the same resource', () => {
  const { ask } = bench();
  assert.equal(ask('GET', '/v1/categories?page=2').status, 200);
  assert.equal(ask('GET', 'http://example.test/v1/categories').status, 200);
});

test('the operations that the specification only names get 501', () => {
  const { ask } = bench();
  const lookup = ask('GET', '/v1/pets/7');
  assertError(lookup, 501, 'not_implemented');
  assertError(ask('GET', '/v1/store/orders'), 501, 'not_implemented');
  const [deprecation] = lookup.values('Deprecation');
  const [sunset] = lookup.values('Sunset');
  assert.equal(deprecation, `@${Date.parse('2026-01-01T00:00:00Z') / 1000}`);
  assert.equal(sunset, 'Fri, 31 Dec 2027 23:59:59 GMT');
});

test('every response has Date, Content-Length and Cache-Control: no-store', () => {
  const { ask, create } = bench();
  for (const reply of [
    ask(),
    create('{"name":"x"}'),
    create('{}'),
    ask('GET', '/'),
    ask('GET', '/', { authorization: [] }),
  ]) {
    assert.deepEqual(reply.values('Date'), ['Sat, 21 Nov 2026 01:02:03 GMT']);
    assert.deepEqual(reply.values('Content-Length'), [String(Buffer.byteLength(reply.text))]);
    assert.deepEqual(reply.values('Cache-Control'), ['no-store']);
  }
});

test('everything but one exact bearer key gets 401 with a challenge', () => {
  const { ask, keys } = bench();
  const key = keys.free[0] ?? '';
  const wrong = [
    [],
    [key],
    ['Bearer'],
    ['Bearer '],
    ['Bearer nobody'],
    [`Bearer ${key}x`],
    [`Bearer ${key.slice(0, -1)}`],
    [`Bearer ${key.toUpperCase()}`],
    [`Bearer ${key} ${key}`],
    [`Basic ${key}`],
    [`Bearer ${key}`, `Bearer ${key}`],
  ];
  for (const authorization of wrong) {
    for (const [method, target] of [
      ['GET', '/v1/categories'],
      ['POST', '/v1/categories'],
      ['GET', '/v1/store/orders'],
      ['GET', '/nowhere'],
    ]) {
      const reply = ask(method, target, { authorization });
      assertError(reply, 401, 'unauthorized');
      const error = authorization.length > 0 ? ', error="invalid_token"' : '';
      assert.deepEqual(reply.values('WWW-Authenticate'), [`Bearer realm="petstore"${error}`]);
    }
  }
});

test('the scheme is accepted in any case', () => {
  const { ask, keys } = bench();
  for (const scheme of ['bearer', 'BEARER']) {
    assert.equal(ask('GET', '/v1/categories', { authorization: [`${scheme} ${keys.free[0]}`] }).status, 200);
  }
});

test('a creation without a key creates nothing, and does not count for the key', () => {
  const { ask } = bench();
  ask('POST', '/v1/categories', { authorization: [], body: '{"name":"x"}' });
  const reply = ask();
  assert.equal(reply.text, '[]');
  assert.equal(limitsOf(reply)[1], 59);
});

test('unauthenticated requests have a limit of their own, by address', () => {
  const { ask } = bench({ plans: tiny });
  const unauthenticated = (address: string) => ask('GET', '/v1/categories', { authorization: [], address });
  for (let left = 999; left >= 0; left -= 1)
    assert.deepEqual(limitsOf(unauthenticated('a')).slice(0, 2), [1000, left]);
  const rejected = unauthenticated('a');
  assertError(rejected, 429, 'rate_limit_exceeded');
  assert.deepEqual(rejected.values('Retry-After'), ['60']);
  assert.equal(unauthenticated('b').status, 401);
  assert.equal(ask().status, 200);
});

test('a full store creates no category and drops none', () => {
  const store = createCategoryStore();
  for (let n = 1; n <= MAX_CATEGORIES; n += 1) assert.equal(store.create({ name: 'x' })?.id, BigInt(n));
  assert.equal(store.create({ name: 'x' }), null);
  assert.equal(JSON.parse(store.listJson()).length, MAX_CATEGORIES);
});

test('a store that is too full for a long text still creates a short one', () => {
  const store = createCategoryStore();
  const name = 'x'.repeat(2 ** 22);
  const fits = Math.floor(MAX_LIST_LENGTH / name.length) - 1;
  for (let n = 0; n < fits; n += 1) assert.notEqual(store.create({ name }), null);
  assert.equal(store.create({ name }), null);
  assert.equal(store.create({ name: 'small' })?.id, BigInt(fits + 1));
});

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
  const seen = () => limitsOf(ask()).slice(0, 2).join();
  assert.deepEqual([seen(), seen(), seen()], ['3,2', '3,1', '3,0']);
  clock.at += 60_000;
  assert.deepEqual([seen(), seen()], ['5,1', '5,0']);
  const limited = ask();
  const dayEnd = START + 86_400_000;
  assert.deepEqual(limitsOf(limited), [5, 0, Math.ceil(dayEnd / 1000)]);
  assert.deepEqual(limited.values('Retry-After'), [String((dayEnd - clock.at) / 1000)]);
  clock.at = dayEnd - 1;
  assert.equal(ask().status, 429);
  clock.at = dayEnd;
  assert.equal(seen(), '3,2');
});

test('each key has its own limits, those of its plan', () => {
  const { ask, keys } = bench();
  const limit = (key: string | undefined) =>
    limitsOf(ask('GET', '/v1/categories', { authorization: [`Bearer ${key}`] }));
  for (let n = 0; n < 61; n += 1) ask();
  const shown = [keys.free[1], keys.pro[0], keys.business[1]].map((key) => limit(key).slice(0, 2).join());
  assert.deepEqual(shown, ['60,59', '300,299', '1000,999']);
});

test('there are keys for the plans whose limits are stated', () => {
  const usual = Object.keys(bench({ plans: tiny }).keys).sort();
  assert.equal(usual.join(), 'business,disposable,exhausted,free,pro');
  const agreed = { ...tiny, plans: { enterprise: { perMinute: 7, perDay: 70 } } };
  const { ask, keys } = bench({ plans: agreed });
  assert.deepEqual([keys.free, keys.exhausted, keys.disposable], [[], [], []]);
  const reply = ask('GET', '/v1/categories', { authorization: [`Bearer ${keys['enterprise']?.[0]}`] });
  assert.equal(limitsOf(reply)[0], 7);
  for (const key of Object.values(keys).flat()) assert.ok(key.length >= 20);
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
