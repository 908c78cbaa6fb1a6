import type { Where } from './edits.ts';
import * as edit from './edits.ts';
import type { VerdictRow } from './rows.ts';

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
