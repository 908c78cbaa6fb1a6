import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../evaluation/testing/any-text.ts';
import { body } from '../../evaluation/testing/suites/synthetic.ts';
import type { Exchange, HeaderLine } from './exchange.ts';
import {
  announcedWaitSeconds,
  apparentWaitUnit,
  draftRateLimitFields,
  lacksGmt,
  literalWaitSeconds,
  nearRateLimitFields,
  parseHttpDate,
  rateHeadersOf,
  readRateHeaders,
  readRetryAfter,
} from './rate-headers.ts';

for (const [text, whole, decimal] of [
  ['60', 60, 60],
  ['60.5', undefined, 60.5],
  ['-1', undefined, undefined],
  ['60, 1000', undefined, undefined],
  ['1e3', undefined, undefined],
] as const) {
  test(`${JSON.stringify(text)} is read as ${whole} where a whole number belongs, and as ${decimal} in Reset`, () => {
    const read = readRateHeaders([
      ['X-RateLimit-Limit', text],
      ['X-RateLimit-Reset', text],
    ]);
    assert.deepEqual(read, { limit: whole, remaining: undefined, reset: decimal, date: undefined });
  });
}

test('the fields of the Internet-Draft are found in any casing and named in its own', () => {
  assert.deepEqual(draftRateLimitFields([['ratelimit-policy', '"default";q=60;w=60']]), ['RateLimit-Policy']);
});

test('fields with near names are neither the three headers nor those of the draft', () => {
  const near = [
    'X-Rate-Limit-Limit',
    'X-RateLimit-Limit-Minute',
    'X-Ratelimit-Requests-Remaining',
    'Rate_Limit',
  ];
  const others = ['x-ratelimit-limit', 'X-RateLimit-Reset', 'RateLimit', 'Ratelimit-Policy', 'Retry-After'];
  assert.deepEqual(nearRateLimitFields([...near, ...others, ...near].map((name) => [name, '1'])), near);
});

const answer = (...headers: HeaderLine[]): Pick<Exchange, 'outcome'> => ({
  outcome: { kind: 'answer', status: 429, headers, body: body('') },
});
const NO_RESPONSE = { outcome: { kind: 'no-response', cause: 'reset', detail: '' } } as const;

for (const text of ['', '60s', '+60', '-1', '6.0', '60, 1000', '0x3c', '2026-11-21T10:00:00Z', 'soon']) {
  test(`Retry-After ${JSON.stringify(text)} is malformed`, () => {
    assert.equal(readRetryAfter(answer(['Retry-After', text])).kind, 'malformed');
    assert.equal(announcedWaitSeconds(answer(['Retry-After', text])), undefined);
  });
}

/** 2026-11-21 10:00:00 UTC. */
const DATE = Date.UTC(2026, 10, 21, 10) / 1000;

test('a date in Retry-After is read against the Date of its own response', () => {
  const after = readRetryAfter(
    answer(['Date', 'Sat, 21 Nov 2026 10:00:00 GMT'], ['Retry-After', 'Sat, 21 Nov 2026 10:00:42 GMT']),
  );
  assert.deepEqual(after, {
    kind: 'date',
    at: DATE + 42,
    seconds: 42,
    text: 'Sat, 21 Nov 2026 10:00:42 GMT',
    obsolete: false,
  });
});

test('without a response there is no Retry-After', () => {
  assert.equal(readRetryAfter(NO_RESPONSE).kind, 'absent');
  assert.equal(literalWaitSeconds(NO_RESPONSE), undefined);
});

