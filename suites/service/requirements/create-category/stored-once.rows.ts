import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { creations, listAfterCreations } from '../../probes/creations.ts';

const { asked, at } = edit;
const full = asked('first-creation');
const NAME = 'pc-virtual1-full-1';

/** A list that ends with this text in addition. */
const ending = (item: string): edit.Change =>
  at(
    asked(listAfterCreations.id),
    edit.rewrite((text) => text.replace(/]$/, `,${item}]`)),
  );

/** How often one creation stands in a list (CREATE-14). */
export const storedOnceRows: readonly VerdictRow[] = [
  { id: 'CREATE-14', description: 'each name once', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-14',
    description: 'the name once more under another id',
    journal: ending(`{"id":77,"name":"${NAME}"}`),
    verdict: 'warn',
  },
  {
    id: 'CREATE-14',
    description: 'the same category twice in one list',
    journal: ending(`{"id":1,"name":"${NAME}","description":"Made by a conformance run."}`),
    verdict: 'pass',
  },
  {
    id: 'CREATE-14',
    description: 'the name of a category that another client made',
    journal: edit.all(ending('{"id":77,"name":"dog"}'), ending('{"id":78,"name":"dog"}')),
    verdict: 'pass',
  },
  {
    id: 'CREATE-14',
    description: 'two categories of a creation that was sent again after a 503',
    journal: edit.all(ending(`{"id":77,"name":"${NAME}"}`), edit.unavailableBefore(full)),
    verdict: 'pass',
  },
  {
    id: 'CREATE-14',
    description: 'no list at all',
    journal: at((exchange) => exchange.request.method === 'GET', edit.status(503)),
    verdict: 'inconclusive',
  },
];

const { answered, asked: acceptedCreationRowsAsked, at: acceptedCreationRowsAt } = edit;
const acceptedCreationRowsFull = acceptedCreationRowsAsked('first-creation');
const alone = acceptedCreationRowsAsked(creations.id, creations.steps.nameAlone);
const further = edit.first(edit.both(acceptedCreationRowsAsked('first-batch'), answered(201)));

const ERROR = edit.responseBody({ code: 'c', message: 'm', status: 400 });

