import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { recordedForm, recordedHeaders, recordedTarget, SeenKeys } from './recorded-values.ts';

const KEY = 'pk-Zx81_aQm4-Lw0vT9sRe3';
const credential = ['Authorization', `Bearer ${KEY}`] as const;
const seen = new SeenKeys([]).keyOf([credential], '/');

/** The same with tags left out, which differ from process to process. */
const tagless = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(/\[not recorded [0-9a-f]{8}\]/g, '[not recorded]'));

const formOf = (text: string | Buffer): string | undefined => {
  const bytes = Buffer.from(text);
  const body = recordedForm({ bytes, length: bytes.length, complete: true }, seen.redact);
  assert.ok(body !== null && !body.cut && body.bytes === bytes.length);
  return body.text;
};

test('of headers every name is recorded, the values that a judge reads, and which value holds the key', () => {
  const recorded = recordedHeaders(
    [
      credential,
      ['authorization', 'Bearer another-credential'],
      ['Cookie', `sid=of-a-session; k=${KEY}`],
      ['X-Signature', 'of-a-request'],
      ['Content-Type', 'application/json'],
      ['X-RateLimit-Limit', '60'],
      ['Link', '</v1/categories?page=of-a-list>;rel="next"'],
      ['Location', '/v1/callback?code=of-a-login#access_token=of-a-login'],
    ],
    seen,
    '/v1',
  );
  assert.deepEqual(tagless(recorded), [
    ['Authorization', 'Bearer [key]'],
    ['authorization', 'Bearer [not recorded]'],
    ['Cookie', 'sid=[not recorded]; k=[key]'],
    ['X-Signature', '[not recorded]'],
    ['Content-Type', 'application/json'],
    ['X-RateLimit-Limit', '60'],
    ['Link', '</v1/categories?page=[not recorded]>;rel="next"'],
    ['Location', '/v1/callback?code=[not recorded]#access_token=[not recorded]'],
  ]);
});

test('a key that is too short to be told from other text is still known as the credential', () => {
  const short = new SeenKeys([]).keyOf([['Authorization', 'Bearer abc']], '/');
  assert.deepEqual(recordedHeaders([['Authorization', 'Bearer abc']], short, '/v1'), [
    ['Authorization', 'Bearer [key]'],
  ]);
});

for (const [target, recorded] of [
  [
    `http://me:pw@h/v1/a;s=1?x=&api_key=secret&k=${KEY}`,
    'http://[not recorded]@h/v1/a;s=[not recorded]?x=&api_key=[not recorded]&k=[key]',
  ],
  ['/t-42/v1/categories?kx81jd', '/t-42/v1/categories?[not recorded]'],
  ['/t-42/v1/reset/kx81jd/4711', '/t-42/v1/reset/[not recorded]/[not recorded]'],
  ['/t-42/v1/pets/1?petId=2&kx81jd=3', '/t-42/v1/pets/[not recorded]?petId=[not recorded]&[not recorded]'],
  ['/v2/storeOrders/', '/v2/storeOrders/'],
] as const) {
  test(`of ${target} the names are recorded`, () => {
    const shown = recordedTarget(seen.redact(target), '/t-42/v1');
    assert.equal(tagless(shown), recorded);
  });
}

test('of JSON the form is recorded, and which texts are equal', () => {
  const text =
    '[{"id":12345678901234567890, "name":"Döner \\"x\\"","a":{"pin":4711,"b":[true,null,""]}},{"n\\u0061me":"other","kx81jd":1}]';
  const form = formOf(text) ?? '';
  assert.equal(
    tagless(form),
    '[{"id":12345678901234567890, "name":"[not recorded]","a":{"pin":0,"b":[true,null,""]}},{"n\\u0061me":"[not recorded]","[not recorded]":0}]',
  );
  assert.equal(formOf(text), form);
  const [first, second] = JSON.parse(form);
  assert.notEqual(first.name, second.name);
  assert.match(formOf(`{"x":"with ${KEY}"}`) ?? '', /^\{"x":"\[not recorded \w{8}\] \[key\]"\}$/);
});

test('of anything else nothing is recorded but whether it is UTF-8', () => {
  assert.equal(tagless(formOf('password=secret')), '[not recorded]');
  assert.equal(tagless(formOf('{"a":"secret')), '[not recorded]');
  assert.equal(formOf(gzipSync('secret')), '/w==');
});
