import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import type { Exchange, HeaderLine } from '../../../../kernel/exchanges/exchange.ts';
import { frameworkOf } from './frameworks.ts';

function exchange(text: string, headers: readonly HeaderLine[]): Exchange {
  const [made] = new Synthesis().add({ status: 400 }).exchanges;
  assert.ok(made?.outcome.kind === 'answer');
  return { ...made, outcome: { ...made.outcome, headers, body: body(text) } };
}

const json: HeaderLine = ['Content-Type', 'application/json'];
const express =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>';

/** Responses as the frameworks send them by default, shortened. */
const rows: readonly (readonly [framework: string, sure: boolean, text: string, ...headers: HeaderLine[]])[] =
  [
    ['Express', true, '{}', json, ['X-Powered-By', 'Express']],
    ['Express', true, `${express}\n<body>\n<pre>Cannot GET /x</pre>`],
    [
      'NestJS',
      true,
      '{"message":"Cannot GET /x","error":"Not Found","statusCode":404}',
      ['X-Powered-By', 'Express'],
    ],
    ['NestJS', true, '{"message":["name must be a string"],"error":"Bad Request","statusCode":400}'],
    ['NestJS', true, '{"message":"Unauthorized","statusCode":401}', ['X-Powered-By', 'Express']],
    ['Fastify', true, '{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}'],
    [
      'Fastify',
      true,
      '{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"body must be object"}',
    ],
    ['Fastify', false, '{"statusCode":400,"error":"Bad Request","message":"no"}'],
    [
      'FastAPI',
      true,
      '{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required","input":{}}]}',
    ],
    ['FastAPI', false, '{"detail":"Not authenticated"}'],
    ['FastAPI', true, '{"detail":"no"}', ['Server', 'uvicorn']],
    ['Flask', false, '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>'],
    ['Flask', true, '{}', ['Server', 'Werkzeug/3.1.3 Python/3.11.7']],
    ['Django', true, '<!DOCTYPE html><p>because you have <code>DEBUG = True</code> in your settings'],
    [
      'Django',
      false,
      '<!doctype html><body>\n  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>',
    ],
    ['Django REST framework', true, '{"name":["This field is required."]}'],
    ['Django REST framework', true, '{"detail":"JSON parse error - Expecting value"}'],
    ['Django', true, '<!DOCTYPE html>\n<html lang="en">\n<head>\n  <title>Page not found at /x</title>'],
    ['Django REST framework', true, '{"detail":"Authentication credentials were not provided."}'],
    [
      'Spring',
      true,
      '{"timestamp":"2026-11-21T10:00:00Z","status":400,"error":"Bad Request","path":"/v1/categories"}',
    ],
    [
      'ASP.NET Core',
      true,
      '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","title":"Bad","status":400,"traceId":"00-1"}',
    ],
    ['ASP.NET Core', true, '', ['Server', 'Kestrel']],
    ['Rails', false, '{"status":400,"error":"Bad Request"}'],
    ['Laravel', true, '{"message":"Unauthenticated."}'],
    [
      'Laravel',
      false,
      '{"message":"The name field is required.","errors":{"name":["The name field is required."]}}',
    ],
    ['Go net/http', true, '404 page not found\n'],
    [
      'Go net/http',
      false,
      'invalid\n',
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    ['Hono', false, 'Internal Server Error', ['Content-Type', 'text/plain; charset=UTF-8']],
    ['Hono', false, 'No.', ['Content-Type', 'text/plain;charset=UTF-8']],
  ];
for (const [framework, sure, text, ...headers] of rows) {
  test(`${sure ? 'this is' : 'this looks like'} ${framework}: ${text.slice(0, 60)}`, () => {
    const found = frameworkOf(exchange(text, headers));
    assert.deepEqual([found?.framework, found?.sure], [framework, sure]);
  });
}

test('an answer of no framework in particular is of none', () => {
  for (const text of [
    '',
    '[]',
    '{"code":"a","message":"b","status":400}',
    '{"error":"no"}',
    '<html>',
    'no',
  ]) {
    assert.equal(frameworkOf(exchange(text, [json])), undefined, text);
  }
});

test('a silence is of none', () => {
  const [silent] = new Synthesis().add({ noResponse: 'timeout' }).exchanges;
  assert.ok(silent !== undefined);
  assert.equal(frameworkOf(silent), undefined);
});
