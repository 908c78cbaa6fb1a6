import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';
import { creations } from '../../probes/creations.ts';

const { answered, asked, at } = edit;
const full = asked('first-creation');
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
  { id: 'CREATE-1', description: '201', journal: edit.unchanged, verdict: 'pass' },
  { id: 'CREATE-1', description: '200', journal: at(full, edit.status(200)), verdict: 'fail' },
  ...([200, 202] as const).map((code) => ({
    id: 'CREATE-1' as const,
    description: `${code} for one of the further creations, whose category is returned`,
    journal: at(further, edit.status(code)),
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
    journal: at(edit.both(asked('second-batch'), answered(201), firstTwo()), edit.status(500), ERROR),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: '202 without the category for a further creation that is listed later',
    journal: at(further, edit.status(202), edit.responseBody({})),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '200 without a category that is ever shown: perhaps a limit in disguise',
    journal: at(further, edit.status(200), edit.responseBody({}), edit.requestBody({ name: 'never shown' })),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: 'a 429 and then a 201',
    journal: edit.precededBy(full, edit.limited),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: 'nothing but 429',
    journal: at(full, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '400, and a run that broke off before it asked with a plainer name',
    journal: at(full, edit.status(400)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '400, and 201 with a plainer name (K63)',
    journal: askedAgain(full, 400, { ...PLAINEST, description: 'plain' }),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: '422, and 201 with a plainer name',
    journal: askedAgain(full, 422, { ...PLAINEST, description: 'plain' }),
    verdict: 'warn',
  },
  {
    id: 'CREATE-1',
    description: '400 with the plainest name and description, too',
    journal: askedAgain(full, 400, { ...PLAINEST, description: 'plain' }, edit.status(400), ERROR),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '400, and 201 with the plainest name and a longer description (K63)',
    journal: askedAgain(full, 400, { ...PLAINEST, description: 'Made by a conformance run.' }),
    verdict: 'pass',
  },
  {
    id: 'CREATE-1',
    description: '400 with the plainest name and a longer description, too',
    journal: askedAgain(
      full,
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
    journal: askedAgain(full, 400, { ...PLAINEST, description: 'plain words' }, edit.status(400), ERROR),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '400, and 429 with a plainer name',
    journal: askedAgain(full, 400, { ...PLAINEST, description: 'plain' }, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-1',
    description: '409, and 201 with a plainer name (K63)',
    journal: askedAgain(full, 409, { ...PLAINEST, description: 'plain' }),
    verdict: 'warn',
  },
  {
    id: 'CREATE-1',
    description: '409 with the plainest name and description, too',
    journal: askedAgain(full, 409, { ...PLAINEST, description: 'plain' }, edit.status(409)),
    verdict: 'fail',
  },
  {
    id: 'CREATE-1',
    description: '403 at once, and at every creation after it',
    journal: noMoreAfter('first-creation', 403),
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
    journal: edit.all(at(alone, edit.requestBody(PLAINEST)), noMoreAfter('creations', code)),
    verdict: code === 404 ? ('fail' as const) : ('inconclusive' as const),
  })),
  {
    id: 'CREATE-2',
    description: 'nothing is created any more after a creation whose answer was lost',
    journal: edit.all(noMoreAfter('creations', 400), at(full, edit.silent('timeout'))),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-2', description: '415', journal: at(alone, edit.status(415)), verdict: 'fail' },
  { id: 'CREATE-2', description: 'a 429 instead', journal: at(alone, edit.limited), verdict: 'inconclusive' },
  {
    id: 'CREATE-2',
    description: 'a lost answer and then a 201',
    journal: edit.closedBefore(alone),
    verdict: 'pass',
  },
  {
    id: 'CREATE-2',
    description: 'a lost answer and then a 409: the first may have created it',
    journal: edit.all(at(alone, edit.status(409)), edit.closedBefore(alone)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    description: 'a 503 and then a 409: the first may have created it',
    journal: edit.all(at(alone, edit.status(409)), edit.unavailableBefore(alone)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    description: 'no-response',
    journal: at(alone, edit.silent('reset')),
    verdict: 'inconclusive',
  },
];
