import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';

const RESET = 'X-RateLimit-Reset';

/** Resets in a run whose responses have no Date, or a wrong one, compared with our clock (RATE-9). */
export function undatedResetRows(everything: edit.Where, limited: edit.Where): readonly VerdictRow[] {
  const undated = (
    description: string,
    verdict: VerdictRow['verdict'],
    { seconds, where = everything }: { readonly seconds: number; readonly where?: edit.Where },
  ): VerdictRow => ({
    id: 'RATE-9',
    description: `no Date, and ${description}`,
    journal: (lines) => {
      const moved = edit.turn(RESET, (text) => String(Number(text) + seconds));
      return edit.at(where, moved)(edit.at(everything, edit.header('Date'))(lines));
    },
    verdict,
  });
  return [
    undated('the end of the window', 'pass', { seconds: 0 }),
    undated('a clock that is four minutes ahead', 'pass', { seconds: 240 }),
    undated('a clock that is four minutes late', 'pass', { seconds: -240 }),
    undated('three hours ahead', 'warn', { seconds: 10_800 }),
    undated('three hours ago', 'warn', { seconds: -10_800 }),
    ...([-10_800, 10_800] as const).map((seconds) => ({
      id: 'RATE-9' as const,
      description: `the end of the window, and a Date that is ${seconds} seconds off`,
      journal: edit.at(
        everything,
        edit.turn('Date', (text) => new Date(Date.parse(text) + seconds * 1000).toUTCString()),
      ),
      verdict: 'warn' as const,
    })),
    undated('three hours ahead on the 429, which may be a penalty', 'pass', {
      seconds: 10_800,
      where: limited,
    }),
  ];
}
