import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../evaluation/testing/suites/edits.ts';
import { testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import type { JudgedId } from '../evidence/evidence.ts';
import { creations, firstBatch } from '../probes/creations.ts';
import type { StepOf } from '../probes/probe.ts';
import { invalidBodies, rejections } from '../probes/valid-creation.ts';

const { lines } = await virtualRun();
const { answered, asked, at } = edit;
const full = asked('first-creation');
const alone = asked(creations.id, creations.steps.nameAlone);

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
/** Every status that an invalid body may be answered with. */
const invalidBodyRows = [
  ...statuses,
  ...rowsOf('CREATE-8', { ...otherwise('no body'), ...otherwise('empty body with a content type') }),
  ...rowsOf('CREATE-9', { ...otherwise('truncated JSON'), ...otherwise('text after the JSON') }),
  ...rowsOf('CREATE-5', {
    '500, and 400 to the same body right after it': pass(failedBefore),
    '520, of a gateway that does not reach the service': inconclusive(at(ofNumber, edit.status(520))),
    '403 without the headers of the service, but with its Error': fail(
      at(ofNumber, edit.status(403), edit.withoutRateHeaders),
    ),
    '403 without the headers and the Error of the service': warn(
      at(ofNumber, edit.status(403), edit.responseBody({ message: 'Forbidden' }), edit.withoutRateHeaders),
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
const conflictRows = rowsOf('CREATE-1', {
  '409 beside another creation, and 201 for the same body alone': warn(conflicting(201)),
  '409 beside another creation, and 201 for another body alone': pass((lines) =>
    at(
      edit.both(asked(firstBatch.id), answered(409)),
      edit.requestBody({ name: 'another' }),
    )(conflicting(201)(lines)),
  ),
});

const further = edit.first(edit.both(asked('first-batch'), answered(201)));

/** The creation is rejected with this status first, and then this body is sent with the outcome of the edits. */
const askedAgain = (
  where: edit.Where,
  code: number,
  sends: Readonly<Record<string, string>>,
  ...edits: readonly edit.Edit[]
): edit.Change => {
  const rejected = edit.precededBy(where, edit.status(code), ERROR);
  const again = at(edit.both(where, answered(201)), edit.requestBody(sends), ...edits);
  return (journal) => again(rejected(journal));
};
/** The first creation at the end of the quota; two more follow it. */
const firstEnding = edit.first(edit.both(asked('exhaust-quota'), answered(201)));
const isCreation: edit.Where = ({ request }) => request.method === 'POST';
const PLAINEST = { name: 'Pcabcdef' };
/** The same answered so, whatever was asked for. */
const noMoreAfter = (probe: string, code: number): edit.Change => {
  let passed = false;
  return at(
    (exchange) => {
      passed ||= exchange.probe === probe;
      return passed && exchange.request.method === 'POST' && exchange.caller === 'key';
    },
    edit.status(code),
    ERROR,
  );
};

/** That a valid creation returns 201, whatever bounds its names have (CREATE-1, CREATE-2). */
const acceptedCreationRows = [
  ...rowsOf('CREATE-1', {
    '200': fail(at(full, edit.status(200))),
    '500 for the last two creations': pass(
      at(
        edit.both(asked('exhaust-quota'), answered(201), (one) => !firstEnding(one)),
        edit.status(500),
        ERROR,
      ),
    ),
    '500 for the last three creations': fail(
      at(edit.both(asked('exhaust-quota'), answered(201)), edit.status(500), ERROR),
    ),
    '500 for the last creations but one': fail(
      edit.all(
        noMoreAfter('second-batch', 500),
        at(edit.first(edit.both(asked('exhaust-quota'), isCreation)), edit.status(400), ERROR),
      ),
    ),
    '200 without a category, and without a name in the request': pass(
      at(further, edit.status(200), edit.responseBody({}), edit.requestBody({})),
    ),
    '202 without the category for a further creation that is listed later': fail(
      at(further, edit.status(202), edit.responseBody({})),
    ),
    '200 for another request than a creation, which shows a category': pass(
      at(further, edit.status(200), (one) => ({ ...one, request: { ...one.request, method: 'PUT' } })),
    ),
    '200 without a category that is ever shown: perhaps a limit in disguise': pass(
      at(further, edit.status(200), edit.responseBody({}), edit.requestBody({ name: 'never shown' })),
    ),
    '400, and a run that broke off before it asked with a plainer name': inconclusive(
      at(full, edit.status(400)),
    ),
    '400, and 201 with a plainer name (K63)': pass(
      askedAgain(full, 400, { ...PLAINEST, description: 'plain' }),
    ),
    '400 with the plainest name and description, too': fail(
      askedAgain(full, 400, { ...PLAINEST, description: 'plain' }, edit.status(400), ERROR),
    ),
    '400 with the plainest name and a description that is not': inconclusive(
      askedAgain(full, 400, { ...PLAINEST, description: 'plain words' }, edit.status(400), ERROR),
    ),
    '403 at once, and at every creation after it: perhaps a key that may only read': inconclusive(
      noMoreAfter('first-creation', 403),
      /the key may only be allowed to read/,
    ),
    '402 at once, and at every creation after it': inconclusive(noMoreAfter('first-creation', 402)),
    '403 at once, and at every creation after it but one, which a gateway answered': inconclusive(
      edit.all(noMoreAfter('first-creation', 403), at(asked('rejections', 'body is null'), edit.status(503))),
    ),
    '403 with a page of HTML at once, and at every creation after it': fail(
      edit.all(
        noMoreAfter('first-creation', 403),
        at(
          edit.both(({ request, caller }) => request.method === 'POST' && caller === 'key', answered(403)),
          edit.header('Content-Type', 'text/html'),
        ),
      ),
    ),
  }),
  ...rowsOf('CREATE-4', {
    '403 for every creation: perhaps a key that may only read': inconclusive(
      noMoreAfter('first-creation', 403),
    ),
  }),
  ...rowsOf('CREATE-2', {
    '400, and 201 with a plainer name (K63)': pass(askedAgain(alone, 400, PLAINEST)),
    '422, and 201 with a plainer name': warn(askedAgain(alone, 422, PLAINEST)),
    '413 with the plainest name, too': fail(askedAgain(alone, 413, PLAINEST, edit.status(413), ERROR)),
    '201, and 500 for every creation from the second batch on: CREATE-1': pass(
      noMoreAfter('second-batch', 500),
    ),
    ...each([404, 409], (code) => [
      `nothing is created any more, and each creation gets ${code}: ${code === 404 ? 'no' : 'perhaps a'} bound on the number of categories`,
      (code === 404 ? fail : inconclusive)(
        edit.all(at(alone, edit.requestBody(PLAINEST)), noMoreAfter('creations', code)),
      ),
    ]),
    '403 as a page without rate-limit headers: perhaps a firewall, which rejects its text': inconclusive(
      at(alone, edit.status(403), edit.header('Content-Type', 'text/html'), edit.withoutRateHeaders),
    ),
    '400 as such a page with the plainest name, too': fail(
      askedAgain(
        alone,
        400,
        PLAINEST,
        edit.status(400),
        edit.header('Content-Type', 'text/html'),
        edit.withoutRateHeaders,
      ),
    ),
    'a lost answer and then a 201': pass(edit.closedBefore(alone)),
    'a lost answer and then a 409: the first may have created it': inconclusive(
      edit.all(at(alone, edit.status(409)), edit.closedBefore(alone)),
    ),
    'a 503 and then a 409: the first may have created it': inconclusive(
      edit.all(at(alone, edit.status(409)), edit.unavailableBefore(alone)),
    ),
  }),
];

testJudges('create-category', lines, [...invalidBodyRows, ...acceptedCreationRows, ...conflictRows]);
