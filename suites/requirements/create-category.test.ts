import { virtualRun } from '../../proof/virtual/virtual-run.ts';
import type { JudgedId } from '../evidence/requirement.ts';
import { invalidBodies } from '../probes/rejections.ts';
import * as edit from '../testing/edits.ts';
import type { Row } from '../testing/rows.ts';
import { testChapter } from '../testing/rows.ts';

const { lines } = await virtualRun();
const { answered, asked, at } = edit;
const full = asked('first-creation');
const again = asked('creations', 'name and description, again');
const alone = asked('creations', 'name alone');
const ownId = asked('creations', 'id of our own');
const listed = (name: string) =>
  at(
    asked('second-batch'),
    edit.rewrite((text) => text.replace(/]$/, `,{"id":77,"name":${JSON.stringify(name)}}]`)),
  );

/** Every body that must be refused: refused, taken, refused for its rate, refused by silence. */
const refusals: readonly Row[] = invalidBodies.flatMap(({ requirement, step }): readonly Row[] => {
  const id = requirement as JudgedId;
  const one = asked('rejections', step);
  const bad = id === 'CREATE-9' ? 'warn' : 'fail';
  return [
    { id, says: `${step}: 400`, journal: edit.unchanged, verdict: 'pass' },
    {
      id,
      says: `${step}: 201`,
      journal: at(one, edit.status(201), edit.says({ id: 50, name: 'x' })),
      verdict: bad,
    },
    { id, says: `${step}: 500`, journal: at(one, edit.status(500)), verdict: bad },
    { id, says: `${step}: a 503 instead`, journal: at(one, edit.status(503)), verdict: 'inconclusive' },
    { id, says: `${step}: a 503 and then a 400`, journal: edit.unavailableBefore(one), verdict: 'pass' },
    { id, says: `${step}: a 429 instead`, journal: at(one, edit.limited), verdict: 'inconclusive' },
    { id, says: `${step}: silence`, journal: at(one, edit.silent('timeout')), verdict: 'inconclusive' },
  ];
});

