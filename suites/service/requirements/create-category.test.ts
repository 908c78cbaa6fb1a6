import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { VerdictRow } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/verdict-rows.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { JudgedId } from '../evidence/evidence.ts';
import { creations, firstBatch } from '../probes/creations.ts';
import type { StepOf } from '../probes/probe.ts';
import { invalidBodies, rejections } from '../probes/valid-creation.ts';
import { idRows } from './create-category/ids.rows.ts';
import { acceptedCreationRows, storedOnceRows } from './create-category/stored-once.rows.ts';

const { lines } = await virtualRun();
const { answered, asked, at } = edit;
const full = asked('first-creation');
const alone = asked(creations.id, creations.steps.nameAlone);
const listed = (name: string) =>
  edit.rewriteAt(asked('second-batch'), (text) =>
    text.replace(/]$/, `,{"id":77,"name":${JSON.stringify(name)}}]`),
  );

const ERROR = edit.responseBody({ code: 'c', message: 'm', status: 400 });

/** Every body that must be rejected: rejected, accepted, rate-limited, without a response. */
const statuses = invalidBodies.flatMap(({ requirement, step, acceptable }) => {
  const one = asked(rejections.id, step);
  return rowsOf(requirement as JudgedId, {
    [`${step}: 400`]: pass(edit.unchanged),
    [`${step}: 201`]: (acceptable === undefined ? fail : warn)(
      at(one, edit.status(201), edit.responseBody({ id: 50, name: 'x' })),
    ),
    [`${step}: 500`]: fail(at(one, edit.status(500))),
    [`${step}: a 503 instead`]: inconclusive(at(one, edit.status(503))),
    [`${step}: a 503 and then a 400`]: pass(edit.unavailableBefore(one)),
    [`${step}: a 429 instead`]: inconclusive(at(one, edit.limited)),
    [`${step}: no response`]: inconclusive(at(one, edit.silent('timeout'))),
  });
});

/** Statuses that HTTP has for no content, and for content that cannot be read. */
const otherwise = (step: StepOf<typeof rejections>) =>
  each([411, 413, 415, 422], (code) => [
    `${step}: ${code}`,
    (code === 413 ? fail : warn)(at(asked(rejections.id, step), edit.status(code))),
  ]);

const ofNumber = asked(rejections.id, rejections.steps['name is a number']);
/** The same request failed right before it was sent again. */
const failedBefore = edit.precededBy(ofNumber, edit.status(500), (one) => ({ ...one, received: one.sent }));
const page = [
  edit.header('X-RateLimit-Limit'),
  edit.header('X-RateLimit-Remaining'),
  edit.header('X-RateLimit-Reset'),
];
/** Every status that an invalid body may be answered with. */
const invalidBodyRows: readonly VerdictRow[] = [
  ...statuses,
  ...rowsOf('CREATE-8', { ...otherwise('no body'), ...otherwise('empty body with a content type') }),
  ...rowsOf('CREATE-9', { ...otherwise('truncated JSON'), ...otherwise('text after the JSON') }),
  ...rowsOf('CREATE-5', {
    '500, and 400 to the same body right after it': pass(failedBefore),
    '520, of a gateway that does not reach the service': inconclusive(at(ofNumber, edit.status(520))),
    '403 without the headers of the service, but with its Error': fail(
      at(ofNumber, edit.status(403), ...page),
    ),
    '403 without the headers and the Error of the service': warn(
      at(ofNumber, edit.status(403), edit.responseBody({ message: 'Forbidden' }), ...page),
    ),
    '406 as a page with the headers of the service': fail(
      at(ofNumber, edit.status(406), edit.header('Content-Type', 'text/html')),
    ),
  }),
];

/** The first creation of the first batch gets 409, and this when it is sent alone. */
function conflicting(code: number): edit.Change {
  const inBatch = edit.first(edit.both(edit.asked(firstBatch.id), edit.answered(201)));
  const { parallel, alone } = firstBatch.steps;
  const at =
    (step: string): edit.Edit =>
    (one) => ({ ...one, step });
  const beside = edit.precededBy(inBatch, edit.status(409), ERROR, at(parallel));
  const sentAlone = edit.at(inBatch, edit.status(code), at(alone));
  return (journal) => beside(sentAlone(journal));
}

/** CREATE-1: a creation that gets 409 beside another one. */
const conflictRows: readonly VerdictRow[] = rowsOf('CREATE-1', {
  '409 beside another creation, and 201 for the same body alone': warn(conflicting(201)),
  '409 beside another creation, and 201 for another body alone': pass((lines) =>
    at(
      edit.both(asked(firstBatch.id), answered(409)),
      edit.requestBody({ name: 'another' }),
    )(conflicting(201)(lines)),
  ),
});

