import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientFinding,
  creation,
  limited,
  list,
  testClients,
  waits,
} from '../../../../evaluation/testing/clients/scripted.ts';
import { clientJournal, headersOf } from '../../../../evaluation/testing/clients/synthetic-client.ts';

const withHeaders = (...headers: readonly (readonly [string, string])[]) =>
  waits({ seconds: [limited(0, '3'), { at: 3002, headers }, creation(3010)] });
const withBody = (body: string | null) =>
  waits({ seconds: [limited(0, '3'), list(3002), { at: 3010, method: 'POST', body }] });
testClients('CLIENT-4', {
  pass: {
    'keeps the form': waits(),
    'writes the scheme in lower case': withHeaders(['authorization', 'bearer [key]']),
    'sends a charset': waits({
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('GET'), ['Content-Type', 'application/json; charset=UTF-8']],
        },
      ],
    }),
    'sends a description': withBody('{"name":"cat","description":"purrs"}'),
    'sends a description of more levels than are read, beside another creation': withBody(
      `{"name":"cat","description":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    ),
    'sends a property of its own': withBody('{"name":"cat","tag":null}'),
    'opens a connection with a request outside the service, without the key': waits({
      seconds: [{ at: 0, method: 'HEAD', target: '/', headers: [], status: 401 }, list(10)],
    }),
    'refreshes a token outside the service, with a form': waits({
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
    }),
    'asks with OPTIONS first, as browsers do': waits({
      seconds: [limited(0, '3'), { at: 3001, method: 'OPTIONS', headers: [] }, list(3002)],
    }),
  },
  warn: {
    'writes two spaces': withHeaders(['Authorization', 'Bearer  [key]']),
    'sends the key in a second header, too': withHeaders(
      ['Authorization', 'Bearer [key]'],
      ['X-Api-Key', '[key]'],
    ),
    'sends the key in the query, too': waits({
      seconds: [limited(0, '3'), { at: 3002, target: '/v1/categories?api_key=[key]' }],
    }),
    'sends null as the description': withBody('{"name":"cat","description":null}'),
    'sends the key in the body, too': withBody('{"name":"cat","api_key":"[key]"}'),
    'compresses a creation': waits({
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('POST'), ['Content-Encoding', 'gzip']],
          body: '\u001f\ufffd',
        },
      ],
    }),
    'refreshes a token below the base address, without the key': waits({
      seconds: [
        { at: 0, method: 'POST', target: '/v1/oauth/token', headers: [], body: null, status: 401 },
        list(10),
      ],
    }),
    'sends its key outside the service, in the query': waits({
      seconds: [{ at: 0, target: '/status?key=[key]', headers: [], status: 404 }, list(10)],
    }),
  },
  fail: {
    'sends no key': withHeaders(),
    'sends the bare key': withHeaders(['Authorization', '[key]']),
    'sends another scheme': withHeaders(['Authorization', 'Token [key]']),
    'sends two of them': withHeaders(['Authorization', 'Bearer [key]'], ['authorization', 'Bearer [key]']),
    'sends a longer key': withHeaders(['Authorization', 'Bearer [key]x']),
    'sends the key in the query alone': waits({
      seconds: [limited(0, '3'), { at: 3002, target: '/v1/categories?api_key=[key]', headers: [] }],
    }),
    'sends a form': waits({
      seconds: [
        limited(0, '3'),
        {
          ...creation(3002),
          headers: [...headersOf('GET'), ['Content-Type', 'application/x-www-form-urlencoded']],
        },
      ],
    }),
    'sends an id': withBody('{"id":1,"name":"cat"}'),
    'sends no name': withBody('{"description":"cat"}'),
    'sends a number as the description': withBody('{"name":"cat","description":7}'),
    'sends a list': withBody('["cat"]'),
    'sends no JSON': withBody('name=cat'),
    'sends no body': withBody(null),
    'looks an order list up without the key': waits({
      seconds: [{ at: 0, target: '/v1/store/orders?page=1', headers: [], status: 401 }, list(10)],
    }),
  },
  inconclusive: {
    'sends no creation, so its bodies are unknown': waits({
      seconds: [list(0)],
      creation: [],
      date: [list(0)],
    }),
  },
});

test('a creation whose body was not kept to its end proves nothing about it', () => {
  const lines = clientJournal(withBody('{"name":"cat"}')).map((line) =>
    line.kind === 'response' && line.requestBody !== null
      ? {
          ...line,
          requestBody: { excerpt: '{"na', encoding: 'utf8' as const, bytes: 9_000_000, cut: true as const },
        }
      : line,
  );
  assert.equal(clientFinding(lines, 'CLIENT-4').verdict, 'inconclusive');
});
