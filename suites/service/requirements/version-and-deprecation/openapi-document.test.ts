import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { computed } from '../../../../evaluation/testing/tools/busy-machine.ts';
import { mismatches } from './openapi-document.ts';

const published = parse(readFileSync(new URL('../../../../spec/openapi.yaml', import.meta.url), 'utf8'));
const compared = (document: unknown) =>
  mismatches({ source: 'openapi.json', text: JSON.stringify(document) }, []);
const texts = (document: unknown): readonly string[] => compared(document).found.map(({ text }) => text);

test('every mismatch is named, and not only the first', () => {
  const { '/store/orders': orders, '/categories': categories, ...paths } = published.paths;
  const document = {
    ...published,
    openapi: '3.0.2',
    info: { ...published.info, version: '2' },
    tags: [{}],
    servers: [{ url: 5 }],
    paths: {
      ...paths,
      '/categories': { ...categories, post: { responses: 1 }, get: { parameters: {} } },
      '/orders': orders,
      '/a': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } },
    },
  };
  const named = texts(document).join('\n');
  for (const one of [
    /`openapi` is "3\.0\.2"/,
    /`info\.version` is "2"/,
    /`GET \/store\/orders` is not described/,
    /"#\/components\/responses\/None" leads nowhere/,
    /"\/tags\/0"/,
    /"\/servers\/0\/url"/,
    /"\/paths\/~1categories\/post\/responses"/,
    /"\/paths\/~1categories\/get/,
  ])
    assert.match(named, one);
});

test('what is described elsewhere is named with its address', () => {
  const named = texts({ ...published, servers: [{ url: 'https://api.example.com/' }] });
  assert.match(
    named.join('\n'),
    /`GET \/categories` is described at "https:\/\/api\.example\.com\/categories"/,
  );
});

/** What a hostile description may cost to judge, in milliseconds; hundreds of times what it takes. */
const PATIENCE_MS = 20_000;

/** Each takes the most from the least: circles, doubling, and sheer numbers. */
const hostile: Readonly<Record<string, () => unknown>> = {
  'references in a circle': () => ({
    ...published,
    paths: { '/categories': { $ref: '#/paths/~1a' }, '/a': { $ref: '#/paths/~1categories' } },
  }),
  'pointers through pointers through pointers': () => {
    const through = (to: string) => `#${`/${to}/x`.repeat(40)}`;
    const levels = Array.from({ length: 60 }, (_, i) => [`x-${i}`, { x: { $ref: through(`x-${i + 1}`) } }]);
    return {
      ...published,
      ...Object.fromEntries(levels),
      paths: { '/categories': { $ref: through('x-0') } },
    };
  },
  'a hundred thousand references, each a chain': () => ({
    ...published,
    paths: Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`/${i}`, { $ref: `#/paths/~1${i + 1}` }]),
    ),
  }),
  'a reference of a million characters, a hundred times': () => ({
    ...published,
    components: {
      schemas: Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [`s${i}`, { $ref: `#/paths${'/a'.repeat(20_000)}/${i}` }]),
      ),
    },
  }),
  'a hundred thousand parts that break the schema': () => ({
    ...published,
    paths: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`/${i}`, { get: i }])),
  }),
  'servers with variables of many values': () => ({
    ...published,
    servers: Array.from({ length: 2000 }, () => ({
      url: 'https://{a}.example.com',
      variables: { a: { default: 'a', enum: Array.from({ length: 100 }, (_, i) => `a${i}`) } },
    })),
  }),
};

describe('a hostile description is judged soon', () => {
  for (const [says, make] of Object.entries(hostile)) {
    test(says, () => {
      const document = make();
      const { computedMs } = computed(() => compared(document));
      assert.ok(computedMs < PATIENCE_MS, `${computedMs} ms`);
    });
  }
});
