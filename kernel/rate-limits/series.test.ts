import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../evaluation/testing/suites/synthetic.ts';
import {
  body,
  excerptOf,
  exchangeOf,
  RUN,
  START,
  Synthesis,
} from '../../evaluation/testing/suites/synthetic.ts';
import type { Body, Exchange, HeaderLine } from '../exchanges/exchange.ts';
import { minuteQuota } from './quota.ts';
import { carriesKey, markClosed, markStored, mayCount, readingOf, surelyCounts } from './series.ts';

/** A success of this status with this body. */
function answeredWith(kept: Body, status: number): Exchange {
  const exchange = exchangeOf({ status });
  assert.ok(exchange.outcome.kind === 'answer');
  return { ...exchange, outcome: { ...exchange.outcome, body: kept } };
}

const ERROR = '{"code":"rate_limited","message":"Too many requests","status":429}';

for (const [what, kept, counts, status = 200] of [
  ['a list', body('[]'), true],
  ['an Error', body(ERROR), false],
  ['the beginning of an object, which may be an Error', excerptOf('{"code":"rate_lim', 74), false],
  ['the beginning of an object that was created', excerptOf('{"id":1', 74), true, 201],
  ['a body of which nothing was recorded, as in a load run', excerptOf('', 0), true],
  ['no byte of 74', excerptOf('', 74), false],
  ['the beginning of a list', excerptOf('[{"id":1', 74), true],
  ['the beginning of an object that is longer than any Error', excerptOf('{"items":[', 100_000), true],
] as const) {
  test(`a success with ${what} ${counts ? 'surely uses' : 'may not use'} the quota`, () => {
    assert.equal(surelyCounts(answeredWith(kept, status)), counts);
  });
}

const headers = (name: string, value: string) => ({ headers: [[name, value]] as const });

for (const [what, request, carries] of [
  ['a bare key', headers('Authorization', '[key]'), true],
  ['Basic', headers('Authorization', 'Basic [key in base64]'), true],
  ['the key in another case', headers('Authorization', 'Bearer [key in another case]'), true],
  ['the key in a query', { target: '/v1/categories?token=[key]' }, true],
  ['the key in the body', { body: body('{"name":"x","key":"[key]"}') }, true],
  ['a similar key', headers('Authorization', 'Bearer [key without its last character]'), false],
  ['another key', headers('Authorization', 'Bearer [other key]'), false],
  ['no key', {}, false],
] as const) {
  test(`a request without a valid credential and with ${what} ${carries ? 'may count' : 'does not count'} for the key`, () => {
    const sent = exchangeOf({ caller: 'unauthenticated', status: 401, left: 59 });
    const exchange: Exchange = { ...sent, request: { ...sent.request, ...request } };
    assert.equal(carriesKey(exchange), carries);
    assert.equal(mayCount([exchange]).length, carries ? 1 : 0);
    assert.equal(readingOf(exchange) === undefined, carries);
    assert.equal(surelyCounts(exchange), false);
  });
}

for (const [status, path, isRead] of [
  [200, '/categories', true],
  [400, '/categories', true],
  [409, '/categories', true],
  [415, '/categories', false],
  [429, '/categories', true],
  [500, '/categories', true],
  [401, '/store/orders', false],
  [404, '/store/orders', false],
  [422, '/store/orders', true],
  [403, '/store/orders', true],
] as const) {
  test(`a ${status} to the key at ${path} ${isRead ? 'states' : 'does not surely state'} what is left of its quota`, () => {
    assert.equal(readingOf(exchangeOf({ status, path, left: 59 })) !== undefined, isRead);
  });
}

for (const [what, asked, isRead] of [
  ['401 there without a key', { status: 401, path: '/pets/1' }, true],
  ['404 there without a key', { status: 404, path: '/pets/1' }, false],
  ['401 elsewhere without a key', { status: 401, path: '/store/orders' }, false],
  ['401 there to another caller', { status: 401, path: '/pets/1', caller: 'other' }, false],
] as const) {
  test(`a 404 to the key, with ${what}, ${isRead ? 'states' : 'does not surely state'} what is left`, () => {
    const run = new Synthesis().add(
      { caller: 'unauthenticated', ...asked },
      { status: 404, path: '/pets/1', left: 59 },
    );
    const [, found] = markClosed(run.exchanges);
    assert.equal(found !== undefined && readingOf(found) !== undefined, isRead);
  });
}

