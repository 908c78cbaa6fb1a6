import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import type { VerdictRow } from '../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Verdict } from '../../../kernel/findings/record.ts';
import { noDescriptionRows, sentAgainRows } from './schemas/sent-again.rows.ts';

const { lines } = await virtualRun();
const { at, asked, answered } = edit;
const full = asked('first-creation');
const lists = ({ request, outcome }: Exchange): boolean =>
  request.method === 'GET' && outcome.kind === 'answer' && outcome.status === 200;
const id = (text: string) => edit.rewrite((body) => body.replace('"id":1,', `"id":${text},`));
const is = (verdict: Verdict) => (text: string) => [text, verdict] as const;
const everyId = (text: string) => edit.all(at(full, id(text)), at(lists, id(text)));
const description = (text: string) =>
  edit.rewrite((body) => body.replace(/"description":"Made by a[^"]*"/, `"description":${text}`));
const bad = asked('rejections', 'no name');
/** The creation of the second batch whose body has this part. */
const batched =
  (part: string) =>
  ({ probe, request: { body } }: Exchange): boolean =>
    probe === 'second-batch' && body?.cut === false && body.text.includes(part);
const nothing = at(answered(200, 201), edit.limited);

/** How an id is written, and what that proves (K46 to K48): int64 from its smallest to its largest, as digits alone. */
const ids: readonly (readonly [text: string, verdict: Verdict])[] = [
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808', '-5', '-0'].map(is('pass')),
  ...['1.0', '1e3', '0e-9999999999'].map(is('warn')),
  ...['9223372036854775808', '-9223372036854775809', '1e9999999999', '1.5', '9007199254740993.5'].map(
    is('fail'),
  ),
  ...['1e-9999999999', '-1e-400', '1.0000000000000000001', '"1"', 'null'].map(is('fail')),
];

testChapter('Category and Error schemas', lines, [
  { id: 'CAT-1', description: 'small integers', journal: edit.unchanged, verdict: 'pass' },
  ...ids.map(
    ([text, verdict]): VerdictRow => ({
      id: 'CAT-1',
      description: `an id ${text}`,
      journal: everyId(text),
      verdict,
    }),
  ),
  {
    id: 'CAT-1',
    description: 'a string in a category whose name is a number',
    journal: at(
      full,
      id('"1"'),
      edit.rewrite((text) => text.replace(/"name":"[^"]*"/, '"name":5')),
    ),
    verdict: 'fail',
  },
  { id: 'CAT-1', description: 'no category was seen', journal: nothing, verdict: 'inconclusive' },
  { id: 'CAT-2', description: 'strings', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CAT-2',
    description: 'a number',
    journal: at(
      full,
      edit.rewrite((text) => text.replace(/"name":"[^"]*"/, '"name":5')),
    ),
    verdict: 'fail',
  },
  {
    id: 'CAT-2',
    description: 'none',
    journal: at(
      full,
      edit.rewrite((text) => text.replace(/"name":"[^"]*",/, '')),
    ),
    verdict: 'fail',
  },
  { id: 'CAT-2', description: 'no category was seen', journal: nothing, verdict: 'inconclusive' },
  { id: 'CAT-3', description: 'omitted or a string (K43)', journal: edit.unchanged, verdict: 'pass' },
  { id: 'CAT-3', description: 'null (K45)', journal: at(full, description('null')), verdict: 'warn' },
  { id: 'CAT-3', description: 'a number', journal: at(full, description('5')), verdict: 'fail' },
  { id: 'CAT-3', description: 'no category was seen', journal: nothing, verdict: 'inconclusive' },
  {
    id: 'CAT-4',
    description: 'the same in the 201 and in every list',
    journal: edit.unchanged,
    verdict: 'pass',
  },
  {
    id: 'CAT-4',
    description: 'one id written in two ways',
    journal: at(full, id('1.0')),
    verdict: 'pass',
  },
  {
    id: 'CAT-4',
    description: 'another description in the list',
    journal: at(lists, description('"other"')),
    verdict: 'fail',
  },
  {
    id: 'CAT-4',
    description: 'another id in the list, by one that a JavaScript number cannot tell',
    journal: edit.all(at(full, id('9007199254740993')), at(lists, id('9007199254740992'))),
    verdict: 'fail',
  },
  {
    id: 'CAT-4',
    description: 'null in the one and omitted in the other',
    journal: at(full, description('null')),
    verdict: 'fail',
  },
  ...noDescriptionRows,
  ...sentAgainRows,
  {
    id: 'CAT-4',
    description: 'a name with HTML escapes in the lists',
    journal: at(
      lists,
      edit.rewrite((text) => text.replace('<b>', '&lt;b>')),
    ),
    verdict: 'fail',
  },
  {
    id: 'CAT-4',
    description: 'the last list shows the description of a later creation with the same name (K61)',
    journal: at(
      asked('recovery'),
      edit.rewrite((text) =>
        text.replace('"name":"pc-virtual1-unknown"}', '"name":"pc-virtual1-unknown","description":"007"}'),
      ),
    ),
    verdict: 'fail',
  },
  {
    id: 'CAT-4',
    description: 'null in a 201 that the specification leaves open, and omitted in the lists (K45)',
    journal: at(
      asked('open-creations', 'unknown field'),
      edit.rewrite((body) => body.replace(/\}$/, ',"description":null}')),
    ),
    verdict: 'pass',
  },
  {
    id: 'CAT-4',
    description: 'an open name without its control characters in the lists',
    journal: at(
      lists,
      edit.rewrite((text) => text.replace('\\u0000\\u001b', '')),
    ),
    verdict: 'pass',
  },
  {
    id: 'CAT-4',
    description: 'no list to compare with',
    journal: edit.cutAfter('first-creation'),
    verdict: 'inconclusive',
  },
  { id: 'ERR-1', description: 'code, message and status', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'ERR-1',
    description: 'further fields (K42)',
    journal: at(bad, edit.responseBody({ code: 'a', message: 'b', status: 400, requestId: 1 })),
    verdict: 'pass',
  },
  {
    id: 'ERR-1',
    description: 'no code',
    journal: at(bad, edit.responseBody({ message: 'b', status: 400 })),
    verdict: 'fail',
  },
  {
    id: 'ERR-1',
    description: 'status as a string',
    journal: at(bad, edit.responseBody({ code: 'a', message: 'b', status: '400' })),
    verdict: 'fail',
  },
  {
    id: 'ERR-1',
    description: 'a message without a character',
    journal: at(bad, edit.responseBody({ code: 'a', message: ' ', status: 400 })),
    verdict: 'warn',
  },
  {
    id: 'ERR-1',
    description: 'a status with a fraction that a double rounds off',
    journal: at(bad, edit.responseBody('{"code":"a","message":"b","status":400.0000000000000000001}')),
    verdict: 'fail',
  },
  {
    id: 'ERR-1',
    description: 'a status written 400.0',
    journal: at(bad, edit.responseBody('{"code":"a","message":"b","status":400.0}')),
    verdict: 'warn',
  },
  { id: 'ERR-1', description: 'no body', journal: at(bad, edit.responseBody('')), verdict: 'fail' },
  {
    id: 'ERR-1',
    description: 'no 400 in the run',
    journal: edit.without(answered(400)),
    verdict: 'inconclusive',
  },
  {
    id: 'ERR-1',
    description: 'every body broke off',
    journal: at(answered(400), edit.broken),
    verdict: 'inconclusive',
  },
  { id: 'ERR-2', description: 'code, message and status', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'ERR-2',
    description: 'a list instead',
    journal: at(edit.first(answered(401)), edit.responseBody([])),
    verdict: 'fail',
  },
  {
    id: 'ERR-2',
    description: 'no 401 in the run',
    journal: edit.without(answered(401)),
    verdict: 'inconclusive',
  },
  { id: 'ERR-3', description: 'the HTTP status', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'ERR-3',
    description: 'written 4e2',
    journal: at(bad, edit.responseBody('{"code":"a","message":"b","status":4e2}')),
    verdict: 'pass',
  },
  {
    id: 'ERR-3',
    description: 'no Error has a status',
    journal: at(answered(400, 401), edit.responseBody({ code: 'a', message: 'b' })),
    verdict: 'inconclusive',
  },
  {
    id: 'ERR-3',
    description: 'another status',
    journal: at(bad, edit.responseBody({ code: 'a', message: 'b', status: 422 })),
    verdict: 'fail',
  },
  { id: 'ERR-4', description: 'one code for each condition', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'ERR-4',
    description: 'no Error has a code',
    journal: at(answered(400, 401), edit.responseBody({ message: 'b', status: 400 })),
    verdict: 'inconclusive',
  },
  {
    id: 'ERR-4',
    description: 'an empty code',
    journal: at(bad, edit.responseBody({ code: ' ', message: 'b', status: 400 })),
    verdict: 'warn',
  },
  ...(
    [
      ['INVALID_NAME', 'pass'],
      ['Bad Request', 'pass'],
      ['Request Header Fields', 'pass'],
      ['errors.name.', 'pass'],
      ['Invalid name.', 'warn'],
      ['The name is missing', 'warn'],
      ['unauthorized', 'warn'],
    ] as const
  ).map(([code, verdict]) => ({
    id: 'ERR-4' as const,
    description: `the code "${code}" of a 400`,
    journal: at(bad, edit.responseBody({ code, message: 'b', status: 400 })),
    verdict,
  })),
  {
    id: 'ERR-4',
    description: 'two codes for one condition',
    journal: at(
      edit.first(answered(401)),
      edit.responseBody({ code: 'random-7', message: 'b', status: 401 }),
    ),
    verdict: 'warn',
  },
  {
    id: 'ERR-4',
    description: 'another code for two Authorization headers than for none',
    journal: at(
      asked('repeated-authorization'),
      edit.status(401),
      edit.responseBody({ code: 'malformed_credentials', message: 'b', status: 401 }),
    ),
    verdict: 'pass',
  },
  {
    id: 'ERR-4',
    description: 'two codes for two bodies of one batch',
    journal: edit.all(
      at(
        batched('"description":""'),
        edit.status(400),
        edit.responseBody({ code: 'invalid_name', message: 'b', status: 400 }),
      ),
      at(
        batched('first line'),
        edit.status(400),
        edit.responseBody({ code: 'invalid_description', message: 'b', status: 400 }),
      ),
    ),
    verdict: 'pass',
  },
]);
