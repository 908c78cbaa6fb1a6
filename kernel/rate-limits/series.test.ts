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
import type { Body, Exchange } from '../exchanges/exchange.ts';
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

const CREATION = { method: 'POST', status: 201 } as const;
const LATER = START + 1;

/** What the letters of a run mean, in which each has its Remaining behind it. All responses announce one Reset, but for `J`. */
const KINDS: Readonly<Record<string, StagedExchange>> = {
  L: {},
  P: CREATION,
  // A creation that is sent first and answered last, one that is answered before it, and a list after both.
  1: { ...CREATION, sent: 10, received: 100 },
  2: { ...CREATION, sent: 11, received: 20 },
  3: { sent: 60, received: 61 },
  // Lists that differ in one thing.
  H: { headers: [['X-Cache', 'HIT']], date: LATER },
  A: { headers: [['Age', '0']], date: LATER },
  D: { date: LATER },
  E: { headers: [['ETag', '"2"']] },
  U: { status: 304 },
  R: { status: 400 },
  N: { client: 'another client' },
  B: { body: '[1]' },
  C: { body: '[2]' },
  J: { ...CREATION, reset: 61 },
};

const markedIn = (letters: string): readonly Exchange[] => {
  const staged = letters.split(' ').map((one) => ({
    ...{ reset: 60, left: Number(one.slice(1)) },
    ...KINDS[one[0] ?? ''],
  }));
  return markStored(new Synthesis().add(...staged).exchanges, QUOTA);
};

for (const [what, letters, stored] of [
  ['the same response between two that went on counting', 'L59 P58 P57 L59 P56', [4]],
  [
    'a list after a creation that was sent later and answered sooner than another one',
    ...['L59 P58 157 256 359 P55', [5]],
  ],
  ['a list of the count after it', 'L59 P58 P57 L59 P56 L55', [4]],
  ['one that names a cache and has a new Date', 'L59 P58 P57 H59 P56', [4]],
  ['one with an Age of less than a second', 'L59 P58 P57 A59 P56', [4]],
  ['a list that is unchanged (304)', 'L59 P58 P57 U59 P56', [4]],
  ['another Date and no cache', 'L59 P58 P57 D59 P56', []],
  [
    'one that alone shows no more than flows back, beside one that shows more',
    ...['L59 P58 L59 P57 P56 L59', [3, 6]],
  ],
  ['a list with another User-Agent between them', 'L59 P58 N57 P56 L59 P55', [5]],
  ['two lists that were rejected alike', 'R59 P58 P57 R59 P56', []],
  ['a Reset that jitters by a second', 'L59 J58 J57 L59 P56', [4]],
  ['another body of the same length', 'B59 P58 P57 C59 P56', []],
  ['another body', 'L59 P58 P57 B59 P56', []],
  ['another header line', 'L59 P58 P57 E59 P56', []],
  ['a count that began anew', 'L59 P58 P57 P56 L59 P58', []],
  ['counts side by side', 'L59 P58 P57 P56 L59 L58 P55', []],
  ['other lists of the count between them', 'L59 P58 L57 P56 L59 P55', []],
  ['no more than flows back', 'L59 P58 L59 P57', []],
] as const) {
  test(`${stored.length === 0 ? 'takes nothing for stored' : 'marks what is stored'}: ${what}`, () => {
    const marked = markedIn(letters);
    assert.deepEqual(
      marked.flatMap(({ n, shownAgain }) => (shownAgain === undefined ? [] : [[n, shownAgain]])),
      stored.map((n) => [n, 1]),
    );
  });
}

test('marks the same when it is asked again', () => {
  const once = markedIn('L59 P58 P57 L59 P56');
  assert.deepEqual(markStored(once, QUOTA), once);
});
