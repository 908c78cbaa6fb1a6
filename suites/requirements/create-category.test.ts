import { virtualRun } from '../../evaluation/simulation/virtual-run.ts';
import { conflictRows } from '../../evaluation/testing/suites/conflict-rows.ts';
import * as edit from '../../evaluation/testing/suites/edits.ts';
import { idRows } from '../../evaluation/testing/suites/id-rows.ts';
import { invalidBodyRows } from '../../evaluation/testing/suites/invalid-body-rows.ts';
import { testChapter } from '../../evaluation/testing/suites/rows.ts';
import { storedOnceRows } from '../../evaluation/testing/suites/stored-once-rows.ts';
import { textRows } from '../../evaluation/testing/suites/text-rows.ts';
import { creations } from '../probes/creations.ts';

const { lines } = await virtualRun();
const { answered, asked, at } = edit;
const full = asked('first-creation');
const alone = asked(creations.id, creations.steps.nameAlone);
const charset = asked(creations.id, creations.steps.charset);
const listed = (name: string) =>
  at(
    asked('second-batch'),
    edit.rewrite((text) => text.replace(/]$/, `,{"id":77,"name":${JSON.stringify(name)}}]`)),
  );

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

testChapter('Create a category', lines, [
  ...invalidBodyRows,
  ...idRows,
  ...storedOnceRows,
  ...conflictRows,
  { id: 'CREATE-1', description: '201', journal: edit.unchanged, verdict: 'pass' },
  { id: 'CREATE-1', description: '200', journal: at(full, edit.status(200)), verdict: 'fail' },
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
    description: '409 at once, and at every creation after it',
    journal: noMoreAfter('first-creation', 409),
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
  {
    id: 'CREATE-2',
    description: 'nothing is created any more: the number of categories may be bounded',
    journal: noMoreAfter('creations', 409),
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
  {
    id: 'CREATE-3',
    description: 'the name and description that were sent',
    journal: edit.unchanged,
    verdict: 'pass',
  },
  {
    id: 'CREATE-3',
    description: 'an empty description where none was sent (K44)',
    journal: at(
      alone,
      edit.rewrite((text) => text.replace('}', ',"description":""}')),
    ),
    verdict: 'pass',
  },
  ...textRows,
  {
    id: 'CREATE-3',
    description: 'a description that is refused for its characters',
    journal: at(charset, edit.status(400), ERROR),
    verdict: 'pass',
  },
  {
    id: 'CREATE-3',
    description: 'without a Location (K66)',
    journal: at(full, edit.header('Location')),
    verdict: 'pass',
  },
  {
    id: 'CREATE-3',
    description: 'another name',
    journal: at(
      full,
      edit.rewrite((text) => text.replace('-full', '-FULL')),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-3',
    description: 'no description',
    journal: at(
      full,
      edit.rewrite((text) => text.replace(/,"description":"[^"]*"/, '')),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-3',
    description: 'a name of 1,000 characters that came back cut',
    journal: at(
      asked('open-creations', 'very long name in a very large body'),
      edit.rewrite((text) => text.replace(/x{900,}/, 'x')),
    ),
    verdict: 'warn',
  },
  {
    id: 'CREATE-3',
    description: 'a name of 1,000 characters that is too long (K63)',
    journal: at(asked('open-creations', 'very long name in a very large body'), edit.status(413), ERROR),
    verdict: 'pass',
  },
  { id: 'CREATE-3', description: 'no body', journal: at(full, edit.responseBody('')), verdict: 'fail' },
  {
    id: 'CREATE-3',
    description: 'every body broke off',
    journal: at(answered(201), edit.broken),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-10', description: 'nothing of them is listed', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-10',
    description: 'others create meanwhile (K58)',
    journal: listed('somebody-else'),
    verdict: 'pass',
  },
  { id: 'CREATE-10', description: 'a 400 created it', journal: listed('pc-virtual1-bad-7'), verdict: 'fail' },
  {
    id: 'CREATE-10',
    description: 'a 401 created it',
    journal: at(asked('recovery'), edit.responseBody([{ id: 9, name: 'pc-virtual1-no-key' }])),
    verdict: 'fail',
  },
  {
    id: 'CREATE-10',
    description: 'every list is a page (K59)',
    journal: at(answered(200), edit.header('Link', '</v1/categories?page=2>; rel=next')),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-10',
    description: 'no list came after them',
    journal: edit.cutAfter('rejections'),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-10',
    description: 'malformed JSON that was answered 400 created it',
    journal: listed('pc-virtual1-bad-18'),
    verdict: 'fail',
  },
  {
    id: 'CREATE-10',
    description: 'a creation that the specification leaves open was answered 400 and created it',
    journal: edit.all(
      at(asked('open-creations', 'null description'), edit.status(400), ERROR),
      listed('pc-virtual1-null-desc'),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-10',
    description: 'the name that another creation had before was answered 400',
    journal: at(asked('open-creations', 'name that exists already'), edit.status(400), ERROR),
    verdict: 'pass',
  },
  {
    id: 'CREATE-10',
    description: 'a rejected text that is too short to be of this run alone stands in a list',
    journal: edit.all(
      at(asked('rejections', 'name is an array'), edit.requestBody({ name: ['x'] })),
      listed('x'),
    ),
    verdict: 'pass',
  },
]);
