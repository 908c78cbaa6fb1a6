import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../evaluation/testing/suites/edits.ts';
import { testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import { creations } from '../probes/creations.ts';
import { identities } from '../probes/open-behavior.ts';

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

/** How the bytes of a response are written: its framing and its content coding. */
const messageRows = [
  ...rowsOf('MEDIA-1', {
    'a coding that was not undone': warn(at(list, edit.header('Content-Encoding', 'gzip'), edit.binary)),
    ...each(['gzip', 'x-gzip', 'deflate', 'br', 'identity, GZIP'], (coding) => [
      `the coding ${coding}, which the body does not have`,
      fail(at(list, edit.header('Content-Encoding', coding)), /Content-Encoding/),
    ]),
    ...each(['UTF-8', 'none', 'json', 'aws-chunked'], (coding) => [
      `the coding ${coding}, which is none`,
      warn(at(list, edit.header('Content-Encoding', coding)), /Content-Encoding/),
    ]),
    'what is no coding, before what is no JSON': fail(
      at(list, edit.header('Content-Encoding', 'UTF-8'), edit.responseBody('<p>')),
    ),
    'a body that no client reads': fail(
      at(list, edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
    ),
  }),
  ...rowsOf('LIST-2', {
    'a list whose Content-Encoding is a charset': pass(at(list, edit.header('Content-Encoding', 'UTF-8'))),
  }),

  ...rowsOf('HTTP-4', {
    'a body that no client reads': warn(
      at(list, edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
    ),
    'a response that strict clients reject': warn(
      at(list, edit.reading({ irregular: ['Content-Length beside Transfer-Encoding'] })),
      /Content-Length beside Transfer-Encoding/,
    ),
  }),
];

testJudges('media-and-http', lines, [
  ...rowsOf('MEDIA-1', {
    'a page for whoever accepts pages': warn(
      at(asked('identities', byAnotherName), type('text/html; charset=utf-8')),
    ),
    'a named operation that is answered with a page': fail(
      at(asked('other-operations'), edit.status(200), type('text/html')),
    ),
    'the same, but nothing shows that it belongs to the service': pass(
      edit.all(
        at(asked('other-operations'), edit.status(200), type('text/html')),
        at(
          ({ caller, request }) => caller === 'unauthenticated' && !request.target.includes('categories'),
          edit.status(404),
        ),
      ),
    ),
    'a body cut by our own bound': pass(at(list, edit.cut)),
    'a byte order mark before the JSON': warn(at(list, edit.responseBody('\uFEFF[]'))),
    'a name twice in one object, with different values': warn(
      at(list, edit.responseBody('[{"id":1,"name":"a","name":"b"}]')),
    ),
    'identity written out': pass(at(list, edit.header('Content-Encoding', 'identity'))),
    'text/html on a 400': fail(at(answered(400), type('text/html'))),
    'the same media type twice': warn(
      at(list, edit.header('Content-Type', 'application/json', 'application/json')),
    ),
    'two media types, joined by a gateway': fail(at(list, type('application/json, text/html'))),
    'the same media type twice, joined by a gateway': warn(
      at(list, type('application/json; charset=utf-8, application/json; charset=utf-8')),
    ),
    'a body that is no JSON': fail(at(creation, edit.responseBody('created'))),
    'a look-alike media type': fail(at(list, type('application/jsonp'))),
  }),
  ...rowsOf('HTTP-4', {
    'no response to one request without a key': warn(
      at(asked('other-spellings', 'a path parameter'), edit.silent('timeout')),
    ),
    '500 to a malformed body': warn(at(asked('rejections', 'truncated JSON'), edit.status(500))),
    'a new connection dropped': warn(at(edit.first(limited), edit.silent('reset'), fresh(true))),
    'a kept connection closed as it was used again (K53)': pass(
      at(creation, edit.silent('reset'), fresh(false)),
    ),
    'a body that broke off': warn(at(list, edit.broken)),
  }),

  ...messageRows,

  ...rowsOf('MEDIA-2', {
    'plain text': warn(at(answered(429), type('text/plain'), edit.responseBody('slow down'))),
    'no body at all (K68)': inconclusive(at(answered(429), edit.responseBody(''))),
  }),
  ...rowsOf('MEDIA-3', {
    '415': warn(at(charset, edit.status(415))),
    'a 429 instead': inconclusive(at(charset, edit.limited)),
    'no-response': inconclusive(at(charset, edit.silent('reset'))),
  }),
  ...rowsOf('HTTP-1', {
    ...each(
      ['', ' ', 'The API key is not valid.', '"Bearer"', 'Basic realm="x"', 'ApiKey, Basic realm="Bearer"'],
      (value) => [
        `no challenge of Bearer: ${JSON.stringify(value)}`,
        warn(at(answered(401), edit.header('WWW-Authenticate', value))),
      ],
    ),
    ...each(
      [
        'Bearer',
        'bearer realm="a, b"',
        'Basic realm=x, Bearer',
        ', Bearer error = "x"',
        'Negotiate YWJj==, Bearer',
      ],
      (value) => [`the challenge ${value}`, pass(at(answered(401), edit.header('WWW-Authenticate', value)))],
    ),
    'a challenge on the second of two lines': pass(
      at(answered(401), edit.header('WWW-Authenticate', 'Basic realm="x"', 'Bearer')),
    ),
  }),
  ...rowsOf('HTTP-2', {
    everywhere: pass(edit.unchanged),
    'nowhere (K29)': warn(at(answered(200, 201, 400, 401, 429), edit.header('Date'))),
    'a Date that stands still': warn(
      at(() => true, edit.header('Date', 'Sat, 21 Nov 2026 10:00:00 GMT')),
      /and still in/,
    ),
    'missing on a 500, where the server may have no clock': pass(
      at(list, edit.status(500), edit.header('Date')),
    ),
  }),
  ...rowsOf('HTTP-3', {
    'max-age': warn(cache('public, max-age=60')),
    'max-age=0': pass(cache('max-age=0')),
    'no-store beside max-age': pass(cache('no-store, max-age=60')),
    'Expires later than Date, but private': pass(
      at(
        answered(429),
        edit.header('Cache-Control', 'private'),
        edit.header('Expires', 'Sat, 01 Jan 2050 00:00:00 GMT'),
      ),
    ),
    'Expires later than Date': warn(expiring('Sat, 01 Jan 2050 00:00:00 GMT')),
    'Expires in the past': pass(expiring('Thu, 01 Jan 1970 00:00:00 GMT')),
    'Expires that is no date: expired already': pass(expiring('-1')),
  }),
]);

function fresh(isFresh: boolean): edit.Edit {
  return (exchange) => ({ ...exchange, connection: { ...exchange.connection, fresh: isFresh } });
}
