import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextReference, sameListReference } from './link-header.ts';

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
