import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import { creations } from '../probes/creations.ts';
import { idRows } from './create-category/ids.rows.ts';
import { conflictRows, invalidBodyRows } from './create-category/invalid-body.rows.ts';
import { acceptedCreationRows, storedOnceRows } from './create-category/stored-once.rows.ts';
import { textRows } from './create-category/text.rows.ts';

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

testChapter('Create a category', lines, [
  ...invalidBodyRows,
  ...idRows,
  ...storedOnceRows,
  ...acceptedCreationRows,
  ...conflictRows,
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
  ...(
    [
      ['None', 'warn'],
      ['undefined', 'warn'],
      ['A category', 'pass'],
    ] as const
  ).map(([shown, verdict]) => ({
    id: 'CREATE-3' as const,
    description: `the description "${shown}" where none was sent`,
    journal: at(
      alone,
      edit.rewrite((text) => text.replace('}', `,"description":"${shown}"}`)),
    ),
    verdict,
  })),
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
    description: 'a 401 created it, after a 429',
    journal: edit.all(
      at(asked('recovery'), edit.responseBody([{ id: 9, name: 'pc-virtual1-no-key' }])),
      edit.precededBy(asked('invalid-credentials', 'creation without a key'), edit.limited),
    ),
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
    description: 'malformed JSON that returned 400 created it',
    journal: listed('pc-virtual1-bad-18'),
    verdict: 'fail',
  },
  {
    id: 'CREATE-10',
    description: 'a creation that the specification leaves open returned 400 and created it',
    journal: edit.all(
      at(asked('open-creations', 'null description'), edit.status(400), ERROR),
      listed('pc-virtual1-null-desc'),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-10',
    description: 'the name that another creation had before returned 400',
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
