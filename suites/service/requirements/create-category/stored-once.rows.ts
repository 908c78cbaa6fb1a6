import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';
import { listAfterCreations } from '../../probes/creations.ts';

const { asked, at } = edit;
const full = asked('first-creation');
const NAME = 'pc-virtual1-full-1';

/** A list that ends with this text in addition. */
const ending = (item: string): edit.Change =>
  at(
    asked(listAfterCreations.id),
    edit.rewrite((text) => text.replace(/]$/, `,${item}]`)),
  );

/** How often one creation stands in a list (CREATE-14). */
export const storedOnceRows: readonly VerdictRow[] = [
  { id: 'CREATE-14', description: 'each name once', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-14',
    description: 'the name once more under another id',
    journal: ending(`{"id":77,"name":"${NAME}"}`),
    verdict: 'warn',
  },
  {
    id: 'CREATE-14',
    description: 'the same category twice in one list',
    journal: ending(`{"id":1,"name":"${NAME}","description":"Made by a conformance run."}`),
    verdict: 'pass',
  },
  {
    id: 'CREATE-14',
    description: 'the name of a category that another client made',
    journal: edit.all(ending('{"id":77,"name":"dog"}'), ending('{"id":78,"name":"dog"}')),
    verdict: 'pass',
  },
  {
    id: 'CREATE-14',
    description: 'two categories of a creation that was sent again after a 503',
    journal: edit.all(ending(`{"id":77,"name":"${NAME}"}`), edit.unavailableBefore(full)),
    verdict: 'pass',
  },
  {
    id: 'CREATE-14',
    description: 'no list at all',
    journal: at((exchange) => exchange.request.method === 'GET', edit.status(503)),
    verdict: 'inconclusive',
  },
];
