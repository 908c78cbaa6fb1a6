import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { firstCreation } from '../../probes/creations.ts';

/** In every list, the first category of the run has another id than in its 201. */
const otherIdInLists = edit.at(
  ({ request }) => request.method === 'GET',
  edit.rewrite((text) =>
    text.replace('"id":1,"name":"pc-virtual1-full-1"', '"id":7777,"name":"pc-virtual1-full-1"'),
  ),
);

/** Every category has this id. */
const onlyId = (text: string) =>
  edit.at(
    edit.answered(200, 201),
    edit.rewrite((body) => body.replace(/"id":\d+/g, `"id":${text}`)),
  );

/** What an entry shows that has the name of a creation or its id, and not both (CAT-4). */
export const sentAgainRows: readonly VerdictRow[] = [
  ...rowsOf('CAT-4', {
    'its name under another id alone': fail(otherIdInLists),
    'the same, and a creation with this name got a 503 before, whose entry that may be': pass(
      edit.all(otherIdInLists, edit.unavailableBefore(edit.asked(firstCreation.id))),
    ),
  }),
  ...['null', 'true'].map(
    (text): VerdictRow => ({
      id: 'CAT-4',
      description: `nothing but ids that are ${text}: CAT-1`,
      journal: onlyId(text),
      verdict: 'inconclusive',
    }),
  ),
  ...rowsOf('CAT-4', {
    'another name than was sent, in the 201 as in every list: CREATE-3': pass(
      edit.at(
        edit.answered(200, 201),
        edit.rewrite((text) => text.replaceAll('"name":"pc-', '"name":"PC-')),
      ),
    ),
    'another name under its id in the list': fail(
      edit.at(
        ({ request }) => request.method === 'GET',
        edit.rewrite((text) => text.replace('"id":1,"name":"pc-', '"id":1,"name":"renamed-')),
      ),
    ),
  }),
];

const lists: edit.Where = (exchange) =>
  exchange.request.method === 'GET' &&
  exchange.request.target === '/v1/categories' &&
  edit.answered(200)(exchange);

/** CAT-4 where a creation sent no description. */
export const noDescriptionRows: readonly VerdictRow[] = rowsOf('CAT-4', {
  'no description in the 201, as sent, and null in the lists': warn(
    edit.at(
      lists,
      edit.rewrite((text) => text.replace(/("name":"[^"]*v5[^"]*")\}/, '$1,"description":null}')),
    ),
  ),
  'no description in the 201, as sent, and a text in the lists': fail(
    edit.at(
      lists,
      edit.rewrite((text) => text.replace(/("name":"[^"]*v5[^"]*")\}/, '$1,"description":"none"}')),
    ),
  ),
});
