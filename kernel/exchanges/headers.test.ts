import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeaderLine } from './exchange.ts';
import { challengeSchemes, headerValue, headerValues, nextReference, sameListReference } from './headers.ts';
import { recordedValue } from './judged-headers.ts';

test('a header is found whatever its casing, every line of it', () => {
  const headers: HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['x-ratelimit-limit', ' 60 '],
  ];
  assert.deepEqual(headerValues(headers, 'X-RateLimit-Limit'), ['60', '60']);
  assert.equal(headerValue(headers, 'X-RateLimit-Limit'), '60');
});

test('a header with two different values has no single value', () => {
  const headers: HeaderLine[] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Limit', '1000'],
  ];
  assert.equal(headerValue(headers, 'X-RateLimit-Limit'), undefined);
});

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';

for (const [line, values] of [
  ['60,60', ['60', '60']],
  ['60 , 60,\t60', ['60', '60', '60']],
  [`${DATE}, ${DATE}`, [DATE, DATE]],
  [DATE, [DATE]],
  ['60, 1000', ['60, 1000']],
  ['60, 60;w=60', ['60, 60;w=60']],
  ['60, 1000, 60', ['60, 1000, 60']],
  [',', [',']],
] as const)
  test(`a line that a gateway joined of equal ones is those: ${JSON.stringify(line)}`, () =>
    assert.deepEqual(headerValues([['Retry-After', line]], 'Retry-After'), values));

for (const [field, schemes] of [
  ['Bearer', ['bearer']],
  ['bearer realm="a, Basic b"', ['bearer']],
  ['Basic realm=x, Bearer', ['basic', 'bearer']],
  ['Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"', ['newauth', 'basic']],
  [', Bearer error = "x"', ['bearer']],
  ['Negotiate YWJj==, Basic realm="x"', ['negotiate', 'basic']],
  ['realm="x"', []],
  ['', []],
  ['The API key is not valid.', []],
  ['"Bearer"', []],
  ['Basic realm="Bearer', []],
] as const) {
  test(`the challenges of ${JSON.stringify(field)}`, () =>
    assert.deepEqual(challengeSchemes(field), schemes));
}

const rows: readonly (readonly [link: string, next: string | undefined])[] = [
  ['</v1/categories?page=2>; rel="next"', '/v1/categories?page=2'],
  ['<?page=2>; rel=next', '?page=2'],
  ['</a>; rel="prev", </b?x=1,2>; rel="last next"; title="x"', '/b?x=1,2'],
  ['<https://example.com/v1/categories?page=2>; rel="next"', 'https://example.com/v1/categories?page=2'],
  ['</a>; rel="nextish"', undefined],
  ['</a>; title="next"', undefined],
  ['no link; rel="next"', undefined],
];

for (const [link, next] of rows) {
  test(`the next page of ${link} is ${next}`, () => {
    assert.equal(nextReference([['Link', link]]), next);
  });
}

const ORIGIN = 'https://api.example.com';
const TARGET = '/v1/categories?page=1';

test('a reference within the list is resolved, whatever its form', () => {
  for (const reference of [
    '?page=2',
    '/v1/categories?page=2',
    'categories?page=2#top',
    '//api.example.com/v1/categories?page=2',
    'https://API.example.com:443/v1/categories?page=2',
    'https://user:word@api.example.com/v1/categories?page=2',
  ])
    assert.equal(sameListReference(reference, ORIGIN, TARGET), '/v1/categories?page=2', reference);
});

test('a reference to another origin or another path is not followed', () => {
  for (const reference of [
    'https://evil.example/v1/categories?page=2',
    'http://api.example.com/v1/categories?page=2',
    'https://api.example.com:8443/v1/categories?page=2',
    '//evil.example/v1/categories?page=2',
    '/\\evil.example/v1/categories?page=2',
    '/v1/keys?page=2',
    '../categories/../admin',
    'javascript:alert(1)',
    'https://[',
    `?page=${'2'.repeat(3000)}`,
  ])
    assert.equal(sameListReference(reference, ORIGIN, TARGET), undefined, reference);
});

const tags = new Map<string, number>();
const tagOf = (value: string): number => {
  if (!tags.has(value)) tags.set(value, tags.size + 1);
  return tags.get(value) ?? 0;
};

const judgedHeadersRows: readonly (readonly [name: string, value: string, recorded: string])[] = [
  ['X-RateLimit-Limit', '60', '60'],
  ['server', 'nginx/1.27', 'nginx/1.27'],
  ['X-Request-Id', '4711', '[not recorded 1]'],
  ['X-Request-Id', '4712', '[not recorded 2]'],
  ['X-Correlation-Id', '4711', '[not recorded 1]'],
  ['X-Seen-Key', '[key]', '[key]'],
  ['X-Seen-Key', '[key, escaped]', '[key, escaped]'],
  ['X-Gateway', '[value of X-Gateway]', '[value of X-Gateway]'],
  [
    'X-Seen-Keys',
    '[key in base64], [other key] and [secret]',
    '[not recorded 3] [key in base64] [other key]',
  ],
  ['Authorization', 'Basic c2VjcmV0', 'Basic [not recorded 4]'],
  ['Cookie', 'sid=4711; token=[key]', 'sid=[not recorded 1]; token=[key]'],
  ['Set-Cookie', 'laravel_session=4711', 'laravel_session=[not recorded 1]'],
  ['Location', '/v1/categories/?code=4711#4711', '/v1/categories/?code=[not recorded 1]#[not recorded 1]'],
  ['Location', 'https://me:pw@example.com/v1', 'https://[not recorded 5]@example.com/v1'],
];

for (const [name, value, recorded] of judgedHeadersRows) {
  test(`${name}: ${value} is recorded as ${recorded}`, () => {
    assert.equal(recordedValue(name, value, tagOf), recorded);
  });
}