const QUOTA = minuteQuota(RUN.limits);

/** A list with this Remaining, and these header lines besides those of the quota. All responses announce one Reset. */
const list = (
  left: number,
  headers: readonly HeaderLine[] = [],
  staged: StagedExchange = {},
): StagedExchange => ({ left, reset: 60, headers, ...staged });
const creation = (left: number): StagedExchange => list(left, [], { method: 'POST', status: 201 });

const HIT = [['X-Cache', 'HIT']] as const;
const AGE = [['Age', '0']] as const;
for (const [what, staged, stored] of [
  [
    'the same response between two that went on counting',
    [list(59), creation(58), creation(57), list(59), creation(56)],
    [4],
  ],
  [
    'a list after a creation that was sent later and answered sooner than another one',
    [
      ...[list(59), creation(58), { ...creation(57), sent: 10, received: 100 }],
      ...[{ ...creation(56), sent: 11, received: 20 }, list(59, [], { sent: 60, received: 61 })],
      creation(55),
    ],
    [5],
  ],
  [
    'a list of the count after it',
    [list(59), creation(58), creation(57), list(59), creation(56), list(55)],
    [4],
  ],
  [
    'one that names a cache and has a new Date',
    [list(59), creation(58), creation(57), list(59, HIT, { date: START + 1 }), creation(56)],
    [4],
  ],
  [
    'one with an Age of less than a second',
    [list(59), creation(58), creation(57), list(59, AGE, { date: START + 1 }), creation(56)],
    [4],
  ],
  [
    'a list that is unchanged (304)',
    [list(59), creation(58), creation(57), list(59, [], { status: 304 }), creation(56)],
    [4],
  ],
  [
    'another Date and no cache',
    [list(59), creation(58), creation(57), list(59, [], { date: START + 1 }), creation(56)],
    [],
  ],
  [
    'one that alone shows no more than flows back, beside one that shows more',
    [list(59), creation(58), list(59), creation(57), creation(56), list(59)],
    [3, 6],
  ],
  [
    'a list with another User-Agent between them',
    [
      ...[list(59), creation(58), list(57, [], { client: 'another client' })],
      ...[creation(56), list(59), creation(55)],
    ],
    [5],
  ],
  [
    'two lists that were rejected alike',
    [
      ...[list(59, [], { status: 400 }), creation(58), creation(57)],
      ...[list(59, [], { status: 400 }), creation(56)],
    ],
    [],
  ],
  [
    'a Reset that jitters by a second',
    [list(59), { ...creation(58), reset: 61 }, { ...creation(57), reset: 61 }, list(59), creation(56)],
    [4],
  ],
  [
    'another body of the same length',
    [
      list(59, [], { body: '[1]' }),
      ...[creation(58), creation(57)],
      ...[list(59, [], { body: '[2]' }), creation(56)],
    ],
    [],
  ],
  ['another body', [list(59), creation(58), creation(57), list(59, [], { body: '[1]' }), creation(56)], []],
  [
    'another header line',
    [list(59), creation(58), creation(57), list(59, [['ETag', '"2"']]), creation(56)],
    [],
  ],
  [
    'a count that began anew',
    [list(59), creation(58), creation(57), creation(56), list(59), creation(58)],
    [],
  ],
  [
    'counts side by side',
    [list(59), creation(58), creation(57), creation(56), list(59), list(58), creation(55)],
    [],
  ],
  [
    'other lists of the count between them',
    [list(59), creation(58), list(57), creation(56), list(59), creation(55)],
    [],
  ],
  ['no more than flows back', [list(59), creation(58), list(59), creation(57)], []],
] as const) {
  test(`${stored.length === 0 ? 'takes nothing for stored' : 'marks what is stored'}: ${what}`, () => {
    const marked = markStored(new Synthesis().add(...staged).exchanges, QUOTA);
    assert.deepEqual(
      marked.filter(({ shownAgain }) => shownAgain !== undefined).map(({ n }) => n),
      stored,
    );
    for (const { shownAgain = 1 } of marked) assert.equal(shownAgain, 1);
  });
}

test('marks the same when it is asked again', () => {
  const once = markStored(
    new Synthesis().add(list(59), creation(58), creation(57), list(59), creation(56)).exchanges,
    QUOTA,
  );
  assert.deepEqual(markStored(once, QUOTA), once);
});
