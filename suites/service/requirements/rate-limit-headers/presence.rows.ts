import type { VerdictRow, Where } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';

const { at } = edit;
const NAMES = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const [LIMIT, , RESET] = NAMES;

/** What speaks for and against the presence of the three headers, shown in the answers that `where` names. */
export const presenceRows = (
  id: 'RATE-1' | 'RATE-2' | 'RATE-3' | 'RATE-4',
  where: Where,
): readonly VerdictRow[] => [
  { id, description: 'all three', journal: edit.unchanged, verdict: 'pass' },
  { id, description: 'in lower case (K03)', journal: at(where, edit.lowerCase), verdict: 'pass' },
  {
    id,
    description: 'besides those of the drafts (K70)',
    journal: at(where, edit.header('RateLimit', '"a";r=5')),
    verdict: 'pass',
  },
  ...NAMES.map(
    (name): VerdictRow => ({
      id,
      description: `no ${name}`,
      journal: at(where, edit.header(name)),
      verdict: 'fail',
    }),
  ),
  {
    id,
    description: 'a line twice with one value (K71)',
    journal: at(where, edit.header(LIMIT, '60', '60')),
    verdict: 'warn',
  },
  {
    id,
    description: 'a line twice with two values',
    journal: at(where, edit.header(LIMIT, '60', '1000')),
    verdict: 'fail',
  },
  {
    id,
    description: 'missing in an answer that a cache gave',
    journal: at(where, edit.header(RESET), edit.header('Age', '5')),
    verdict: 'pass',
  },
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
  {
    id: 'RATE-4',
    description: 'a 429 of a named operation that never succeeds, without them',
    journal: edit.at(limited, ofOrders, ...NAMES.map((name) => edit.header(name))),
    verdict: 'pass',
  },
];

/** A list that the client has already: "Every API response carries" the headers. */
export const conditionalListRows: readonly VerdictRow[] = [
  {
    id: 'RATE-1',
    description: 'a conditional list that returns 304, with them',
    journal: edit.at(edit.asked('identities'), edit.status(304)),
    verdict: 'pass',
  },
  {
    id: 'RATE-1',
    description: 'a conditional list that returns 304, without them',
    journal: edit.at(edit.asked('identities'), edit.status(304), ...NAMES.map((name) => edit.header(name))),
    verdict: 'warn',
  },
];
