import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedClient, waits } from '../../../evaluation/testing/clients/judged-client.ts';
import type { StatedRequest, StatedStart } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal, headersOf } from '../../../evaluation/testing/clients/synthetic-client.ts';

const PREFIX = '/s-0123456789abcdef';
const OTHER = 9;

/** The starts of a client that keeps every wait, each with this request in the middle of its wait. */
const withRequest = (one: Omit<StatedRequest, 'at'>): readonly StatedStart[] =>
  waits().map((start) => ({
    ...start,
    prefix: PREFIX,
    requests: [
      ...start.requests.map((own) => ({ ...own, target: `${PREFIX}/v1/categories` })),
      { at: 700, status: 401, connection: OTHER, ...one },
    ].sort((a, b) => a.at - b.at),
  }));

const verdictsOf = (one: Omit<StatedRequest, 'at'>) => {
  const { requirements, remarks, requests } = judgedClient(clientJournal(withRequest(one)));
  const verdict = (id: string): string => requirements.find((entry) => entry.id === id)?.verdict ?? '';
  return { form: verdict('CLIENT-4'), wait: verdict('CLIENT-1'), remarks: remarks.join(' '), requests };
};

const foreign = [['Host', '127.0.0.1']] as const;
const rows: readonly (readonly [
  what: string,
  request: Omit<StatedRequest, 'at'>,
  form: string,
  wait: string,
])[] = [
  ['of another program without a key', { headers: foreign }, 'pass', 'pass'],
  ['of another program with a key of its own', { headers: [['Authorization', 'Bearer k1']] }, 'pass', 'pass'],
  [
    'of another program for another start',
    { target: '/s-ffffffffffffffff/v1/categories', headers: foreign },
    'pass',
    'pass',
  ],
  ['of a browser for its icon', { target: '/favicon.ico', headers: foreign }, 'pass', 'pass'],
  ['with the path and no key', { target: `${PREFIX}/v1/categories`, headers: foreign }, 'fail', 'pass'],
  ['with the key and without the path', { headers: headersOf('GET'), status: 429 }, 'pass', 'fail'],
  ['with the key in the query and without the path', { target: '/v1/categories?k=[key]' }, 'pass', 'fail'],
  ['without both, on a connection of the client', { headers: foreign, connection: 1 }, 'fail', 'pass'],
  [
    'without both in its head, with the key in its body',
    { method: 'POST', headers: [['Content-Type', 'application/json']], body: '{"name":"a","key":"[key]"}' },
    'fail',
    'pass',
  ],
];

for (const [what, request, form, wait] of rows) {
  test(`a request ${what}: CLIENT-4 ${form}, CLIENT-1 ${wait}`, () => {
    const found = verdictsOf(request);
    assert.equal(found.form, form === 'pass' && request.target?.includes('?k=') ? 'warn' : form);
    assert.equal(found.wait, wait);
    const isOfClient = form === 'fail' || wait === 'fail';
    assert.equal(/another program that used the port/.test(found.remarks), !isOfClient, found.remarks);
  });
}

test('the prefix of a start stands in no judgement', () => {
  const record = judgedClient(clientJournal(withRequest({ headers: foreign })));
  assert.ok(!JSON.stringify(record).includes(PREFIX));
  assert.match(JSON.stringify(record), /GET \/v1\/categories/);
});

test('a target with scheme and host is that of the same operation', () => {
  const target = `http://127.0.0.1:8080${PREFIX}/v1/categories`;
  const record = judgedClient(clientJournal(withRequest({ target, headers: foreign })));
  assert.equal(record.requirements.find(({ id }) => id === 'CLIENT-4')?.verdict, 'fail');
  assert.ok(!JSON.stringify(record).includes(`:8080${PREFIX}`));
});

test('where a start has no address of its own, every request is of the client', () => {
  const starts = withRequest({ headers: foreign }).map(({ scenario, requests }) => ({ scenario, requests }));
  const { requirements } = judgedClient(clientJournal(starts));
  assert.equal(requirements.find(({ id }) => id === 'CLIENT-4')?.verdict, 'fail');
});
