import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { body } from '../evaluation/testing/suites/synthetic.ts';
import type { Answer, HeaderLine } from './exchange.ts';
import { headerValue, headerValues } from './headers.ts';
import { parseHttpDate } from './http-date.ts';
import { readRateHeaders } from './rate-headers.ts';
import { readRetryAfter } from './retry-after.ts';

const answer = (...headers: HeaderLine[]): Answer => ({
  kind: 'answer',
  status: 429,
  headers,
  body: body(''),
});

test('a header is found whatever its casing, every line of it', () => {
  const headers: HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['x-ratelimit-limit', ' 60 '],
  ];
  assert.deepEqual(headerValues(headers, 'X-RATELIMIT-LIMIT'), ['60', '60']);
  assert.equal(headerValue(headers, 'x-ratelimit-limit'), '60');
});

test('a header with two different values has no one value', () => {
  const headers: HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Limit', '1000'],
  ];
  assert.equal(headerValue(headers, 'X-RateLimit-Limit'), undefined);
});

test('the three forms of an HTTP-date name the same second, and only the first is current', () => {
  const forms = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ];
  const read = forms.map(parseHttpDate);
  assert.deepEqual(
    read.map((one) => one?.obsolete),
    [false, true, true],
  );
  assert.equal(read[0]?.seconds, 784111777);
  assert.equal(read[2]?.seconds, 784111777);
  assert.equal(read[1]?.seconds, Date.UTC(2094, 10, 6, 8, 49, 37) / 1000);
});

for (const text of ['', '60s', '+60', '-1', '6.0', '60, 60', '0x3c', '2026-11-21T10:00:00Z', 'soon']) {
  test(`Retry-After ${JSON.stringify(text)} is malformed`, () => {
    assert.equal(readRetryAfter(answer(['Retry-After', text])).kind, 'malformed');
  });
}

test('a date in Retry-After is read against the Date of its own answer', () => {
  const after = readRetryAfter(
    answer(['Date', 'Sat, 21 Nov 2026 10:00:00 GMT'], ['Retry-After', 'Sat, 21 Nov 2026 10:00:42 GMT']),
  );
  assert.deepEqual(after, {
    kind: 'date',
    seconds: 42,
    text: 'Sat, 21 Nov 2026 10:00:42 GMT',
    obsolete: false,
  });
});

test('no text of a target makes a reader throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      parseHttpDate(text);
      readRetryAfter(answer(['Retry-After', text], ['Date', text]));
      const { limit, remaining, reset } = readRateHeaders([
        ['X-RateLimit-Limit', text],
        ['X-RateLimit-Remaining', text],
        ['X-RateLimit-Reset', text],
      ]);
      for (const number of [limit, remaining, reset])
        assert.ok(number === undefined || Number.isFinite(number));
    }),
  );
});
