import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import {
  fail,
  inconclusive,
  pass,
  rowsOf,
  testChapter,
  warn,
} from '../../../evaluation/testing/suites/edits.ts';
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
  ...rowsOf('CREATE-3', {
    'the name and description that were sent': pass(edit.unchanged),
    'an empty description where none was sent (K44)': pass(
      at(
        alone,
        edit.rewrite((text) => text.replace('}', ',"description":""}')),
      ),
    ),
  }),
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
  ...rowsOf('CREATE-3', {
    'a description that is refused for its characters': pass(at(charset, edit.status(400), ERROR)),
    'without a Location (K66)': pass(at(full, edit.header('Location'))),
    'another name': fail(
      at(
        full,
        edit.rewrite((text) => text.replace('-full', '-FULL')),
      ),
    ),
    'no description': fail(
      at(
        full,
        edit.rewrite((text) => text.replace(/,"description":"[^"]*"/, '')),
      ),
    ),
    'a name of 1,000 characters that came back cut': warn(
      at(
        asked('open-creations', 'very long name in a very large body'),
        edit.rewrite((text) => text.replace(/x{900,}/, 'x')),
      ),
    ),
    'a name of 1,000 characters that is too long (K63)': pass(
      at(asked('open-creations', 'very long name in a very large body'), edit.status(413), ERROR),
    ),
    'no body': fail(at(full, edit.responseBody(''))),
    'every body broke off': inconclusive(at(answered(201), edit.broken)),
  }),
  ...rowsOf('CREATE-10', {
    'nothing of them is listed': pass(edit.unchanged),
    'others create meanwhile (K58)': pass(listed('somebody-else')),
    'a 400 created it': fail(listed('pc-virtual1-bad-7')),
    'a 401 created it': fail(
      at(asked('recovery'), edit.responseBody([{ id: 9, name: 'pc-virtual1-no-key' }])),
    ),
    'a 401 created it, after a 429': fail(
      edit.all(
        at(asked('recovery'), edit.responseBody([{ id: 9, name: 'pc-virtual1-no-key' }])),
        edit.precededBy(asked('invalid-credentials', 'creation without a key'), edit.limited),
      ),
    ),
    'every list is a page (K59)': inconclusive(
      at(answered(200), edit.header('Link', '</v1/categories?page=2>; rel=next')),
    ),
    'no list came after them': inconclusive(edit.cutAfter('rejections')),
    'malformed JSON that returned 400 created it': fail(listed('pc-virtual1-bad-18')),
    'a creation that the specification leaves open returned 400 and created it': fail(
      edit.all(
        at(asked('open-creations', 'null description'), edit.status(400), ERROR),
        listed('pc-virtual1-null-desc'),
      ),
    ),
    'the name that another creation had before returned 400': pass(
      at(asked('open-creations', 'name that exists already'), edit.status(400), ERROR),
    ),
    'a rejected text that is too short to be of this run alone stands in a list': pass(
      edit.all(at(asked('rejections', 'name is an array'), edit.requestBody({ name: ['x'] })), listed('x')),
    ),
  }),
]);