/** The creation that carries this text, in its request. */
const carrying = (text: string) => (exchange: Exchange) =>
  exchange.request.method === 'POST' &&
  exchange.request.body?.cut === false &&
  exchange.request.body.text.includes(JSON.stringify(text).slice(1, -1));
/** The 201 to the creation that carries this text shows another one in its place. */
const shows = (text: string, other: string): edit.Change =>
  edit.rewriteAt(carrying(text), (body) =>
    body.replace(JSON.stringify(text).slice(1, -1), JSON.stringify(other).slice(1, -1)),
  );

/** The 201 to the creation without a description has this one. */
const describedAs = (description: string): edit.Change =>
  edit.rewriteAt(alone, (text) => text.replace('}', `,"description":${JSON.stringify(description)}}`));

/** What a service makes of the texts that creations send. */
const textRows: readonly VerdictRow[] = rowsOf('CREATE-3', {
  ...each([['a name in NFD', '\u00e9\u00fc\u00f1', 'e\u0301u\u0308n\u0303']], ([what, text, other]) => [
    what,
    fail(shows(text, other)),
  ]),
  'a decomposed name in NFC': warn(shows('e\u0301u\u0308', '\u00e9\u00fc')),
  'a name without the white space around it (K62)': pass(
    edit.all(
      at(alone, edit.requestBody({ name: ' pc-virtual1-v9 ' })),
      at(alone, edit.responseBody({ id: 3, name: 'pc-virtual1-v9' })),
    ),
  ),
  'the description of another creation where none was sent': fail(describedAs('Made by a conformance run.')),
  'a description of the service itself where none was sent': pass(describedAs('No description yet.')),
  'an earlier category, with its id and description, where no description was sent': pass(
    edit.rewriteAt(alone, (text) =>
      text.replace(/"id":\d+/, '"id":1').replace('}', ',"description":"Made by a conformance run."}'),
    ),
  ),
});

/** The description is not the run's own. */
const OF_ALL_RUNS = { name: 'pc-virtual1-unknown', description: 'a description of every run' };

testChapter('Create a category', lines, [
  ...invalidBodyRows,
  ...idRows,
  ...storedOnceRows,
  ...acceptedCreationRows,
  ...conflictRows,
  ...rowsOf('CREATE-3', {
    'the description "undefined" where none was sent': warn(describedAs('undefined')),
    'another name': fail(edit.rewriteAt(full, (text) => text.replace('-full', '-FULL'))),
    'no description': fail(edit.rewriteAt(full, (text) => text.replace(/,"description":"[^"]*"/, ''))),
    'a name of 1,000 characters that came back cut': warn(
      edit.rewriteAt(asked('open-creations', 'very long name in a very large body'), (text) =>
        text.replace(/x{900,}/, 'x'),
      ),
    ),
    'the same, and another name': fail(
      edit.all(
        edit.rewriteAt(asked('open-creations', 'very long name in a very large body'), (text) =>
          text.replace(/x{900,}/, 'x'),
        ),
        edit.rewriteAt(full, (text) => text.replace('-full', '-FULL')),
      ),
    ),
    'a name of 1,000 characters that is too long (K63)': pass(
      at(asked('open-creations', 'very long name in a very large body'), edit.status(413), ERROR),
    ),
    'a Category without an id': fail(edit.rewriteAt(full, (text) => text.replace(/"id":\d+,/, ''))),
    'no body': fail(at(full, edit.responseBody(''))),
    'every body broke off': inconclusive(at(answered(201), edit.broken)),
  }),
  ...textRows,

  ...rowsOf('CREATE-10', {
    'a 401 created it, after a 429': fail(
      edit.all(
        at(asked('recovery'), edit.responseBody([{ id: 9, name: 'pc-virtual1-no-key' }])),
        edit.precededBy(asked('unauthenticated-creations', 'creation without a key'), edit.limited),
      ),
    ),
    'a 400 created it, with another name': fail(
      at(asked('recovery'), edit.responseBody([{ id: 9, name: '123', description: 'pc-virtual1-bad-2' }])),
    ),
    'the description of a creation with 400, which an earlier run sent, too, stands in a list': pass(
      edit.all(
        at(asked('open-creations', 'unknown field'), edit.status(400), ERROR, edit.requestBody(OF_ALL_RUNS)),
        at(asked('recovery'), edit.responseBody([{ ...OF_ALL_RUNS, id: 9, name: 'earlier' }])),
      ),
    ),
    'every list is a page (K59)': inconclusive(
      at(answered(200), edit.header('Link', '</v1/categories?page=2>; rel=next')),
    ),
    'malformed JSON that returned 400 created it': fail(listed('pc-virtual1-bad-18')),
    'a creation that the specification leaves open returned 400 and created it': fail(
      edit.all(
        at(asked('open-creations', 'null description'), edit.status(400), ERROR),
        listed('pc-virtual1-null-desc'),
      ),
    ),
  }),
]);
