import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../evaluation/testing/suites/edits.ts';
import { observed, testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { creations, firstCreation } from '../probes/creations.ts';

const { lines } = await virtualRun();
const { lines: withDisposableKey } = await virtualRun({ withDisposableKey: true });
const { at, asked, answered } = edit;
const full = asked('first-creation');
const lists = ({ request, outcome }: Exchange): boolean =>
  request.method === 'GET' && outcome.kind === 'answer' && outcome.status === 200;
const id = (text: string) => edit.rewrite((body) => body.replace('"id":1,', `"id":${text},`));
const everyId = (text: string) => edit.all(at(full, id(text)), at(lists, id(text)));
const description = (text: string) =>
  edit.rewrite((body) => body.replace(/"description":"Made by a[^"]*"/, `"description":${text}`));
/** An Error, with these fields in place of its own or beside them. */
const error = (fields: Readonly<Record<string, unknown>>) =>
  edit.responseBody({ code: 'a', message: 'b', status: 400, ...fields });
const bad = asked('rejections', 'no name');
/** The creation of the second batch whose body has this part. */
const batched =
  (part: string) =>
  ({ probe, request: { body } }: Exchange): boolean =>
    probe === 'second-batch' && body?.cut === false && body.text.includes(part);
const nothing = at(answered(200, 201), edit.limited);

/** How an id is written, and what that proves (K46 to K48): int64 from its smallest to its largest, as digits alone. */
const idRows = (is: typeof pass, ...texts: readonly string[]) =>
  each(texts, (text) => [`an id ${text}`, is(everyId(text))]);

/** In every list, the first category of the run has another id than in its 201. */
const otherIdInLists = edit.rewriteAt(
  ({ request }) => request.method === 'GET',
  (text) => text.replace('"id":1,"name":"pc-virtual1-full-1"', '"id":7777,"name":"pc-virtual1-full-1"'),
);

/** Every category has this id. */
const onlyId = (text: string) =>
  edit.rewriteAt(edit.answered(200, 201), (body) => body.replace(/"id":\d+/g, `"id":${text}`));

/** What an entry shows that has the name of a creation or its id, and not both (CAT-4). */
const sentAgainRows = [
  ...rowsOf('CAT-4', {
    'its name under another id alone': fail(otherIdInLists),
    'the same, and a creation with this name got a 503 before, whose entry that may be': pass(
      edit.all(otherIdInLists, edit.unavailableBefore(edit.asked(firstCreation.id))),
    ),
    ...each(['null', 'true'], (text) => [
      `nothing but ids that are ${text}: CAT-1`,
      inconclusive(onlyId(text)),
    ]),
    'another name than was sent, in the 201 as in every list: CREATE-3': pass(
      edit.rewriteAt(edit.answered(200, 201), (text) => text.replaceAll('"name":"pc-', '"name":"PC-')),
    ),
    'another name under its id in a list that the key requested in another form': fail(
      edit.rewriteAt(
        ({ caller }) => caller === 'unspecified',
        (text) => text.replace('"id":1,"name":"pc-', '"id":1,"name":"renamed-'),
      ),
    ),
    'one id for two categories, in the 201 as in every list: CREATE-11': pass(
      edit.rewriteAt(edit.answered(200, 201), (text) =>
        text.replace(/"id":\d+(?=,"name":"pc-virtual1-twiceb")/, '"id":1'),
      ),
    ),
    'another name under its id in a list of another account': pass(
      edit.at(
        asked('recovery'),
        edit.rewrite((text) => text.replace('"id":1,"name":"pc-', '"id":1,"name":"renamed-')),
        (exchange) => ({ ...exchange, caller: 'other' }),
      ),
    ),
    'an id for what the disposable key created that another category of the key has': pass(
      edit.rewriteAt(
        edit.both(edit.answered(201), ({ caller }) => caller === 'disposable'),
        (text) => text.replace(/"id":\d+/, '"id":1'),
      )(withDisposableKey),
    ),
    'a number for its description in the 201, and another one in the lists': fail(
      edit.all(at(full, description('5')), at(lists, description('6'))),
    ),
    'a number for its description in the 201, and in the lists as well': pass(
      edit.all(at(full, description('5')), at(lists, description('5'))),
    ),
  }),
];

/** CAT-4 where a creation sent no description. */
const noDescriptionRows = rowsOf('CAT-4', {
  'a description of the service itself in the 201, and none in the lists': fail(
    edit.rewriteAt(asked(creations.id, creations.steps.nameAlone), (body) =>
      body.replace(/\}$/, ',"description":"none yet"}'),
    ),
  ),
  'no description in the 201, as sent, and null in the lists': warn(
    edit.rewriteAt(lists, (text) => text.replace(/("name":"[^"]*v5[^"]*")\}/, '$1,"description":null}')),
  ),
});

