import { firstCreation } from '../../../suites/probes/creations.ts';
import * as edit from './edits.ts';
import type { VerdictRow } from './rows.ts';

/** In every list, the first category of the run has another id than in its 201. */
const otherIdInLists = edit.at(
  ({ request }) => request.method === 'GET',
  edit.rewrite((text) =>
    text.replace('"id":1,"name":"pc-virtual1-full-1"', '"id":7777,"name":"pc-virtual1-full-1"'),
  ),
);

/** What an entry with the name of a creation and another id shows (CAT-4). */
export const sentAgainRows: readonly VerdictRow[] = [
  { id: 'CAT-4', description: 'its name under another id alone', journal: otherIdInLists, verdict: 'fail' },
  {
    id: 'CAT-4',
    description: 'the same, and a creation with this name got a 503 before, whose entry that may be',
    journal: edit.all(otherIdInLists, edit.unavailableBefore(edit.asked(firstCreation.id))),
    verdict: 'pass',
  },
];
