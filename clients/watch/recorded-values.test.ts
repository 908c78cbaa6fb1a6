import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { recordedForm, recordedHeaders, recordedTarget } from './recorded-values.ts';
import { SeenKeys } from './seen-keys.ts';

const KEY = 'pk-Zx81_aQm4-Lw0vT9sRe3';
const credential = ['Authorization', `Bearer ${KEY}`] as const;
const seen = new SeenKeys([]).keyOf([credential], '/');

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
      ['Location', '/v1/callback?code=of-a-login#state'],
    ],
    seen,
  );
  const location = recorded.at(-1)?.[1] ?? '';
  assert.match(location, /^\/v1\/callback\?code=\[value [0-9a-f]{8}\]#state$/);
  assert.deepEqual(recorded.slice(0, -1), [
    ['Authorization', 'Bearer [key]'],
    ['authorization', 'Bearer [not recorded]'],
    ['Cookie', '[not recorded] [key]'],
    ['X-Signature', '[not recorded]'],
    ['Content-Type', 'application/json'],
    ['X-RateLimit-Limit', '60'],
  ]);
});

test('a key that is too short to be told from other text is still known as the credential', () => {
  const short = new SeenKeys([]).keyOf([['Authorization', 'Bearer abc']], '/');
  assert.deepEqual(recordedHeaders([['Authorization', 'Bearer abc']], short), [
    ['Authorization', 'Bearer [key]'],
  ]);
});

test('of a target the path and the names of its parameters are recorded', () => {
  const target = recordedTarget(seen.redact(`http://me:pw@h/v1/a;s=1?x=&api_key=secret&k=${KEY}`));
  assert.match(
    target,
    /^http:\/\/\[not recorded\]@h\/v1\/a;s=\[value \w{8}\]\?x=&api_key=\[value \w{8}\]&k=\[key\]$/,
  );
});

test('of JSON the form is recorded, and which texts are equal', () => {
  const text =
    '[{"id":12345678901234567890, "name":"Döner \\"x\\"","a":{"pin":4711,"b":[true,null,""]}},{"name":"other"}]';
  const form = formOf(text) ?? '';
  assert.equal(
    form.replaceAll(/\[text \w{8}\]/g, 'T'),
    '[{"id":12345678901234567890, "name":"T","a":{"pin":0,"b":[true,null,""]}},{"name":"T"}]',
  );
  assert.equal(formOf(text), form);
  const [first, second] = JSON.parse(form);
  assert.notEqual(first.name, second.name);
  assert.match(formOf(`{"x":"with ${KEY}"}`) ?? '', /^\{"x":"\[text \w{8}\] \[key\]"\}$/);
});

test('of anything else nothing is recorded but whether it is UTF-8', () => {
  assert.equal(formOf('password=secret'), '[not recorded]');
  assert.equal(formOf('{"a":"secret'), '[not recorded]');
  assert.equal(formOf(gzipSync('secret')), '/w==');
});
