import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Waits } from '../../../../evaluation/testing/clients/scripted.ts';
import {
  clientFinding,
  creation,
  limited,
  list,
  waits,
} from '../../../../evaluation/testing/clients/scripted.ts';
import { clientJournal, headersOf } from '../../../../evaluation/testing/clients/synthetic-client.ts';

const withHeaders = (...headers: readonly (readonly [string, string])[]): Waits => ({
  seconds: [limited(0, '3'), { at: 3002, headers }, creation(3010)],
});
const withBody = (body: string | null): Waits => ({
  seconds: [limited(0, '3'), list(3002), { at: 3010, method: 'POST', body }],
});
const formRows: readonly (readonly [what: string, verdict: string, given: Waits])[] = [
  ['keeps the form', 'pass', {}],
  ['writes the scheme in lower case', 'pass', withHeaders(['authorization', 'bearer [key]'])],
  ['sends no key', 'fail', withHeaders()],
  ['sends the bare key', 'fail', withHeaders(['Authorization', '[key]'])],
  ['sends another scheme', 'fail', withHeaders(['Authorization', 'Token [key]'])],
  [
    'sends two of them',
    'fail',
    withHeaders(['Authorization', 'Bearer [key]'], ['authorization', 'Bearer [key]']),
  ],
  ['sends a longer key', 'fail', withHeaders(['Authorization', 'Bearer [key]x'])],
  ['writes two spaces', 'warn', withHeaders(['Authorization', 'Bearer  [key]'])],
  [
    'sends the key in a second header, too',
    'warn',
    withHeaders(['Authorization', 'Bearer [key]'], ['X-Api-Key', '[key]']),
  ],
  [
    'sends the key in the query alone',
    'fail',
    { seconds: [limited(0, '3'), { at: 3002, target: '/v1/categories?api_key=[key]', headers: [] }] },
  ],
  [
    'sends the key in the query, too',
    'warn',
    { seconds: [limited(0, '3'), { at: 3002, target: '/v1/categories?api_key=[key]' }] },
  ],
  [
    'sends a charset',
    'pass',
    {
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('GET'), ['Content-Type', 'application/json; charset=UTF-8']],
        },
      ],
    },
  ],
  [
    'sends a form',
    'fail',
    {
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('GET'), ['Content-Type', 'application/x-www-form-urlencoded']],
        },
      ],
    },
  ],
  ['sends an id', 'fail', withBody('{"id":1,"name":"cat"}')],
  ['sends no name', 'fail', withBody('{"description":"cat"}')],
  ['sends a description', 'pass', withBody('{"name":"cat","description":"purrs"}')],
  ['sends a number as the description', 'fail', withBody('{"name":"cat","description":7}')],
  ['sends null as the description', 'warn', withBody('{"name":"cat","description":null}')],
  ['sends a property of its own', 'pass', withBody('{"name":"cat","tag":null}')],
  ['sends the key in the body, too', 'warn', withBody('{"name":"cat","api_key":"[key]"}')],
  ['sends a list', 'fail', withBody('["cat"]')],
  [
    'compresses a creation',
    'warn',
    {
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('POST'), ['Content-Encoding', 'gzip']],
          body: '\u001f\ufffd',
        },
      ],
    },
  ],
  ['sends no JSON', 'fail', withBody('name=cat')],
  ['sends no body', 'fail', withBody(null)],
  [
    'opens a connection with a request outside the service, without the key',
    'pass',
    { seconds: [{ at: 0, method: 'HEAD', target: '/', headers: [], status: 401 }, list(10)] },
  ],
  [
    'refreshes a token outside the service, with a form',
    'pass',
    {
      seconds: [
        {
          at: 0,
          method: 'POST',
          target: '/oauth/token',
          headers: [['Content-Type', 'application/x-www-form-urlencoded']],
          body: 'grant_type=refresh_token',
          status: 401,
        },
        list(10),
      ],
    },
  ],
  [
    'refreshes a token below the base address, without the key',
    'warn',
    {
      seconds: [
        { at: 0, method: 'POST', target: '/v1/oauth/token', headers: [], body: null, status: 401 },
        list(10),
      ],
    },
  ],
  [
    'sends its key outside the service, in the query',
    'warn',
    { seconds: [{ at: 0, target: '/status?key=[key]', headers: [], status: 404 }, list(10)] },
  ],
  [
    'looks an order list up without the key',
    'fail',
    { seconds: [{ at: 0, target: '/v1/store/orders?page=1', headers: [], status: 401 }, list(10)] },
  ],
  [
    'asks with OPTIONS first, as browsers do',
    'pass',
    { seconds: [limited(0, '3'), { at: 3001, method: 'OPTIONS', headers: [] }, list(3002)] },
  ],
];
for (const [what, verdict, given] of formRows) {
  test(`CLIENT-4: a client that ${what}: ${verdict}`, () => {
    const finding = clientFinding(clientJournal(waits(given)), 'CLIENT-4');
    assert.equal(finding.verdict, verdict, finding.because);
  });
}

test('CLIENT-4: without a creation its bodies are unknown', () => {
  const lists = waits({ seconds: [list(0)], creation: [], date: [list(0)] });
  assert.equal(clientFinding(clientJournal(lists), 'CLIENT-4').verdict, 'inconclusive');
});

test('a creation whose body was not kept to its end proves nothing about it', () => {
  const lines = clientJournal(waits(withBody('{"name":"cat"}'))).map((line) =>
    line.kind === 'response' && line.requestBody !== null
      ? {
          ...line,
          requestBody: { excerpt: '{"na', encoding: 'utf8' as const, bytes: 9_000_000, cut: true as const },
        }
      : line,
  );
  assert.equal(clientFinding(lines, 'CLIENT-4').verdict, 'inconclusive');
});
