import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Limits } from '../../spec/plans.ts';
import { fleetPlansOf, keyText, parseKeyList } from './key-list.ts';
import { ascending, latencySummaryOf, quantile } from './latency.ts';
import { inputsShape } from './profile.ts';
import { isAccepted, isMalformed } from './sample.ts';

// As k6 2.2 reports them, each for a response of a server of this machine.
for (const error of [
  'too many transfer encodings: ["chunked" "chunked"]',
  'unsupported transfer encoding: "chunked, chunked"',
  'http: message cannot contain multiple Content-Length headers; got ["21" "5"]',
  'bad Content-Length "21, 21"',
  'invalid empty Content-Length ""',
  'invalid byte in chunk length',
  'empty hex number for chunk length',
  'chunked line ends with bare LF',
  'malformed chunked encoding',
  'malformed MIME header line: "X-Foo : a"',
  'malformed MIME header: missing colon: "X-Foo"',
  'malformed HTTP status code "2000"',
  'malformed HTTP version "ICY"',
  'malformed HTTP response ""',
  'error decompressing response body (error decompressing response body (gzip: invalid header))',
  'GoError: unsupported response status: 101 Switching Protocols',
]) {
  test(`came and cannot be read: ${error}`, () => assert.equal(isMalformed(error), true));
}

for (const error of [
  'EOF',
  'unexpected EOF',
  'request timeout',
  'read: connection reset by peer',
  'dial: connection refused',
  'lookup: no such host',
  'tls: failed to verify certificate: x509: certificate signed by unknown authority',
]) {
  test(`no response: ${error}`, () => assert.equal(isMalformed(error), false));
}

test('a quantile is the nearest rank: a value that was measured', () => {
  const sorted = ascending([5, 1, 4, 2, 3]);
  assert.deepEqual(
    [0, 0.2, 0.21, 0.5, 0.99, 1].map((share) => quantile(sorted, share)),
    [1, 1, 2, 3, 5, 5],
  );
});

test('latencies are summed up by count, percentiles and twentieths, and none of them by nothing', () => {
  const sorted = Array.from({ length: 1000 }, (_, i) => i + 1);
  assert.deepEqual(latencySummaryOf(sorted), {
    ...{ count: 1000, min: 1, p50: 500, p90: 900, p99: 990, p999: 999, max: 1000 },
    twentieths: Array.from({ length: 19 }, (_, i) => 50 * (i + 1)),
  });
  assert.equal(latencySummaryOf([7])?.max, 7);
  assert.equal(latencySummaryOf([]), null);
});

test('a status from 200 to 299 is accepted', () => {
  const isAcceptedWith = (status: number): boolean =>
    isAccepted({
      ...{ key: 'key', n: 1, step: 0, kind: 'burst', operation: 'list', planned: null, sent: 0, received: 1 },
      outcome: { kind: 'answer', status },
    });
  assert.deepEqual([199, 200, 299, 300].map(isAcceptedWith), [false, true, true, false]);
});

test('a key is named by what it is for', () => {
  assert.deepEqual((['key', 'other', 'disposable', 'fleet-2'] as const).map(keyText), [
    ...['the key', 'the other key', 'the disposable key', 'key fleet-2'],
  ]);
});

test('a fleet has a plan for each of its keys, or one for all', () => {
  const inputs = { limits, fleet: 3, minutes: 1 };
  const plans = (keys: number) => ({ ...inputs, fleetPlans: [{ plan: 'free', limits, keys }] });
  assert.deepEqual(
    [inputs, plans(3), plans(2)].map((one) => inputsShape.is(one)),
    [true, true, false],
  );
});

const limits: Limits = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

test('a file of keys: one on each line, with or without a plan, in the usual spellings of CSV', () => {
  const text = 'Key,Plan\r\npk-1,free\r\n\n# a comment\n"pk-2";"pro"\npk-3\tfree\n  pk-4  \n';
  assert.deepEqual(parseKeyList(text), [
    { key: 'pk-1', plan: 'free', line: 2 },
    { key: 'pk-2', plan: 'pro', line: 5 },
    { key: 'pk-3', plan: 'free', line: 6 },
    { key: 'pk-4', line: 7 },
  ]);
  assert.deepEqual(parseKeyList('\n# nothing\n'), []);
  assert.deepEqual(parseKeyList('pk-1'), [{ key: 'pk-1', line: 1 }]);
});

test('consecutive keys of one plan are one entry; a key without a plan has that of the run', () => {
  const keys = [{ key: 'a' }, { key: 'b', plan: 'free' }, { key: 'c', plan: 'pro' }, { key: 'd' }];
  assert.deepEqual(
    fleetPlansOf(keys, 'free', () => limits)?.map(({ plan, keys: many }) => [plan, many]),
    [
      ['free', 2],
      ['pro', 1],
      ['free', 1],
    ],
  );
  assert.equal(
    fleetPlansOf([{ key: 'a' }, { key: 'b' }], 'free', () => limits),
    undefined,
  );
});
