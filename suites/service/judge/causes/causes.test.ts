import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import type { Change } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { body, Synthesis } from '../../../../evaluation/testing/suites/synthetic.ts';
import { assertPage } from '../../../../evaluation/testing/tools/page.ts';
import type { Exchange, HeaderLine } from '../../../../kernel/exchanges/exchange.ts';
import { ownFixOf } from '../../../../kernel/findings/finding.ts';
import type { Finding } from '../../../../kernel/findings/record.ts';
import { loadSpecification } from '../../../../spec/specification.ts';
import { creations } from '../../probes/creations.ts';
import type { StepName } from '../../probes/index.ts';
import { judge } from '../judge.ts';
import { frameworkOf } from './frameworks.ts';

const { lines } = await virtualRun();
const specification = await loadSpecification();
const { all, answered, asked, at, both } = edit;

const anybody = (): boolean => true;
const rejected = both(asked('rejections'), answered(400));
const keyless = ({ caller }: Exchange): boolean => caller === 'unauthenticated';
const creation = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && answered(201)(exchange);
const error = answered(400, 401);

const noName = asked('rejections', 'no name');
/** What was accepted although the key was presented so. */
const accepted = (step: StepName): Change => at(asked('invalid-credentials', step), edit.status(200));
const byRails = edit.header('X-Runtime', '0.004219');
const withoutHeaders = at(anybody, edit.withoutRateHeaders);
const PAGE =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>';

/** What a service does, and the findings whose sentence and fix the page shows beside the causes. */
const rows: Readonly<Record<string, readonly [change: Change, ...shown: readonly string[]]>> = {
  'it conforms': [edit.unchanged],
  'every invalid body returns 422 by a framework that shows itself': [
    at(
      rejected,
      edit.status(422),
      edit.responseBody({ detail: [{ loc: ['body', 'name'], msg: 'Field required' }] }),
    ),
  ],
  'every invalid body breaks the service down': [at(rejected, edit.status(500))],
  'every invalid body is accepted': [at(rejected, edit.status(201))],
  'one invalid body returns 422': [at(noName, edit.status(422)), 'CREATE-4'],
  'the same by a framework that shows itself': [at(noName, edit.status(422), byRails), 'CREATE-4'],
  'no body returns 415, which is no validation error of a framework': [
    at(asked('rejections', 'no body'), edit.status(415), byRails),
    'CREATE-8',
  ],
  'two invalid bodies return different statuses, so they have no cause in common': [
    all(at(noName, edit.status(422)), at(asked('rejections', 'body is null'), edit.status(415))),
  ],
  'no body breaks the service down: what follows stands behind': [
    at(asked('rejections', 'no body'), edit.status(500)),
  ],
  'a parser stops after the first value': [
    at(asked('rejections', 'text after the JSON'), edit.status(201)),
    'CREATE-9',
  ],
  'a reader turns numbers into strings': [
    at(asked('rejections', 'name is a number'), edit.status(201)),
    'CREATE-5',
  ],
  'a serialiser writes null for an absent text': [
    edit.rewriteAt(asked(creations.id, creations.steps.nameAlone), (body) =>
      body.replace(/\}$/, ',"description":null}'),
    ),
    'CAT-3',
  ],
  'creations return 200': [
    all(at(anybody, edit.header('X-Powered-By', 'Express')), at(creation, edit.status(200))),
  ],
  'the id of a category is the one that a client sent': [
    at(asked('creations', 'client-chosen id of another category'), (exchange) =>
      edit.rewrite(() => exchange.request.body?.text ?? '')(exchange),
    ),
  ],
  'no response carries the headers': [withoutHeaders],
  'the fields of the Internet-Draft stand in their place': [
    all(
      withoutHeaders,
      at(
        anybody,
        edit.header('RateLimit-Limit', '60'),
        edit.header('RateLimit-Remaining', '59'),
        edit.header('X-Powered-By', 'Express'),
      ),
    ),
  ],
  'near names stand in their place': [
    all(
      withoutHeaders,
      at(anybody, edit.header('X-Rate-Limit-Limit', '60'), edit.header('x-ratelimit-remaining-minute', '59')),
    ),
  ],
  'no client reads the lists': [
    at(asked('preflight'), edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
  ],
  'errors are pages of the framework': [
    at(error, edit.header('Content-Type', 'text/html'), edit.responseBody(PAGE)),
  ],
  'errors are plain text': [at(error, edit.header('Content-Type', 'text/plain'), edit.responseBody('no'))],
  'errors have other fields': [
    all(
      at(answered(401), edit.responseBody({ status: 401, error: 'Unauthorized' })),
      at(answered(400), edit.responseBody({ status: 400, error: 'Bad Request' })),
    ),
  ],
  'a guard answers 403': [at(keyless, edit.status(403))],
  'the key is accepted without its scheme': [accepted('bare key'), 'AUTH-4'],
  'the key is accepted with another scheme': [accepted('another scheme'), 'AUTH-4'],
  'the key is accepted in the query string': [accepted('query string'), 'AUTH-4'],
  'a part of the key is accepted': [accepted('key without its last character'), 'AUTH-3'],
  'a finding has two problems, of which the first one counts': [
    all(accepted('bare key'), at(asked('invalid-credentials', 'cookie'), edit.status(403))),
    'AUTH-4',
  ],
  'the 429 comes from somewhere else': [
    at(answered(429), edit.header('X-RateLimit-Limit'), edit.header('Retry-After')),
  ],
};

/** What a record of this journal states of causes, and of these findings. */
function shownBy(change: Change, shown: readonly string[]): string {
  const { causes, requirements } = judge({ lines: change(lines), damage: [] }, specification, {
    strict: false,
  });
  const of = (fix: string | undefined, proven: boolean | undefined): string =>
    `  ${proven === true ? 'proven' : 'untested'} fix: ${fix}\n`;
  const common = causes.map(({ id, title, requirements, fix, fixProven }) => {
    for (const one of requirements)
      assert.equal(ownFixOf(findingOf(one)), undefined, 'the fix stands at the cause');
    return `  ${id}: ${title}\n  ${requirements.join(', ')}\n${of(fix, fixProven)}`;
  });
  function findingOf(id: string): Finding {
    const finding = requirements.find((one) => one.id === id);
    assert.ok(finding !== undefined && finding.verdict !== 'pass');
    return finding;
  }
  const own = shown.map(
    (id) => `  ${id}: ${findingOf(id).because}\n  fix: ${ownFixOf(findingOf(id)) ?? 'that of the cause'}\n`,
  );
  const inCommon = causes.flatMap(({ requirements }) => requirements);
  assert.equal(new Set(inCommon).size, inCommon.length, 'a finding belongs to one cause at most');
  return [...common, ...own].join('') || '  no cause\n';
}

test('what a service does has the causes and the fixes that it is known to have', () => {
  const page = Object.entries(rows).map(
    ([what, [change, ...shown]]) => `${what}\n${shownBy(change, shown)}\n`,
  );
  assertPage('suites/service/judge/causes/causes.txt', page.join(''));
});

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
