import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';

const lists: edit.Where = (exchange) =>
  exchange.request.method === 'GET' &&
  exchange.request.target === '/v1/categories' &&
  edit.answered(200)(exchange);

/** CAT-4 where a creation sent no description. */
export const noDescriptionRows: readonly VerdictRow[] = [
  {
    id: 'CAT-4',
    description: 'no description in the 201, as sent, and null in the lists',
    journal: edit.at(
      lists,
      edit.rewrite((text) => text.replace(/("name":"[^"]*v5[^"]*")\}/, '$1,"description":null}')),
    ),
    verdict: 'warn',
  },
  {
    id: 'CAT-4',
    description: 'no description in the 201, as sent, and a text in the lists',
    journal: edit.at(
      lists,
      edit.rewrite((text) => text.replace(/("name":"[^"]*v5[^"]*")\}/, '$1,"description":"none"}')),
    ),
    verdict: 'fail',
  },
];
