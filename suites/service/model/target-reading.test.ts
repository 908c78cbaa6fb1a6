import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyLines } from '../../../evaluation/testing/suites/journals.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { likelyBase, readTarget, UNDER_VERSION } from './target-reading.ts';

const html: HeaderLine = ['Content-Type', 'text/html'];
const page = '<!DOCTYPE html><html lang="en">';

const open: StagedExchange = { caller: 'unauthenticated', probe: 'unauthenticated-before-key' };
const list: StagedExchange = { probe: 'preflight' };
const creation: StagedExchange = { probe: 'target-check', method: 'POST', sends: '{}' };

const reading = (...told: readonly StagedExchange[]): string =>
  readTarget(new Synthesis().add(...told).exchanges).kind;
/** What a target shows that answers everything alike. */
const answering = (answer: StagedExchange): string =>
  reading({ ...open, ...answer }, { ...list, ...answer }, { ...creation, ...answer });

const elsewhere: readonly (readonly [what: string, answer: StagedExchange])[] = [
  ['a page for 404', { status: 404, headers: [html], body: page }],
  ['404 in JSON', { status: 404, body: '{"message":"Not Found"}' }],
  ['410', { status: 410 }],
  ['405 without POST', { status: 405, headers: [['Allow', 'OPTIONS']] }],
  ['a redirect to a login page', { status: 302, headers: [['Location', '/login']] }],
  ['a redirect to another scheme', { status: 301, headers: [['Location', 'https://host/v1/categories']] }],
  ['a page for everything', { status: 200, headers: [['Content-Type', 'text/html']], body: page }],
];
for (const [what, answer] of elsewhere) {
  test(`a target that answers every request with ${what} is not the service`, () => {
    assert.equal(answering(answer), 'not-the-service');
  });
}

test('whatever authenticates before it looks at the path is not the service where nothing exists with the key', () => {
  const nothing = [
    { ...list, status: 404 },
    { ...creation, status: 404 },
  ];
  assert.equal(reading({ ...open, status: 401 }, ...nothing), 'not-the-service');
  assert.equal(reading({ ...open, status: 403 }, ...nothing), 'not-the-service');
  assert.equal(reading({ ...open, noResponse: 'timeout' }, ...nothing), 'not-the-service');
});

const broken: readonly (readonly [what: string, list: StagedExchange, creation: StagedExchange])[] = [
  ['lists nothing and creates', { status: 404 }, { status: 201 }],
  ['lists nothing and rejects a body', { status: 404 }, { status: 400 }],
  ['lists nothing and rejects a body with 422', { status: 404 }, { status: 422 }],
  ['knows the path and wants POST', { status: 405, headers: [['Allow', 'POST, OPTIONS']] }, { status: 404 }],
  ['redirects to a slash', { status: 308, headers: [['Location', '/v1/categories/']] }, { status: 404 }],
  ['lists text that is no page', { status: 200, body: 'cats' }, { status: 404 }],
  ['rejects the key', { status: 401 }, { status: 404 }],
];
for (const [what, first, second] of broken) {
  test(`an implementation that ${what} is the service, and keeps its violations`, () => {
    const keyed = [
      { ...list, ...first },
      { ...creation, ...second },
    ];
    assert.equal(reading({ ...open, status: 404 }, ...keyed), 'service');
    assert.equal(reading({ ...open, status: 401 }, ...keyed), 'service');
  });
}

test('an operation that is open to everybody shows the service', () => {
  const absent = [
    { ...list, status: 404 },
    { ...creation, status: 404 },
  ];
  assert.equal(reading({ ...open, status: 200 }, ...absent), 'service');
  assert.equal(reading({ ...open, path: '/store/orders', status: 200 }, ...absent), 'service');
});

test('one answer is not enough, and a gateway that is alone for a moment says nothing', () => {
  assert.equal(reading({ ...open, status: 404 }, { ...list, status: 404 }), 'unknown');
  assert.equal(reading({ ...open, status: 404 }, { ...list, status: 503 }), 'unknown');
  assert.equal(reading(), 'unknown');
});

test('what answers below the given address says nothing about the address', () => {
  const below: StagedExchange = { ...open, step: UNDER_VERSION, path: '/v1/categories', status: 200 };
  assert.equal(reading({ ...list, status: 404 }, { ...creation, status: 404 }, below), 'not-the-service');
});

test('more answers never make the service anything else', () => {
  fc.assert(
    fc.property(anyLines, fc.nat(), (lines, at) => {
      const exchanges = lines.filter((line) => line.kind === 'exchange');
      if (readTarget(exchanges.slice(0, at % (exchanges.length + 1))).kind !== 'service') return;
      assert.equal(readTarget(exchanges).kind, 'service');
    }),
    { numRuns: 300 },
  );
});

const rows: readonly (readonly [given: string, address: string | undefined, below?: string])[] = [
  ['http://host', 'http://host/v1', '/v1'],
  ['http://host:8080/api', 'http://host:8080/api/v1', '/v1'],
  ['http://host/v1', undefined],
  ['http://host/api/v1', undefined],
  ['http://host/v1/v1', 'http://host/v1'],
  ['http://host/v1/categories', 'http://host/v1'],
  ['http://host/api/v1/categories/7', 'http://host/api/v1'],
  ['http://host/V1', 'http://host/v1'],
  ['http://host/categories', 'http://host/v1'],
  ['http://host/api/categories', 'http://host/api/v1'],
  ['no address', undefined],
];
for (const [given, address, below] of rows) {
  test(`${given} probably means ${address ?? 'what it says'}`, () => {
    const expected = address === undefined ? undefined : { address, below };
    assert.deepEqual(likelyBase(given), expected);
  });
}
