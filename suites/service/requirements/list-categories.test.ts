import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../evaluation/testing/suites/edits.ts';
import { testChapter } from '../../../evaluation/testing/suites/edits.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { listPageRows } from './list-categories/list-page.rows.ts';

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
const afterCreations = asked('list-after-creations');

testChapter('List categories', lines, [
  { id: 'LIST-1', description: '200', journal: edit.unchanged, verdict: 'pass' },
  { id: 'LIST-1', description: '500', journal: at(withinLimit, edit.status(500)), verdict: 'fail' },
  {
    id: 'LIST-1',
    description: 'one 429 among the lists',
    journal: at(afterCreations, edit.limited),
    verdict: 'pass',
  },
  {
    id: 'LIST-1',
    description: 'nothing but 429',
    journal: at(withinLimit, edit.limited),
    verdict: 'inconclusive',
  },
  {
    id: 'LIST-1',
    description: 'nothing but silence',
    journal: at(withinLimit, edit.silent('timeout')),
    verdict: 'inconclusive',
  },
  {
    id: 'LIST-1',
    description: 'the key is not valid there',
    journal: edit.all(at(asked('preflight'), edit.status(401)), edit.cutAfter('preflight')),
    verdict: 'inconclusive',
  },
  { id: 'LIST-2', description: 'arrays of categories', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIST-2',
    description: 'additional fields (K42)',
    journal: at(lists, edit.responseBody('[{"id":1,"name":"a","createdAt":"2026"}]')),
    verdict: 'pass',
  },
  {
    id: 'LIST-2',
    description: 'an object around the array',
    journal: at(
      afterCreations,
      edit.rewrite((text) => `{"items":${text}}`),
    ),
    verdict: 'fail',
  },
  {
    id: 'LIST-2',
    description: 'an item without a name',
    journal: at(afterCreations, edit.responseBody('[{"id":1}]')),
    verdict: 'fail',
  },
  {
    id: 'LIST-2',
    description: 'an item that is null',
    journal: at(afterCreations, edit.responseBody('[null]')),
    verdict: 'fail',
  },
  {
    id: 'LIST-2',
    description: 'only null descriptions, which CAT-3 doubts',
    journal: at(lists, edit.responseBody('[{"id":1,"name":"a","description":null}]')),
    verdict: 'pass',
  },
  {
    id: 'LIST-2',
    description: 'every list cut by our own bound (K56)',
    journal: at(lists, edit.cut),
    verdict: 'inconclusive',
  },
  { id: 'LIST-3', description: 'all created ones are there', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'LIST-3',
    description: 'in another order (K57)',
    journal: at(
      lists,
      edit.rewrite((text) => JSON.stringify((JSON.parse(text) as readonly unknown[]).toReversed())),
    ),
    verdict: 'pass',
  },
  {
    id: 'LIST-3',
    description: 'one is in no list',
    journal: at(lists, without('-own-id-1')),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'one is in no list of the moments after it (K60)',
    journal: edit.all(edit.without(asked('recovery')), at(lists, without('-own-id-1'))),
    verdict: 'inconclusive',
  },
  {
    id: 'LIST-3',
    description: 'one is gone from the last list moments after it was created (K60)',
    journal: edit.all(edit.without(asked('recovery')), at(asked('exhaust-quota'), without('-own-id-1'))),
    verdict: 'warn',
  },
  {
    id: 'LIST-3',
    description: 'one of two simultaneous creations is in no list',
    journal: at(lists, without('<b>')),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'one that the specification leaves open is in no list',
    journal: at(lists, without('-twice')),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'only the first ten are in the lists',
    journal: at(
      lists,
      edit.rewrite((text) => JSON.stringify((JSON.parse(text) as readonly unknown[]).slice(0, 10))),
    ),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'the newest one is in no list',
    journal: at(
      lists,
      edit.rewrite((text) => JSON.stringify((JSON.parse(text) as readonly unknown[]).slice(0, -1))),
    ),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'another name in the 201, and the one that was sent in the list: CREATE-3',
    journal: at(
      asked('creations', 'client-chosen id'),
      edit.rewrite((text) => text.replace('-own-id-2', '-OWN-ID-2')),
    ),
    verdict: 'pass',
  },
  {
    id: 'LIST-3',
    description: 'another name than was sent, in the 201 as in every list: CREATE-3',
    journal: at(
      edit.answered(200, 201),
      edit.rewrite((text) => text.replaceAll('"name":"pc-', '"name":"PC-')),
    ),
    verdict: 'pass',
  },
  {
    id: 'LIST-3',
    description: 'another description than was sent, in the 201 as in every list: CREATE-3',
    journal: at(
      edit.answered(200, 201),
      edit.rewrite((text) => text.replaceAll('"description":"', '"description":"Shop: ')),
    ),
    verdict: 'pass',
  },
  ...['null', 'true'].map((id) => ({
    id: 'LIST-3' as const,
    description: `nothing but ids that are ${id}: CAT-1`,
    journal: at(
      edit.answered(200, 201),
      edit.rewrite((text) => text.replace(/"id":\d+/g, `"id":${id}`)),
    ),
    verdict: 'pass' as const,
  })),
  {
    id: 'LIST-3',
    description: 'one is in no list, each of which names a next page (K59)',
    journal: at(lists, without('-own-id-1'), edit.header('Link', '</v1/categories?page=2>; rel="next"')),
    verdict: 'inconclusive',
  },
  {
    id: 'LIST-3',
    description: 'the last list is marked as a part and lacks what complete ones have',
    journal: at(asked('recovery'), without('-own-id-1'), edit.header('X-Total-Count', '999')),
    verdict: 'pass',
    because: /every later complete list, or else one that is marked as a part, contains each of them/,
  },
  {
    id: 'LIST-3',
    description: 'one is in no list, each of which counts more than it holds (K59)',
    journal: at(lists, without('-own-id-1'), edit.header('X-Total-Count', '999')),
    verdict: 'inconclusive',
  },
  {
    id: 'LIST-3',
    description: 'one is in no list, each of which names the page before it alone',
    journal: at(lists, without('-own-id-1'), edit.header('Link', '</v1/categories?page=1>; rel="prev"')),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'one stands there with another id',
    journal: at(
      lists,
      edit.rewrite((text) => text.replace('"id":3,', '"id":33,')),
    ),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'one is in a later list only (K60)',
    journal: at(afterCreations, without('-own-id-1')),
    verdict: 'warn',
  },
  {
    id: 'LIST-3',
    description: 'one is gone from the last list, a window after it was created',
    journal: at(asked('recovery'), without('-own-id-1')),
    verdict: 'fail',
  },
  {
    id: 'LIST-3',
    description: 'one is missing between two lists that have it (K60)',
    journal: at(edit.both(asked('second-batch'), lists), without('-own-id-1')),
    verdict: 'warn',
  },
  {
    id: 'LIST-3',
    description: 'one is gone from the last list, which names a next page (K59)',
    journal: at(
      asked('recovery'),
      without('-own-id-1'),
      edit.header('Link', '</v1/categories?page=2>; rel="next"'),
    ),
    verdict: 'pass',
  },
  ...listPageRows,
  {
    id: 'LIST-3',
    description: 'no whole list came after the creations',
    journal: edit.cutAfter('creations'),
    verdict: 'inconclusive',
  },
  {
    id: 'LIST-3',
    description: 'nothing was created',
    journal: edit.without(({ request }) => request.method === 'POST'),
    verdict: 'inconclusive',
  },
]);
