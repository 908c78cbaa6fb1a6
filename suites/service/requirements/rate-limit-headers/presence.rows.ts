import type { VerdictRow, Where } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';

const { at } = edit;
const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const [LIMIT, , RESET] = NAMES;

/** What speaks for and against the presence of the three headers, shown in the answers that `where` names. */
export const presenceRows = (
  id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4',
  where: Where,
): readonly VerdictRow[] => [
  ...rowsOf(id, {
    'all three': pass(edit.unchanged),
    'in lower case (K03)': pass(at(where, edit.lowerCase)),
    'besides those of the drafts (K70)': pass(at(where, edit.header('RateLimit', '"a";r=5'))),
  }),
  ...NAMES.map(
    (name): VerdictRow => ({
      id,
      description: `no ${name}`,
      journal: at(where, edit.header(name)),
      verdict: 'fail',
    }),
  ),
  ...rowsOf(id, {
    'a line twice with one value (K71)': warn(at(where, edit.header(LIMIT, '60', '60'))),
    'a line twice with two values': fail(at(where, edit.header(LIMIT, '60', '1000'))),
    'missing in an answer that a cache gave': pass(at(where, edit.header(RESET), edit.header('Age', '5'))),
  }),
];

/** The request as one for a named operation. */
const ofOrders: edit.Edit = (exchange) => ({
  ...exchange,
  request: { ...exchange.request, method: 'GET', target: '/v1/store/orders', body: null },
});

const limited = edit.both(edit.asked('exhaust-quota'), edit.answered(429));

/** RATE-4 where a named operation exhausted the quota. */
export const namedLimitRows: readonly VerdictRow[] = [
  ...(
    [
      ['with them', [], 'pass'],
      ['without them', NAMES.map((name) => edit.header(name)), 'fail'],
    ] as const
  ).map(([what, edits, verdict]) => ({
    id: 'RATE-4' as const,
    description: `a 429 of a named operation alone, ${what}`,
    journal: edit.all(
      edit.at(edit.asked('other-operations'), edit.status(200)),
      edit.at(limited, ofOrders, ...edits),
    ),
    verdict,
  })),
  ...rowsOf('RATE-4', {
    'a 429 of a named operation that never succeeds, without them': pass(
      edit.at(limited, ofOrders, ...NAMES.map((name) => edit.header(name))),
    ),
  }),
];

/** A list that the client has already: "Every API response carries" the headers. */
export const conditionalListRows: readonly VerdictRow[] = rowsOf('RATE-1', {
  'a conditional list that returns 304, with them': pass(edit.at(edit.asked('identities'), edit.status(304))),
  'a conditional list that returns 304, without them': warn(
    edit.at(edit.asked('identities'), edit.status(304), ...NAMES.map((name) => edit.header(name))),
  ),
});