testChapter('Create a category', lines, [
  ...refusals,
  { id: 'CREATE-1', says: '201', journal: edit.unchanged, verdict: 'pass' },
  { id: 'CREATE-1', says: '200', journal: at(full, edit.status(200)), verdict: 'fail' },
  { id: 'CREATE-1', says: 'a 429 and then a 201', journal: at(full, edit.limited), verdict: 'pass' },
  {
    id: 'CREATE-1',
    says: 'nothing but 429',
    journal: edit.all(at(full, edit.limited), at(again, edit.limited)),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-2', says: '201', journal: edit.unchanged, verdict: 'pass' },
  { id: 'CREATE-2', says: '400', journal: at(alone, edit.status(400)), verdict: 'fail' },
  { id: 'CREATE-2', says: 'a 429 instead', journal: at(alone, edit.limited), verdict: 'inconclusive' },
  {
    id: 'CREATE-2',
    says: 'a lost answer and then a 201',
    journal: edit.closedBefore(alone),
    verdict: 'pass',
  },
  {
    id: 'CREATE-2',
    says: 'a lost answer and then a 409: the first may have created it',
    journal: edit.all(at(alone, edit.status(409)), edit.closedBefore(alone)),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-2',
    says: 'a 503 and then a 409: the first may have created it',
    journal: edit.all(at(alone, edit.status(409)), edit.unavailableBefore(alone)),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-2', says: 'silence', journal: at(alone, edit.silent('reset')), verdict: 'inconclusive' },
  {
    id: 'CREATE-3',
    says: 'the name and description that were sent',
    journal: edit.unchanged,
    verdict: 'pass',
  },
  {
    id: 'CREATE-3',
    says: 'an empty description where none was sent (K44)',
    journal: at(
      alone,
      edit.rewrite((text) => text.replace('}', ',"description":""}')),
    ),
    verdict: 'pass',
  },
  ...(
    [
      ['an emoji', '🐈'],
      ['an apostrophe', "'"],
      ['an ampersand', '&'],
      ['a backslash', '\\\\'],
      ['the fifty-first character on', ' characters'],
    ] as const
  ).map(
    ([what, part]): Row => ({
      id: 'CREATE-3',
      says: `a description that lost ${what}`,
      journal: at(
        ownId,
        edit.rewrite((text) => text.replace(part, '')),
      ),
      verdict: 'fail',
    }),
  ),
  {
    id: 'CREATE-3',
    says: 'a description that is refused for its characters',
    journal: at(ownId, edit.status(400), edit.says({ code: 'c', message: 'm', status: 400 })),
    verdict: 'pass',
  },
  {
    id: 'CREATE-3',
    says: 'without a Location (K66)',
    journal: at(full, edit.header('Location')),
    verdict: 'pass',
  },
  {
    id: 'CREATE-3',
    says: 'another name',
    journal: at(
      full,
      edit.rewrite((text) => text.replace('-full', '-FULL')),
    ),
    verdict: 'fail',
  },
  {
    id: 'CREATE-3',
    says: 'no description',
    journal: at(
      full,
      edit.rewrite((text) => text.replace(/,"description":"[^"]*"/, '')),
    ),
    verdict: 'fail',
  },
  { id: 'CREATE-3', says: 'no body', journal: at(full, edit.says('')), verdict: 'fail' },
  {
    id: 'CREATE-3',
    says: 'every body broke off',
    journal: edit.all(at(full, edit.broken), at(asked('creations'), edit.broken)),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-10', says: 'nothing of them is listed', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-10',
    says: 'others create meanwhile (K58)',
    journal: listed('somebody-else'),
    verdict: 'pass',
  },
  { id: 'CREATE-10', says: 'a 400 created it', journal: listed('pc-virtual1-bad-7'), verdict: 'fail' },
  {
    id: 'CREATE-10',
    says: 'a 401 created it',
    journal: at(asked('recovery'), edit.says([{ id: 9, name: 'pc-virtual1-no-key' }])),
    verdict: 'fail',
  },
  {
    id: 'CREATE-10',
    says: 'every list is a page (K59)',
    journal: at(answered(200), edit.header('Link', '</v1/categories?page=2>; rel=next')),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-10',
    says: 'no list came after them',
    journal: edit.cutAfter('rejections'),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-11', says: 'as many ids as creations', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-11',
    says: 'ids that differ beyond 2^53',
    journal: edit.all(
      at(
        full,
        edit.rewrite((text) => text.replace('"id":1,', '"id":9007199254740992,')),
      ),
      at(
        again,
        edit.rewrite((text) => text.replace('"id":5,', '"id":9007199254740993,')),
      ),
    ),
    verdict: 'pass',
  },
  {
    id: 'CREATE-11',
    says: 'one id twice',
    journal: at(
      again,
      edit.rewrite((text) => text.replace('"id":5,', '"id":1,')),
    ),
    verdict: 'warn',
  },
  {
    id: 'CREATE-11',
    says: 'one creation only',
    journal: edit.cutAfter('first-creation'),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-12', says: 'an id of its own', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-12',
    says: 'one near to it',
    journal: at(
      ownId,
      edit.rewrite((text) => text.replace('"id":4,', '"id":9007199254740992,')),
    ),
    verdict: 'pass',
  },
  {
    id: 'CREATE-12',
    says: 'the id that was sent',
    journal: at(
      ownId,
      edit.rewrite((text) => text.replace('"id":4,', '"id":9007199254740993,')),
    ),
    verdict: 'warn',
  },
  {
    id: 'CREATE-12',
    says: 'refused, as of a service that takes no field that it does not know',
    journal: at(ownId, edit.status(400)),
    verdict: 'pass',
  },
  { id: 'CREATE-12', says: '500', journal: at(ownId, edit.status(500)), verdict: 'inconclusive' },
]);
