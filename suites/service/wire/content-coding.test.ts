import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { JOURNAL_BODY_BYTES } from './body-recorder.ts';
import { withoutCoding } from './content-coding.ts';

const TEXT = '[{"id":1}]';
const bytes = Buffer.from(TEXT);
const decoded = (coding: string, body: Uint8Array) => withoutCoding([['Content-Encoding', coding]], body);

for (const [coding, body] of [
  ['gzip', gzipSync(bytes)],
  ['GZIP', gzipSync(bytes)],
  ['x-gzip', gzipSync(bytes)],
  ['deflate', deflateSync(bytes)],
  ['deflate', deflateRawSync(bytes)],
  ['br', brotliCompressSync(bytes)],
  ['identity, gzip', gzipSync(bytes)],
  ['deflate, gzip', gzipSync(deflateSync(bytes))],
] as const) {
  test(`${coding} is undone`, () => {
    assert.equal(Buffer.from(decoded(coding, body)?.body ?? []).toString(), TEXT);
  });
}

for (const [what, coding, body] of [
  ['identity', 'identity', bytes],
  ['a charset', 'UTF-8', bytes],
  ['a coding that the body does not have', 'gzip', bytes],
  ['a body that breaks off', 'gzip', gzipSync(bytes).subarray(0, 15)],
  ['a small body of many bytes', 'gzip', gzipSync(Buffer.alloc(JOURNAL_BODY_BYTES + 1))],
  [
    'six codings',
    Array(6).fill('gzip').join(', '),
    [1, 2, 3, 4, 5, 6].reduce((body) => gzipSync(body), bytes),
  ],
  ['no body', 'gzip', Buffer.alloc(0)],
  ['a name of every object', 'constructor', bytes],
] as const) {
  test(`a body stays as it is: ${what}`, () => assert.equal(decoded(coding, body), undefined));
}
