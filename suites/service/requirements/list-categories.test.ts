import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../evaluation/testing/suites/edits.ts';
import { observed, testJudges } from '../../../evaluation/testing/suites/verdict-rows.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { inPages } from '../../../reference-server/catalogue/wrappers/responses.ts';
import { listPages } from '../probes/lists.ts';

const { lines } = await virtualRun();
const { at, asked } = edit;

const lists = ({ request, outcome }: Exchange): boolean =>
  request.method === 'GET' &&
  request.target === '/v1/categories' &&
  outcome.kind === 'answer' &&
  outcome.status === 200;
const withinLimit = (exchange: Exchange): boolean =>
  exchange.request.method === 'GET' &&
  ['preflight', 'first-batch', 'list-after-creations', 'second-batch'].includes(exchange.probe);
/** A list without the categories whose names have this part. */
const without = (part: string) =>
  edit.rewrite((text) =>
    text.startsWith('[')
      ? JSON.stringify(
          (JSON.parse(text) as readonly { readonly name: string }[]).filter(
            ({ name }) => !name.includes(part),
          ),
        )
      : text,
  );
const withAnotherId = edit.rewrite((text) => text.replace('"id":3,', '"id":33,'));
const afterCreations = asked('list-after-creations');
/** The lists beside the second batch say that they are parts. */
const inParts = at(edit.both(asked('second-batch'), lists), edit.header('X-Total-Count', '999'));
const brokenOff =
  (change: edit.Change): edit.Change =>
  (all) =>
    change(all).filter(({ kind }) => kind !== 'end');

const { lines: inPagesOfThree } = await virtualRun({ fault: inPages({ size: 3 }) });
const { lines: skipping } = await virtualRun({
  fault: inPages({ size: 3, firstItem: (page) => (page - 1) * 4 }),
});
const { lines: withDisposableKey } = await virtualRun({
  fault: inPages({ size: 3 }),
  withDisposableKey: true,
});

/** The first page had an item of another client before, which is on no page now. */
const removedByAnother = edit.rewriteAt(edit.both(edit.asked('preflight'), edit.answered(200)), (text) =>
  text.replace('[', '[{"id":99,"name":"theirs"},').replace(',]', ']'),
);

const pages = edit.asked(listPages.id);
/** What the pages of a list show together (LIST-3, CREATE-10). */
const listPageRows = rowsOf('LIST-3', {
  'all stand on some page': pass(inPagesOfThree),
  'one is skipped between two pages, twice': fail(skipping),
  'one is on no page, while another client deletes categories (K58)': inconclusive(
    removedByAnother(skipping),
  ),
  'the disposable key created one and requested the first page alone': pass(withDisposableKey),
  'one is on no page, but each counts more pages': inconclusive(
    edit.at(pages, edit.header('X-Total-Pages', '99'))(skipping),
  ),
});