testJudges('schemas', lines, [
  ...rowsOf('CAT-1', {
    'small integers': pass(edit.unchanged),
    ...idRows(pass, '9007199254740993', '9223372036854775807', '-9223372036854775808', '-5', '-0'),
    ...idRows(warn, '1.0', '1e3', '0e-9999999999'),
    ...idRows(fail, '9223372036854775808', '-9223372036854775809', '1e9999999999', '1.5'),
    ...idRows(fail, '9007199254740993.5', '1e-9999999999', '-1e-400', '1.0000000000000000001', '"1"', 'null'),
  }),
  ...rowsOf('CAT-2', {
    'a number': fail(edit.rewriteAt(full, (text) => text.replace(/"name":"[^"]*"/, '"name":5'))),
    'no category was seen': inconclusive(nothing),
  }),
  ...rowsOf('CAT-3', {
    'null (K45)': warn(at(full, description('null'))),
    'a number': fail(at(full, description('5'))),
  }),
  ...rowsOf('CAT-4', {
    'one id written in two ways': pass(at(full, id('1.0'))),
    'the last list shows the description of a later creation with the same name (K61)': fail(
      edit.rewriteAt(asked('recovery'), (text) =>
        text.replace('"name":"pc-virtual1-unknown"}', '"name":"pc-virtual1-unknown","description":"007"}'),
      ),
    ),
    'an open name without its control characters in the lists': pass(
      edit.rewriteAt(lists, (text) => text.replace('\\u0000\\u001b', '')),
    ),
    'no list to compare with': inconclusive(edit.cutAfter('first-creation')),
  }),
  ...noDescriptionRows,
  ...sentAgainRows,

  ...rowsOf('ERR-1', {
    'further fields (K42)': pass(at(bad, error({ requestId: 1 }))),
    'no code': fail(at(bad, edit.responseBody({ message: 'b', status: 400 }))),
    'a message without a character': warn(at(bad, error({ message: ' ' }))),
    'a status with a fraction that a double rounds off': fail(
      at(bad, edit.responseBody('{"code":"a","message":"b","status":400.0000000000000000001}')),
    ),
    'a status written 400.0': warn(at(bad, edit.responseBody('{"code":"a","message":"b","status":400.0}'))),
    'no body': fail(at(bad, edit.responseBody(''))),
    'every body broke off': inconclusive(at(answered(400), edit.broken)),
  }),
  ...rowsOf('ERR-2', {
    'a list instead': fail(at(edit.first(answered(401)), edit.responseBody([]))),
  }),
  ...rowsOf('ERR-3', {
    'written 4e2': pass(at(bad, edit.responseBody('{"code":"a","message":"b","status":4e2}'))),
    'no Error has a status': inconclusive(
      at(answered(400, 401), edit.responseBody({ code: 'a', message: 'b' })),
    ),
    'another status': fail(at(bad, error({ status: 422 }))),
  }),
  ...rowsOf('ERR-4', {
    'no Error has a code': inconclusive(
      at(answered(400, 401), edit.responseBody({ message: 'b', status: 400 })),
    ),
    'an empty code': warn(at(bad, error({ code: ' ' }))),
    ...each(
      [
        ['INVALID_NAME', pass],
        ['Bad Request', pass],
        ['Request Header Fields', pass],
        ['errors.name.', pass],
        ['Invalid name.', warn],
        ['The name is missing', warn],
        ['unauthorized', warn],
      ],
      ([code, is]) => [`the code "${code}" of a 400`, is(at(bad, error({ code })))],
    ),
    'the code of a 401 in a 400 to a request without a key': pass(
      at(
        asked('invalid-credentials', 'invalid creation without a key'),
        edit.status(400),
        error({ code: 'unauthorized' }),
      ),
    ),
    'two codes for one condition': warn(
      at(edit.first(answered(401)), error({ code: 'random-7', status: 401 })),
    ),
    'two codes for two bodies of one batch': pass(
      edit.all(
        at(batched('"description":""'), edit.status(400), error({ code: 'invalid_name' })),
        at(batched('first line'), edit.status(400), error({ code: 'invalid_description' })),
      ),
    ),
  }),
]);

for (const [what, change, shown] of [
  ['no body', edit.responseBody(''), /a 429 has no body\.$/],
  ['a body that was cut', edit.cut, /a 429 has a body of which only a part was stored, "/],
  ['a body of which nothing arrived', edit.broken, /a 429 has a body of which only a part was stored, ""\.$/],
] as const) {
  test(`ERR-5: ${what}`, () => {
    assert.match(observed('ERR-5', at(answered(429), change)(lines)), shown);
  });
}
