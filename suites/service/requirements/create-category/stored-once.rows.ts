import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { creations, listAfterCreations } from '../../probes/creations.ts';

const { answered, asked, at } = edit;
const full = asked('first-creation');
const NAME = 'pc-virtual1-full-1';

/** A list that ends with this text in addition. */
const ending = (item: string): edit.Change =>
  edit.rewriteAt(asked(listAfterCreations.id), (text) => text.replace(/]$/, `,${item}]`));

/** How often one creation stands in a list (CREATE-14). */
export const storedOnceRows: readonly VerdictRow[] = rowsOf('CREATE-14', {
  'each name once': pass(edit.unchanged),
  'the name once more under another id': warn(ending(`{"id":77,"name":"${NAME}"}`)),
  'two categories of a creation that was sent again after a 503': pass(
    edit.all(ending(`{"id":77,"name":"${NAME}"}`), edit.unavailableBefore(full)),
  ),
  'no list at all': inconclusive(at((exchange) => exchange.request.method === 'GET', edit.status(503))),
});

const alone = asked(creations.id, creations.steps.nameAlone);
const further = edit.first(edit.both(asked('first-batch'), answered(201)));

const ERROR = edit.responseBody({ code: 'c', message: 'm', status: 400 });

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
export const acceptedCreationRows: readonly VerdictRow[] = [
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
      at(
        alone,
        edit.status(403),
        edit.header('Content-Type', 'text/html'),
        edit.header('X-RateLimit-Limit'),
        edit.header('X-RateLimit-Remaining'),
        edit.header('X-RateLimit-Reset'),
      ),
    ),
    '400 as such a page with the plainest name, too': fail(
      askedAgain(
        alone,
        400,
        PLAINEST,
        edit.status(400),
        edit.header('Content-Type', 'text/html'),
        edit.header('X-RateLimit-Limit'),
        edit.header('X-RateLimit-Remaining'),
        edit.header('X-RateLimit-Reset'),
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
