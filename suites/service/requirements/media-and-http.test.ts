import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import { creations } from '../probes/creations.ts';
import { identities } from '../probes/open-behavior.ts';
import { messageRows } from './media-and-http/message.rows.ts';

const { lines } = await virtualRun();
const { at, asked, answered } = edit;
const limited = asked('exhaust-quota');
const creation = asked('first-creation');
const list = asked('preflight');
const byAnotherName = identities.steps.otherName;
const charset = asked(creations.id, creations.steps.charset);
const type = (value: string) => edit.header('Content-Type', value);
/** A 429 that says nothing to caches but when it expires. */
const expiring = (value: string) =>
  at(answered(429), edit.header('Cache-Control'), edit.header('Expires', value));
const cache = (value: string) => at(answered(429), edit.header('Cache-Control', value));

testChapter('Media and HTTP', lines, [
  { id: 'MEDIA-1', description: 'application/json everywhere', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'MEDIA-1',
    description: 'with a parameter in capitals (K49)',
    journal: at(list, type('application/JSON;charset=UTF-8')),
    verdict: 'pass',
  },
  {
    id: 'MEDIA-1',
    description: 'a page for whoever accepts pages',
    journal: at(asked('identities', byAnotherName), type('text/html; charset=utf-8')),
    verdict: 'warn',
  },
  {
    id: 'MEDIA-1',
    description: 'a text for whoever accepts any type',
    journal: at(asked('identities', byAnotherName), type('text/plain')),
    verdict: 'fail',
  },
  {
    id: 'MEDIA-1',
    description: 'a named operation that is answered with a page',
    journal: at(asked('other-operations'), edit.status(200), type('text/html')),
    verdict: 'fail',
  },
  {
    id: 'MEDIA-1',
    description: 'the same, but nothing shows that it belongs to the service',
    journal: edit.all(
      at(asked('other-operations'), edit.status(200), type('text/html')),
      at(
        ({ caller, request }) => caller === 'unauthenticated' && !request.target.includes('categories'),
        edit.status(404),
      ),
    ),
    verdict: 'pass',
  },
  {
    id: 'HTTP-4',
    description: 'no response to one request without a key',
    journal: at(asked('other-spellings', 'a path parameter'), edit.silent('timeout')),
    verdict: 'warn',
  },
  { id: 'MEDIA-1', description: 'a body cut by our own bound', journal: at(list, edit.cut), verdict: 'pass' },
  {
    id: 'MEDIA-1',
    description: 'a byte order mark before the JSON',
    journal: at(list, edit.responseBody('\uFEFF[]')),
    verdict: 'warn',
  },
  {
    id: 'MEDIA-1',
    description: 'a name twice in one object, with different values',
    journal: at(list, edit.responseBody('[{"id":1,"name":"a","name":"b"}]')),
    verdict: 'warn',
  },
  {
    id: 'MEDIA-1',
    description: 'a name in an object and in another one within it (K42)',
    journal: at(list, edit.responseBody('[{"id":1,"name":"a","parent":{"id":2,"name":"b"}}]')),
    verdict: 'pass',
  },
  ...messageRows(list),
  {
    id: 'MEDIA-1',
    description: 'identity written out',
    journal: at(list, edit.header('Content-Encoding', 'identity')),
    verdict: 'pass',
  },
  {
    id: 'MEDIA-1',
    description: 'text/html on a 400',
    journal: at(answered(400), type('text/html')),
    verdict: 'fail',
  },
  {
    id: 'MEDIA-1',
    description: 'the same media type twice',
    journal: at(list, edit.header('Content-Type', 'application/json', 'application/json')),
    verdict: 'warn',
  },
  {
    id: 'MEDIA-1',
    description: 'no media type',
    journal: at(list, edit.header('Content-Type')),
    verdict: 'fail',
  },
  {
    id: 'MEDIA-1',
    description: 'a body that is no JSON',
    journal: at(creation, edit.responseBody('created')),
    verdict: 'fail',
  },
  {
    id: 'MEDIA-1',
    description: 'a look-alike media type',
    journal: at(list, type('application/jsonp')),
    verdict: 'fail',
  },
  { id: 'MEDIA-2', description: 'a JSON body', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'MEDIA-2',
    description: 'plain text',
    journal: at(answered(429), type('text/plain'), edit.responseBody('slow down')),
    verdict: 'warn',
  },
  {
    id: 'MEDIA-2',
    description: 'no body at all (K68)',
    journal: at(answered(429), edit.responseBody('')),
    verdict: 'inconclusive',
  },
  { id: 'MEDIA-3', description: 'accepted', journal: edit.unchanged, verdict: 'pass' },
  { id: 'MEDIA-3', description: '415', journal: at(charset, edit.status(415)), verdict: 'warn' },
  {
    id: 'MEDIA-3',
    description: 'a 429 instead',
    journal: at(charset, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'MEDIA-3',
    description: 'no-response',
    journal: at(charset, edit.silent('reset')),
    verdict: 'inconclusive',
  },
  { id: 'HTTP-1', description: 'on every 401', journal: edit.unchanged, verdict: 'pass' },
  { id: 'HTTP-1', description: 'in lower case', journal: at(answered(401), edit.lowerCase), verdict: 'pass' },
  {
    id: 'HTTP-1',
    description: 'nowhere (K69)',
    journal: at(answered(401), edit.header('WWW-Authenticate')),
    verdict: 'warn',
  },
  ...[
    '',
    ' ',
    'The API key is not valid.',
    '"Bearer"',
    'Basic realm="x"',
    'ApiKey, Basic realm="Bearer"',
  ].map((value) => ({
    id: 'HTTP-1' as const,
    description: `no challenge of Bearer: ${JSON.stringify(value)}`,
    journal: at(answered(401), edit.header('WWW-Authenticate', value)),
    verdict: 'warn' as const,
  })),
  ...[
    'Bearer',
    'bearer realm="a, b"',
    'Basic realm=x, Bearer',
    ', Bearer error = "x"',
    'Negotiate YWJj==, Bearer',
  ].map((value) => ({
    id: 'HTTP-1' as const,
    description: `the challenge ${value}`,
    journal: at(answered(401), edit.header('WWW-Authenticate', value)),
    verdict: 'pass' as const,
  })),
  {
    id: 'HTTP-1',
    description: 'a challenge on the second of two lines',
    journal: at(answered(401), edit.header('WWW-Authenticate', 'Basic realm="x"', 'Bearer')),
    verdict: 'pass',
  },
  {
    id: 'HTTP-1',
    description: 'no 401 in the run',
    journal: edit.without(answered(401)),
    verdict: 'inconclusive',
  },
  { id: 'HTTP-2', description: 'everywhere', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'HTTP-2',
    description: 'nowhere (K29)',
    journal: at(answered(200, 201, 400, 401, 429), edit.header('Date')),
    verdict: 'warn',
  },
  {
    id: 'HTTP-2',
    description: 'no HTTP-date',
    journal: at(list, edit.header('Date', '2026-11-21T10:00:00Z')),
    verdict: 'warn',
  },
  {
    id: 'HTTP-2',
    description: 'missing on a 500, where the server may have no clock',
    journal: at(list, edit.status(500), edit.header('Date')),
    verdict: 'pass',
  },
  { id: 'HTTP-3', description: 'no-store', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'HTTP-3',
    description: 'nothing said',
    journal: at(answered(429), edit.header('Cache-Control')),
    verdict: 'pass',
  },
  { id: 'HTTP-3', description: 'max-age', journal: cache('public, max-age=60'), verdict: 'warn' },
  { id: 'HTTP-3', description: 'max-age=0', journal: cache('max-age=0'), verdict: 'pass' },
  {
    id: 'HTTP-3',
    description: 'Expires later than Date',
    journal: expiring('Sat, 01 Jan 2050 00:00:00 GMT'),
    verdict: 'warn',
  },
  {
    id: 'HTTP-3',
    description: 'Expires in the past',
    journal: expiring('Thu, 01 Jan 1970 00:00:00 GMT'),
    verdict: 'pass',
  },
  {
    id: 'HTTP-3',
    description: 'Expires that is no date: expired already',
    journal: expiring('-1'),
    verdict: 'pass',
  },
  { id: 'HTTP-3', description: 'no 429', journal: edit.without(answered(429)), verdict: 'inconclusive' },
  { id: 'HTTP-4', description: 'no breakdown', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'HTTP-4',
    description: '500 to a malformed body',
    journal: at(asked('rejections', 'truncated JSON'), edit.status(500)),
    verdict: 'warn',
  },
  {
    id: 'HTTP-4',
    description: '501 for an operation that is not there',
    journal: at(asked('other-operations'), edit.status(501)),
    verdict: 'pass',
  },
  {
    id: 'HTTP-4',
    description: 'a new connection dropped',
    journal: at(edit.first(limited), edit.silent('reset'), fresh(true)),
    verdict: 'warn',
  },
  {
    id: 'HTTP-4',
    description: 'a kept connection closed as it was used again (K53)',
    journal: at(creation, edit.silent('reset'), fresh(false)),
    verdict: 'pass',
  },
  { id: 'HTTP-4', description: 'a body that broke off', journal: at(list, edit.broken), verdict: 'warn' },
]);

function fresh(isFresh: boolean): edit.Edit {
  return (exchange) => ({ ...exchange, connection: { ...exchange.connection, fresh: isFresh } });
}
