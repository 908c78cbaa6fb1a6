import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodedForms } from '../../kernel/recording/redaction/encodings.ts';
import type { Operation } from '../model/profile.ts';
import type { BodyReading } from '../model/sample.ts';
import type { ReadResponse } from './body-reader.ts';
import { BodyReader, categoryName } from './body-reader.ts';

const KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';
const OWN = categoryName('r1', 'key', 7);

const readerOf = (keys = 1): BodyReader => new BodyReader({ run: 'r1', keys, secrets: [KEY] });

const response = (body: string | null, more: Partial<ReadResponse> = {}): ReadResponse => ({
  status: 200,
  body,
  headers: {},
  ...more,
});

const wrong = (problem: (BodyReading & { readonly kind: 'wrong' })['problem'], excerpt: string) =>
  ({ kind: 'wrong', problem, excerpt }) as const;

const category = (name: string, id: unknown = 3): string => JSON.stringify({ id, name });

const rows: Readonly<
  Record<string, readonly [operation: Operation, body: string, read: BodyReading | undefined]>
> = {
  'an empty list': ['list', '[]', { kind: 'list' }],
  'a list': ['list', `[${category('Birds')},${category('Fish')}]`, { kind: 'list' }],
  'a list after a byte order mark': ['list', '\uFEFF[]', { kind: 'list' }],
  'a page of HTML': ['list', '<html>Bad gateway</html>', wrong('not JSON', '<html>Bad gateway</html>')],
  'no bytes': ['list', '', wrong('not JSON', '')],
  'half a list': ['list', '[{"id":1,"na', wrong('not JSON', '[{"id":1,"na')],
  'an Error': ['list', '{"code":"busy"}', wrong('no list of categories', '{"code":"busy"}')],
  null: ['list', 'null', wrong('no list of categories', 'null')],
  'a list with another item': ['list', '[{"id":1}]', wrong('no list of categories', '[{"id":1}]')],
  'a list that is too long': ['list', `["${'x'.repeat(20_000)}"]`, undefined],
  'the category': ['create', category(OWN), { kind: 'category', id: '3' }],
  'the category, with a text as id': ['create', category(OWN, 'c-3'), { kind: 'category', id: 'c-3' }],
  'an id that JavaScript rounds': ['create', `{"id":9007199254740993,"name":"${OWN}"}`, { kind: 'category' }],
  'an id that is too long to be kept': [
    'create',
    category(OWN, '0f8fad5b-d9cb-469f-a165-70867728950e'),
    { kind: 'category' },
  ],
  'a normalized name': ['create', category(OWN.toUpperCase()), { kind: 'category', id: '3' }],
  'the category of another request': [
    'create',
    category(categoryName('r1', 'key', 8)),
    wrong('category of another request', category(categoryName('r1', 'key', 8))),
  ],
  'a category without a name': ['create', '{"id":3}', wrong('no category', '{"id":3}')],
  'a list of one': ['create', `[${category('a')}]`, wrong('no category', `[${category('a')}]`)],
};

for (const [what, [operation, body, read]] of Object.entries(rows)) {
  test(`the body of ${operation}: ${what}`, () => {
    const status = operation === 'list' ? 200 : 201;
    assert.deepEqual(readerOf().read(operation, OWN, response(body, { status })), read);
  });
}

test('only the body of a 200 to a list and of a 201 to a creation is read', () => {
  for (const [operation, status] of [
    ['list', 429],
    ['list', 201],
    ['create', 200],
    ['create', 400],
  ] as const)
    assert.equal(readerOf().read(operation, OWN, response('<html>', { status })), undefined);
});

test('an excerpt is short and without keys', () => {
  const read = readerOf().read('list', OWN, response(`{"key":"${KEY}"}${'-'.repeat(500)}`));
  assert.ok(read?.kind === 'wrong');
  assert.ok(read.excerpt.length < 100 && !read.excerpt.includes(KEY), read.excerpt);
});

test('an id that is a key in another spelling is not kept, and no spelling is shorter than the key without hyphens and padding', () => {
  for (const [key, id] of [
    ['4f-2a-9c-81-7d', '4f2a9c817d'],
    ['aB+c/dE9fGh1==', 'aB+c/dE9fGh1'],
  ] as const) {
    const reader = new BodyReader({ run: 'r1', keys: 1, secrets: [KEY, key] });
    assert.deepEqual(reader.read('create', OWN, response(category(OWN, id), { status: 201 })), {
      kind: 'category',
    });
  }
  for (const value of [
    KEY,
    '4f-2a-9c-81-7d',
    'aB+c/dE9fGh1==',
    '3f2a9c81-7d54-4b6e-9a10-c5d2e8f07b36',
    'k1234',
  ])
    for (const form of encodedForms({ value, name: 'key' }))
      assert.ok(form.value.length >= value.replace(/[-=]/g, '').length, `${form.name}: ${form.value}`);
});

test('a list is read while lists are short; where nothing shows how long they are, in runs of few keys', () => {
  const few = readerOf();
  assert.ok(few.reads('list'));
  few.read('list', OWN, response('[]'));
  assert.ok(few.reads('list'));
  few.read('list', OWN, response(`["${'x'.repeat(20_000)}"]`));
  assert.ok(!few.reads('list'));
  few.read('list', OWN, response(null, { headers: { 'Content-Length': '300' } }));
  assert.ok(few.reads('list'));
  few.read('list', OWN, response(null, { headers: { 'Content-Length': '300', 'Content-Encoding': 'gzip' } }));
  assert.ok(!few.reads('list'), 'a compressed body may be long');
  const many = readerOf(1000);
  assert.ok(!many.reads('list'));
  many.read('list', OWN, response(null));
  assert.ok(!many.reads('list'));
  many.read('list', OWN, response(null, { headers: { 'Content-Length': '300' } }));
  assert.ok(many.reads('list'));
  assert.ok(many.reads('create'), 'a category is short');
});
