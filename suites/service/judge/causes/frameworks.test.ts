import { test } from 'node:test';
import { body, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { assertPage } from '../../../../evaluation/testing/tools/page.ts';
import type { HeaderLine } from '../../../../kernel/exchanges/exchange.ts';
import { frameworkOf } from './frameworks.ts';

const JSON_TYPE: HeaderLine = ['Content-Type', 'application/json'];
const TEXT: HeaderLine = ['Content-Type', 'text/plain; charset=utf-8'];
const POWERED: HeaderLine = ['X-Powered-By', 'Express'];

/** Responses as frameworks send them by default, shortened, and some that any service may send. */
const responses: readonly (readonly [text: string, ...headers: readonly HeaderLine[]])[] = [
  ['{}', JSON_TYPE, POWERED],
  ['<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>'],
  ['{"message":"Cannot GET /x","error":"Not Found","statusCode":404}', POWERED],
  ['{"message":["name must be a string"],"error":"Bad Request","statusCode":400}'],
  ['{"message":"Unauthorized","statusCode":401}', POWERED],
  ['{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}'],
  ['{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"no object"}'],
  ['{"statusCode":400,"error":"Bad Request","message":"no"}'],
  ['{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required","input":{}}]}'],
  ['{"detail":"Not authenticated"}'],
  ['{"detail":"no"}', ['Server', 'uvicorn']],
  ['<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>'],
  ['{}', ['Server', 'Werkzeug/3.1.3 Python/3.11.7']],
  ['<!DOCTYPE html><p>because you have <code>DEBUG = True</code> in your settings'],
  ['<!doctype html><h1>Not Found</h1><p>The requested resource was not found on this server.</p>'],
  ['<!DOCTYPE html>\n<html lang="en">\n<head>\n  <title>Page not found at /x</title>'],
  ['{"name":["This field is required."]}'],
  ['{"detail":"JSON parse error - Expecting value"}'],
  ['{"detail":"Authentication credentials were not provided."}'],
  ['{"timestamp":"2026-11-21T10:00:00Z","status":400,"error":"Bad Request","path":"/v1/categories"}'],
  ['{"type":"https://tools.ietf.org/html/rfc9110","title":"Bad","status":400,"traceId":"00-1"}'],
  ['', ['Server', 'Kestrel']],
  ['{"status":400,"error":"Bad Request"}'],
  ['{"message":"Unauthenticated."}'],
  ['{"message":"The name field is required.","errors":{"name":["The name field is required."]}}'],
  ['404 page not found\n'],
  ['invalid\n', TEXT, ['X-Content-Type-Options', 'nosniff']],
  ['Internal Server Error', ['Content-Type', 'text/plain; charset=UTF-8']],
  ['No.', ['Content-Type', 'text/plain;charset=UTF-8']],
  ['', JSON_TYPE],
  ['[]', JSON_TYPE],
  ['{"code":"a","message":"b","status":400}', JSON_TYPE],
  ['{"error":"no"}', JSON_TYPE],
  ['<html>', JSON_TYPE],
  ['no', JSON_TYPE],
];

test('responses show the frameworks that they are known to show', () => {
  const [made, silent] = new Synthesis().add({ status: 400 }, { noResponse: 'timeout' }).exchanges;
  if (made?.outcome.kind !== 'answer' || silent === undefined) throw new Error('There is no answer to edit.');
  const { outcome } = made;
  const shownBy = (exchange: typeof made): string => {
    const found = frameworkOf(exchange);
    return found === undefined ? 'none' : `${found.sure ? 'surely' : 'perhaps'} ${found.framework}`;
  };
  const page = responses.map(([text, ...headers]) => {
    const shown = shownBy({ ...made, outcome: { ...outcome, headers, body: body(text) } });
    const lines = [...headers.map((line) => line.join(': ')), ...text.split('\n')];
    return `${shown}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
  });
  assertPage(
    'suites/service/judge/causes/frameworks.txt',
    `${page.join('')}${shownBy(silent)}\n  no response\n`,
  );
});