testJudges('list-categories', lines, [
  ...rowsOf('LIST-1', {
    '500 to one of many': pass(at(afterCreations, edit.status(500))),
    '500 to the only list without categories': fail(at(asked('preflight'), edit.status(500))),
    'nothing but 429': inconclusive(at(withinLimit, edit.limited)),
    'nothing but silence': inconclusive(at(withinLimit, edit.silent('timeout'))),
    '401 for each': fail(at(withinLimit, edit.status(401))),
    'the key is not valid there': inconclusive(
      edit.all(at(asked('preflight'), edit.status(401)), edit.cutAfter('preflight')),
    ),
  }),
  ...rowsOf('LIST-2', {
    'an object around the array': fail(edit.rewriteAt(afterCreations, (text) => `{"items":${text}}`)),
    'an item without a name': fail(at(afterCreations, edit.responseBody('[{"id":1}]'))),
    'only null descriptions, which CAT-3 doubts': pass(
      at(lists, edit.responseBody('[{"id":1,"name":"a","description":null}]')),
    ),
    'an Error with 500 among the lists: LIST-1': pass(
      at(afterCreations, edit.status(500), edit.responseBody({ code: 'a' })),
    ),
    'every list cut by our own bound (K56)': inconclusive(at(lists, edit.cut)),
  }),
  ...rowsOf('LIST-3', {
    'one is in no list': fail(at(lists, without('-own-id-1'))),
    'one is gone from the last list moments after it was created, and another one is in no list':
      inconclusive(
        edit.all(
          edit.without(asked('recovery')),
          at(asked('exhaust-quota'), without('-own-id-1')),
          at(lists, without('-own-id-2')),
        ),
      ),
    'one stands there with another id, in a run that broke off': fail(brokenOff(at(lists, withAnotherId))),
    'the 201 to <b> broke off, and the lists have b: nothing shows how it was stored': pass(
      edit.all(
        at(({ request }) => request.body?.cut === false && request.body.text.includes('<b>'), edit.broken),
        edit.rewriteAt(lists, (body) => body.replaceAll('<b>', 'b')),
      ),
    ),
    'one is gone from the last list, after some that are marked as parts': fail(
      edit.all(inParts, at(asked('recovery'), without('-own-id-1'))),
    ),
    'all stand in each list after them, which are marked as parts': pass(
      at(
        edit.both(lists, (one) => one.probe !== 'preflight'),
        edit.header('X-Total-Count', '999'),
      ),
    ),
    'one is in no list, some of which are marked as parts': inconclusive(
      edit.all(inParts, at(lists, without('-own-id-1'))),
    ),
    'another name than was sent, in the 201 as in every list: CREATE-3': pass(
      edit.rewriteAt(edit.answered(200, 201), (text) => text.replaceAll('"name":"pc-', '"name":"PC-')),
    ),
    'another description than was sent, in the 201 as in every list: CREATE-3': pass(
      edit.rewriteAt(edit.answered(200, 201), (text) =>
        text.replaceAll('"description":"', '"description":"Shop: '),
      ),
    ),
    ...each(['null', 'true'], (id) => [
      `nothing but ids that are ${id}: CAT-1`,
      pass(edit.rewriteAt(edit.answered(200, 201), (text) => text.replace(/"id":\d+/g, `"id":${id}`))),
    ]),
    ...each(
      [
        ['counts more than it holds', 'X-Total-Count', '999', inconclusive],
        ['counts more than it holds, as GitLab does', 'X-Total', '999', inconclusive],
        ['has the number of a next page', 'X-Next-Page', '2', inconclusive],
        ['has no number of a next page', 'X-Next-Page', '', fail],
        ['has the cursor of a next page', 'X-Next-Cursor', 'YWJj', inconclusive],
        ['says that there is more', 'X-Has-More', 'true', inconclusive],
        ['says that there is no more', 'X-Has-More', 'false', fail],
        ['is one of several pages', 'X-Total-Pages', '4', inconclusive],
        ['is the only page', 'X-Total-Pages', '1', fail],
        ['counts more as JSON', 'X-Pagination', '{"totalCount":999,"pageSize":5}', inconclusive],
        ['counts pages as JSON', 'X-Pagination', '{"total":1,"total_pages":3}', inconclusive],
        ['names a next page as JSON', 'X-Pagination', '{ "HasNext" : true }', inconclusive],
        ['counts all as JSON', 'X-Pagination', '{"TotalCount":1,"HasNext":false}', fail],
        ['is a range of more', 'Content-Range', 'categories 0-2/999', inconclusive],
        ['is a range of an unknown number', 'Content-Range', '0-2/*', inconclusive],
        ['is a range of all', 'Content-Range', 'categories 0-0/1', fail],
      ],
      ([what, name, value, is]) => [
        `one is in no list, each of which ${what} (K59)`,
        is(at(lists, without('-own-id-1'), edit.header(name, value))),
      ],
    ),
    'the last list is marked as a part and lacks what complete ones have': pass(
      at(asked('recovery'), without('-own-id-1'), edit.header('X-Total-Count', '999')),
      /every later complete list, or else one that is marked as a part, contains each of them/,
    ),
    'none is in the lists of another key, which has an account of its own': pass(
      at(
        edit.both(lists, ({ caller }) => caller === 'other'),
        edit.responseBody('[]'),
      ),
    ),
    'one is in a later list only (K60)': warn(at(afterCreations, without('-own-id-1'))),
    'none is in the lists beside the first batch, which equal the one before': warn(
      at(edit.both(asked('first-batch'), lists), edit.responseBody('[]')),
      /a list without it in exchange 4 /,
    ),
    'one is gone from the last list, a window after it was created': fail(
      at(asked('recovery'), without('-own-id-1')),
    ),
    'one is gone from the last list, which names a next page (K59)': pass(
      at(asked('recovery'), without('-own-id-1'), edit.header('Link', '</v1/categories?page=2>; rel="next"')),
    ),
    'nothing was created': inconclusive(edit.without(({ request }) => request.method === 'POST')),
  }),
  ...listPageRows,
]);

for (const [ids, order] of [
  [[3], 'too few ids to show an order'],
  [[3, 4, 4, 9], 'in ascending order of ids'],
  [[9, 4, 4, 3], 'in descending order of ids'],
  [[3, 9, 4], 'in no order of ids'],
  [[4, 3, 9], 'in no order of ids'],
] as const) {
  test(`LIST-4: a list of ${ids} is ${order}`, () => {
    const changed = at(lists, edit.responseBody(ids.map((id) => ({ id, name: 'a' }))))(lines);
    assert.equal(
      observed('LIST-4', changed),
      `${ids.length === 1 ? '1 item' : `${ids.length} items`} without a Link header, ${order}.`,
    );
  });
}
