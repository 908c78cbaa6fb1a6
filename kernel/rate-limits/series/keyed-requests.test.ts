import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body, excerptOf, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Body, Exchange } from '../../exchanges/exchange.ts';
import { carriesKey, mayCount, surelyCounts } from './keyed-requests.ts';
import { readingOf } from './reading.ts';

/** A success of this status with this body. */
function answeredWith(kept: Body, status: number): Exchange {
  const [exchange] = new Synthesis().add({ status }).exchanges;
  assert.ok(exchange?.outcome.kind === 'answer');
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
    const [sent] = new Synthesis().add({ caller: 'unauthenticated', status: 401, left: 59 }).exchanges;
    assert.ok(sent !== undefined);
    const exchange: Exchange = { ...sent, request: { ...sent.request, ...request } };
    assert.equal(carriesKey(exchange), carries);
    assert.equal(mayCount([exchange]).length, carries ? 1 : 0);
    assert.equal(readingOf(exchange) === undefined, carries);
    assert.equal(surelyCounts(exchange), false);
  });
}