/** The creation is rejected with this status first, and then this body is sent with the outcome of the edits. */
const askedAgain = (
  where: edit.Where,
  code: number,
  sends: Readonly<Record<string, string>>,
  ...edits: readonly edit.Edit[]
): edit.Change => {
  const rejected = edit.precededBy(where, edit.status(code), ERROR);
  const again = acceptedCreationRowsAt(edit.both(where, answered(201)), edit.requestBody(sends), ...edits);
  return (journal) => again(rejected(journal));
};
/** Selects the first two exchanges that it is asked about. */
const firstTwo = (): edit.Where => {
  let left = 2;
  return () => {
    left -= 1;
    return left >= 0;
  };
};
const PLAINEST = { name: 'Pcabcdef' };
/** The same answered so, whatever was asked for. */
const noMoreAfter = (probe: string, code: number): edit.Change => {
  let passed = false;
  return acceptedCreationRowsAt(
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
  { id: 'CREATE-1', description: '201', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-1',
    description: '200',
    journal: acceptedCreationRowsAt(acceptedCreationRowsFull, edit.status(200)),
    verdict: 'fail',
  },
  ...([200, 202] as const).map((code) => ({
    id: 'CREATE-1' as const,
    description: `${code} for one of the further creations, whose category is returned`,
    journal: acceptedCreationRowsAt(further, edit.status(code)),
    verdict: 'fail' as const,
  })),
  ...(
    [
      [500, 'fail'],
      [503, 'pass'],
      [507, 'pass'],
    ] as const
  ).map(([code, verdict]) => ({
    id: 'CREATE-1' as const,
    description: `${code} for every creation from the second batch on`,
    journal: noMoreAfter('second-batch', code),
    verdict,
  })),
  {
    id: 'CREATE-1',
    description: '500 for two of the last creations',
    journal: acceptedCreationRowsAt(
      edit.both(acceptedCreationRowsAsked('second-batch'), answered(201), firstTwo()),
      edit.status(500),
      ERROR,
    ),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: '202 without the category for a further creation that is listed later',
    journal: acceptedCreationRowsAt(further, edit.status(202), edit.responseBody({})),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '200 without a category that is ever shown: perhaps a limit in disguise',
    journal: acceptedCreationRowsAt(
      further,
      edit.status(200),
      edit.responseBody({}),
      edit.requestBody({ name: 'never shown' }),
    ),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: 'a 429 and then a 201',
    journal: edit.precededBy(acceptedCreationRowsFull, edit.limited),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: 'nothing but 429',
    journal: acceptedCreationRowsAt(acceptedCreationRowsFull, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '400, and a run that broke off before it asked with a plainer name',
    journal: acceptedCreationRowsAt(acceptedCreationRowsFull, edit.status(400)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '400, and 201 with a plainer name (K63)',
    journal: askedAgain(acceptedCreationRowsFull, 400, { ...PLAINEST, description: 'plain' }),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: '422, and 201 with a plainer name',
    journal: askedAgain(acceptedCreationRowsFull, 422, { ...PLAINEST, description: 'plain' }),
    verdict: 'warn',
  },
  {
    id: 'CREATE-1',
    description: '400 with the plainest name and description, too',
    journal: askedAgain(
      acceptedCreationRowsFull,
      400,
      { ...PLAINEST, description: 'plain' },
      edit.status(400),
      ERROR,
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '400, and 201 with the plainest name and a longer description (K63)',
    journal: askedAgain(acceptedCreationRowsFull, 400, {
      ...PLAINEST,
      description: 'Made by a conformance run.',
    }),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: '400 with the plainest name and a longer description, too',
    journal: askedAgain(
      acceptedCreationRowsFull,
      400,
      { ...PLAINEST, description: 'Made by a conformance run.' },
      edit.status(400),
      ERROR,
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '400 with the plainest name and a description that is not',
    journal: askedAgain(
      acceptedCreationRowsFull,
      400,
      { ...PLAINEST, description: 'plain words' },
      edit.status(400),
      ERROR,
    ),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '400, and 429 with a plainer name',
    journal: askedAgain(acceptedCreationRowsFull, 400, { ...PLAINEST, description: 'plain' }, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '409, and 201 with a plainer name (K63)',
    journal: askedAgain(acceptedCreationRowsFull, 409, { ...PLAINEST, description: 'plain' }),
    verdict: 'warn',
  },
  {
    id: 'CREATE-1',
    description: '409 with the plainest name and description, too',
    journal: askedAgain(
      acceptedCreationRowsFull,
      409,
      { ...PLAINEST, description: 'plain' },
      edit.status(409),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '403 at once, and at every creation after it: perhaps a key that may only read',
    journal: noMoreAfter('first-creation', 403),
    verdict: 'inconclusive',
    because: /the key may only be allowed to read/,
  },
  {
    id: 'CREATE-1',
    description: '403 with a page of HTML at once, and at every creation after it',
    journal: edit.all(
      noMoreAfter('first-creation', 403),
      acceptedCreationRowsAt(
        edit.both(({ request, caller }) => request.method === 'POST' && caller === 'key', answered(403)),
        edit.header('Content-Type', 'text/html'),
      ),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '405 at once, and at every creation after it',
    journal: noMoreAfter('first-creation', 405),
    verdict: 'fail',
  },
  {
    id: 'CREATE-4',
    description: '403 for every creation: perhaps a key that may only read',
    journal: noMoreAfter('first-creation', 403),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-4',
    description: '403, while a valid creation gets 201',
    journal: acceptedCreationRowsAt(acceptedCreationRowsAsked('rejections'), edit.status(403)),
    verdict: 'fail',
  },
  { id: 'CREATE-2', description: '201', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-2',
    description: '400 with the plainest name, too',
    journal: askedAgain(alone, 400, PLAINEST, edit.status(400), ERROR),
    verdict: 'fail',
  },
  {
    id: 'CREATE-2',
    description: '400, and 201 with a plainer name (K63)',
    journal: askedAgain(alone, 400, PLAINEST),
    verdict: 'pass',
  },
  ...[400, 402, 403, 404, 409, 422, 507].map((code) => ({
    id: 'CREATE-2' as const,
    description: `nothing is created any more, and each creation gets ${code}: ${code === 404 ? 'no' : 'perhaps a'} bound on the number of categories`,
    journal: edit.all(
      acceptedCreationRowsAt(alone, edit.requestBody(PLAINEST)),
      noMoreAfter('creations', code),
    ),
    verdict: code === 404 ? ('fail' as const) : ('inconclusive' as const),
  })),
  {
    id: 'CREATE-2',
    description: 'nothing is created any more after a creation whose answer was lost',
    journal: edit.all(
      noMoreAfter('creations', 400),
      acceptedCreationRowsAt(acceptedCreationRowsFull, edit.silent('timeout')),
    ),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    description: '415',
    journal: acceptedCreationRowsAt(alone, edit.status(415)),
    verdict: 'fail',
  },
  {
    id: 'CREATE-2',
    description: 'a 429 instead',
    journal: acceptedCreationRowsAt(alone, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    description: 'a lost answer and then a 201',
    journal: edit.closedBefore(alone),
    verdict: 'pass',
  },
  {
    id: 'CREATE-2',
    description: 'a lost answer and then a 409: the first may have created it',
    journal: edit.all(acceptedCreationRowsAt(alone, edit.status(409)), edit.closedBefore(alone)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    description: 'a 503 and then a 409: the first may have created it',
    journal: edit.all(acceptedCreationRowsAt(alone, edit.status(409)), edit.unavailableBefore(alone)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    description: 'no-response',
    journal: acceptedCreationRowsAt(alone, edit.silent('reset')),
    verdict: 'inconclusive',
  },
];
