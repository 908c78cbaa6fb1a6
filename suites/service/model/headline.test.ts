import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { headlineOf } from './headline.ts';
import { UNDER_VERSION } from './target-reading.ts';

const headline = (baseUrl: string, ...told: readonly StagedExchange[]) =>
  headlineOf({ ...RUN, target: { baseUrl, plan: 'free' } }, new Synthesis().add(...told).exchanges);

const list: StagedExchange = { status: 404 };
const creation: StagedExchange = { method: 'POST', sends: '{}', status: 404 };
const below: StagedExchange = { caller: 'unauthenticated', step: UNDER_VERSION, path: '/v1/categories' };
const HOST = 'http://127.0.0.1:8080';

test('another server: what it answered, and what to give instead', () => {
  assert.deepEqual(
    headline(HOST, list, { ...creation, status: 501, headers: [] }),
    undefined,
    'JSON is an answer',
  );
  assert.deepEqual(headline(HOST, list, creation), {
    kind: 'wrong-target',
    text: `GET ${HOST}/categories answers 404: this does not look like the service.`,
    fix: 'With the key, neither operation of the specification exists at this address: GET /categories answers 404 (exchange 1) and POST /categories 404 (exchange 2). Give the base address of the service, which ends in `/v1`.',
  });
});

test('/v1 is suggested where something answers there, and where the address needs no asking', () => {
  const text = (...of: Parameters<typeof headline>) => headline(...of)?.text ?? '';
  const meant = `GET ${HOST}/categories answers 404: this does not look like the service. Did you mean ${HOST}/v1?`;
  assert.equal(text(HOST, list, creation, { ...below, status: 401 }), meant);
  assert.equal(text(HOST, list, creation, { ...below, status: 200 }), meant);
  assert.doesNotMatch(text(HOST, list, creation, { ...below, status: 404 }), /Did you mean/);
  assert.doesNotMatch(text(HOST, list, creation, { ...below, noResponse: 'timeout' }), /Did you mean/);
  assert.match(
    text(`${HOST}/v1/categories`, list, creation),
    /Did you mean http:\/\/127\.0\.0\.1:8080\/v1\?$/,
  );
  assert.doesNotMatch(text(`${HOST}/v1`, list, creation), /Did you mean/);
});

test('a redirect names the base address itself, and nothing else of it is repeated', () => {
  const sent = (location: string): StagedExchange => ({ status: 301, headers: [['Location', location]] });
  const text = (location: string) => headline(`${HOST}/v1`, sent(location), creation)?.text;
  const first = `GET ${HOST}/v1/categories answers 301 (a redirect): this does not look like the service.`;
  assert.equal(text('https://127.0.0.1/v1/categories'), `${first} Did you mean https://127.0.0.1/v1?`);
  assert.equal(text('https://host/v1/categories'), first, 'another host gets no key by our advice');
  assert.equal(text('javascript:alert(1)//v1/categories'), first);
  assert.equal(text('https://host/login?next=/v1/categories'), first);
});

test('a service that answers every list and every creation with a 5xx, apart from a 429', () => {
  const list: StagedExchange = { status: 500 };
  const creation: StagedExchange = { method: 'POST', sends: '{}', status: 500 };
  assert.deepEqual(headline(`${HOST}/v1`, list, creation, { status: 429 }), {
    kind: 'server-fails',
    text: 'Every list and every creation with the key returned 500, so the service works for no client.',
    fix: 'Look in its log for the error of exchange 1 (GET /v1/categories), correct it, and run again: until then the findings say little more than that.',
  });
  assert.equal(headline(`${HOST}/v1`, list, { ...creation, status: 501 }), undefined, 'not implemented');
  assert.equal(headline(`${HOST}/v1`, list, { ...creation, status: 400 }), undefined);
  assert.equal(headline(`${HOST}/v1`, list), undefined, 'no creation was answered');
});

test('a rejected key', () => {
  const keyless: StagedExchange = { caller: 'unauthenticated', status: 401 };
  assert.deepEqual(headline(`${HOST}/v1`, keyless, { status: 401 }), {
    kind: 'key-rejected',
    text: 'The key was rejected (401): nothing that needs a key could be tested.',
    fix: `Check that the key is valid at ${HOST}/v1 and was copied completely, then run again.`,
  });
  assert.match(
    headline(`${HOST}/v1`, { ...keyless, status: 403 }, { status: 403 })?.fix ?? '',
    /Requests without a key got 403, too, so check the base address as well\.$/,
  );
  assert.equal(
    headline(`${HOST}/v1`, keyless, { status: 200 }, { status: 401 }),
    undefined,
    'it worked once',
  );
});

test('a key of another plan', () => {
  const of = (limit: number): StagedExchange => ({ left: 10, limit });
  assert.deepEqual(headline(HOST, of(300), of(300), of(300)), {
    kind: 'other-plan',
    text: 'X-RateLimit-Limit is 300 on every response to the key, but the plan "free" of this run has 60 requests per minute.',
    fix: 'If the key has another plan, run again with that plan (--plan, PETSTORE_PLAN). If it has this plan, the service applies the wrong limit (RATE-5).',
  });
  assert.equal(headline(HOST, of(300), of(300)), undefined, 'too few');
  assert.equal(headline(HOST, of(300), of(60), of(300)), undefined, 'not every one');
  assert.equal(headline(HOST, of(1000), of(1000), of(1000)), undefined, 'the limit of the day');
});
