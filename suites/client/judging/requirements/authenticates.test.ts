import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  after429,
  clientFinding,
  creation,
  list,
  testClients,
  waits,
} from '../../../../evaluation/testing/clients/scripted.ts';
import type { StatedRequest } from '../../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal, headersOf } from '../../../../evaluation/testing/clients/synthetic-client.ts';

const withHeaders = (...headers: readonly (readonly [string, string])[]) =>
  after429({ at: 3002, headers }, creation(3010));
const withCreation = (body: string | null, ...headers: readonly (readonly [string, string])[]) =>
  after429(list(3002), {
    ...{ at: 3010, method: 'POST', body },
    headers: headers.length === 0 ? headersOf('POST') : [...headersOf('GET'), ...headers],
  });
const CAT = '{"name":"cat"}';
const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
/** A request before the others, by default without the key. */
const first = (request: Omit<StatedRequest, 'at'>) =>
  waits({ seconds: [{ at: 0, status: 401, headers: [], ...request }, list(10)] });
const KEY_IN_QUERY = { at: 3002, target: '/v1/categories?api_key=[key]' };
testClients('CLIENT-4', {
  pass: {
    'writes the scheme in lower case': withHeaders(['authorization', 'bearer [key]']),
    'sends a charset': withCreation(CAT, ['Content-Type', 'application/json; charset=UTF-8']),
    'sends a description': withCreation('{"name":"cat","description":"purrs"}'),
    'sends a description of more levels than are read, beside another creation': withCreation(
      `{"name":"cat","description":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    ),
    'sends a property of its own': withCreation('{"name":"cat","tag":null}'),
    'opens a connection with a request outside the service, without the key': first({
      method: 'HEAD',
      target: '/',
    }),
    'refreshes a token outside the service, with a form': first({
      method: 'POST',
      target: '/oauth/token',
      headers: [FORM],
      body: 'grant_type=refresh_token',
    }),
    'asks with OPTIONS first, as browsers do': after429(
      { at: 3001, method: 'OPTIONS', headers: [] },
      list(3002),
    ),
  },
  warn: {
    'writes two spaces': withHeaders(['Authorization', 'Bearer  [key]']),
    'sends the key in a second header, too': withHeaders(
      ['Authorization', 'Bearer [key]'],
      ['X-Api-Key', '[key]'],
    ),
    'sends the key in the query, too': after429(KEY_IN_QUERY),
    'sends null as the description': withCreation('{"name":"cat","description":null}'),
    'sends the key in the body, too': withCreation('{"name":"cat","api_key":"[key]"}'),
    'compresses a creation': withCreation('\u001f\ufffd', JSON_TYPE, ['Content-Encoding', 'gzip']),
    'refreshes a token below the base address, without the key': first({
      method: 'POST',
      target: '/v1/oauth/token',
      body: null,
    }),
    'sends its key outside the service, in the query': first({ target: '/status?key=[key]', status: 404 }),
  },
  fail: {
    'sends no key': withHeaders(),
    'sends the bare key': withHeaders(['Authorization', '[key]']),
    'sends another scheme': withHeaders(['Authorization', 'Token [key]']),
    'sends two of them': withHeaders(['Authorization', 'Bearer [key]'], ['authorization', 'Bearer [key]']),
    'sends a longer key': withHeaders(['Authorization', 'Bearer [key]x']),
    'sends the key in the query alone': after429({ ...KEY_IN_QUERY, headers: [] }),
    'sends a form': withCreation(CAT, FORM),
    'sends an id': withCreation('{"id":1,"name":"cat"}'),
    'sends no name': withCreation('{"description":"cat"}'),
    'sends a number as the description': withCreation('{"name":"cat","description":7}'),
    'sends a list': withCreation('["cat"]'),
    'sends no JSON': withCreation('name=cat'),
    'sends no body': withCreation(null),
    'looks an order list up without the key': first({ target: '/v1/store/orders?page=1' }),
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
  const lines = clientJournal(withCreation(CAT)).map((line) =>
    line.kind === 'response' && line.requestBody !== null
      ? {
          ...line,
          requestBody: { excerpt: '{"na', encoding: 'utf8', bytes: 9_000_000, cut: true } as const,
        }
      : line,
  );
  assert.equal(clientFinding(lines, 'CLIENT-4').verdict, 'inconclusive');
});