const rows = [
  // Retry-After, seconds to Reset, the wait in the confirmed unit, the unit.
  ['60', 60, 60, undefined],
  ['60000', 60, 60, 'milliseconds'],
  ['60000000', 59, 60, 'microseconds'],
  ['60000000000', 60, 60, 'nanoseconds'],
  [String(DATE + 60), 60, 60, 'a Unix timestamp'],
  [String((DATE + 60) * 1000), 60, 60, 'a Unix timestamp in milliseconds'],
  // A day or a ban, whatever Reset says of the minute.
  ['86400', 60, 86_400, undefined],
  ['3600', 60, 3600, undefined],
  // Nothing to compare with.
  ['60000', undefined, 60_000, undefined],
  ['60000', 1, 60_000, undefined],
] as const;

for (const [text, reset, seconds, unit] of rows) {
  test(`Retry-After ${text}, Reset ${reset ?? 'absent'}: ${seconds} s${unit === undefined ? '' : `, read as ${unit}`}`, () => {
    const one = answer(
      ['Date', new Date(DATE * 1000).toUTCString()],
      ['Retry-After', text],
      ...(reset === undefined ? [] : [['X-RateLimit-Reset', String(DATE + reset)] as const]),
    );
    assert.equal(announcedWaitSeconds(one), seconds);
    assert.equal(apparentWaitUnit(one)?.name, unit);
    assert.equal(literalWaitSeconds(one), Number(text));
  });
}

test('each header is a number or nothing, whatever the text of a target', () => {
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Date'];
  fc.assert(
    fc.property(anyText(), (text) => {
      const one = answer(...names.map((name) => [name, text] as const));
      const read = rateHeadersOf(one);
      for (const number of [...Object.values(read), announcedWaitSeconds(one)])
        assert.ok(number === undefined || Number.isFinite(number));
    }),
  );
});

test('the three forms of an HTTP-date name the same second, and only the first is current', () => {
  const forms = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ];
  const read = forms.map(parseHttpDate);
  const obsolete = read.map((one) => one?.obsolete);
  assert.deepEqual(obsolete, [false, true, true]);
  assert.equal(read[0]?.seconds, 784111777);
  assert.equal(read[2]?.seconds, 784111777);
  assert.equal(read[1]?.seconds, Date.UTC(2094, 10, 6, 8, 49, 37) / 1000);
});

for (const text of [
  '',
  '0',
  '2026-11-21T10:00:00Z',
  'Sat, 21 Nov 2026 10:00:00',
  'Sat, 21 Nov 2026 10:00:00 CET',
  'Sat, 21 Nov 2026 10:00:00 UTC',
  'Sat, 31 Feb 2026 10:00:00 GMT',
  'Sun, 29 Feb 2026 10:00:00 GMT',
  'Sat, 00 Nov 2026 10:00:00 GMT',
  'Sat, 21 Nov 2026 24:00:00 GMT',
  'Sat, 21 Nov 2026 29:00:00 GMT',
  'Sat, 21 Nov 2026 10:00:69 GMT',
  'Saturday, 31-Feb-26 10:00:00 GMT',
  'Sat Feb 31 10:00:00 2026',
]) {
  test(`${JSON.stringify(text)} is no HTTP-date`, () => assert.equal(parseHttpDate(text), undefined));
}

test('a leap second and a leap day are valid', () => {
  assert.equal(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT')?.seconds, Date.UTC(2017, 0, 1, 0, 0, 0) / 1000);
  assert.equal(parseHttpDate('Tue, 29 Feb 2028 10:00:00 GMT')?.seconds, Date.UTC(2028, 1, 29, 10) / 1000);
});

for (const [text, lacks] of [
  ['Sat, 21 Nov 2026 10:00:00 UTC', true],
  ['Sat, 21 Nov 2026 10:00:00 +0000', true],
  ['Sat, 21 Nov 2026 10:00:00', false],
  ['Sat, 31 Feb 2026 10:00:00 UTC', false],
  ['Sat, 21 Nov 2026 10:00:00 GMT', false],
  ['2026-11-21T10:00:00Z', false],
  ['60', false],
] as const)
  test(`${text} ${lacks ? 'lacks' : 'does not lack'} GMT alone`, () => assert.equal(lacksGmt(text), lacks));
