import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { bodyTextForPeople, isLeftOut } from '../../../kernel/exchanges/body.ts';
import { BodyRecorder, JOURNAL_BODY_BYTES, withoutCoding } from './body-recorder.ts';

const recorder = () => new BodyRecorder((text) => text);
const bytes = (text: string) => Buffer.from(text);

test('a body that was recorded before shares its text, whatever came after the cut', () => {
  const bodies = recorder();
  const long = bytes('x'.repeat(JOURNAL_BODY_BYTES + 1000));
  const first = bodies.recordResponse(long, long.length);
  const again = bodies.recordResponse(long, 2 * long.length);
  assert.equal(first.cut && again.cut, true);
  assert.equal(bodyTextForPeople(again), bodyTextForPeople(first));
  assert.equal(again.bytes, 2 * long.length);
});

test('large bodies are recorded until the memory is used, then only their beginnings; small ones always', () => {
  const bodies = recorder();
  const numbers = (n: number) => bytes(`[${n}${',1'.repeat(1_000_000)}]`);
  const kept = Array.from({ length: 12 }, (_, n) => bodies.recordResponse(numbers(n), numbers(n).length));
  const cuts = kept.filter((one) => one.cut);
  assert.equal(kept[0]?.cut, false);
  assert.ok(cuts.length >= 10, `${cuts.length} were cut`);
  assert.ok(
    cuts.every(
      ({ excerpt, bytes }) => excerpt.length <= 16_384 && excerpt.startsWith('[') && bytes > 2_000_000,
    ),
  );
  assert.equal(
    bodies.recordResponse(numbers(0), numbers(0).length).cut,
    false,
    'a known body takes no more memory',
  );
  assert.deepEqual(bodies.recordResponse(bytes('[]'), 2), {
    text: '[]',
    encoding: 'utf8',
    bytes: 2,
    cut: false,
  });
});

test('fifty thousand categories that change with every request of a Free run are recorded as a whole', () => {
  const bodies = recorder();
  const list = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: `category ${id}` })));
  for (let n = 0; n < 20; n += 1) {
    const body = bytes(list.replace('category 0', `category ${n} of another`));
    assert.equal(bodies.recordResponse(body, body.length).cut, false, `list ${n + 1}`);
  }
});

test('bytes that are not UTF-8 are recorded byte for byte, and cut between bytes', () => {
  const bodies = recorder();
  const body = Buffer.from([0xff, 0x20, 0xe9]);
  assert.deepEqual(bodies.recordResponse(body, 3), {
    text: '/yDp',
    encoding: 'base64',
    bytes: 3,
    cut: false,
  });
  const long = Buffer.alloc(2000, 0xe9);
  const part = bodies.recordResponse(long, 5000);
  assert.equal(part.cut, true);
  assert.deepEqual(Buffer.from(bodyTextForPeople(part), 'base64'), long.subarray(0, 2000 - 512));
});

test('of bytes that are no text, as a compressed body that broke off, none is recorded', () => {
  const packed = gzipSync('a key that nothing would find here');
  const bodies = recorder();
  assert.deepEqual(bodies.recordResponse(packed, packed.length), {
    text: '/w==',
    encoding: 'base64',
    bytes: packed.length,
    cut: false,
  });
  const broken = bodies.recordResponse(packed.subarray(0, 40), 40, { ended: false });
  assert.ok(isLeftOut(broken) && bodyTextForPeople(broken) === '');
  const coded = bodies.recordResponse(Buffer.from('caf\xe9 within', 'latin1'), 11, { coded: true });
  assert.ok(isLeftOut(coded) && !coded.cut && coded.bytes === 11);
});

test('a cut in the middle of a character leaves no broken text', () => {
  const text = '😀'.repeat(JOURNAL_BODY_BYTES / 2);
  const kept = recorder().recordResponse(bytes(`x${text}`), 4 * JOURNAL_BODY_BYTES);
  assert.equal(kept.cut, true);
  assert.doesNotMatch(bodyTextForPeople(kept), /\p{Cs}/u);
});

const TEXT = '[{"id":1}]';
const contentCodingBytes = Buffer.from(TEXT);
const decoded = (coding: string, body: Uint8Array) => withoutCoding([['Content-Encoding', coding]], body);

for (const [coding, body] of [
  ['gzip', gzipSync(contentCodingBytes)],
  ['GZIP', gzipSync(contentCodingBytes)],
  ['x-gzip', gzipSync(contentCodingBytes)],
  ['deflate', deflateSync(contentCodingBytes)],
  ['deflate', deflateRawSync(contentCodingBytes)],
  ['br', brotliCompressSync(contentCodingBytes)],
  ['identity, gzip', gzipSync(contentCodingBytes)],
  ['deflate, gzip', gzipSync(deflateSync(contentCodingBytes))],
] as const) {
  test(`${coding} is undone`, () => {
    assert.equal(Buffer.from(decoded(coding, body)?.body ?? []).toString(), TEXT);
  });
}

for (const [what, coding, body] of [
  ['identity', 'identity', contentCodingBytes],
  ['a charset', 'UTF-8', contentCodingBytes],
  ['a coding that the body does not have', 'gzip', contentCodingBytes],
  ['a body that breaks off', 'gzip', gzipSync(contentCodingBytes).subarray(0, 15)],
  ['a small body of many bytes', 'gzip', gzipSync(Buffer.alloc(JOURNAL_BODY_BYTES + 1))],
  [
    'six codings',
    Array(6).fill('gzip').join(', '),
    [1, 2, 3, 4, 5, 6].reduce((body) => gzipSync(body), contentCodingBytes),
  ],
  ['no body', 'gzip', Buffer.alloc(0)],
  ['a name of every object', 'constructor', contentCodingBytes],
] as const) {
  test(`a body stays as it is: ${what}`, () => assert.equal(decoded(coding, body), undefined));
}
