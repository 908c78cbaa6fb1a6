import * as edit from './edits.ts';
import type { VerdictRow } from './rows.ts';

const RESET = 'X-RateLimit-Reset';

/** Resets in a run whose responses have no Date, compared with our clock (RATE-9). */
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
    undated('three hours ahead on the 429, which may be a penalty', 'pass', {
      seconds: 10_800,
      where: limited,
    }),
  ];
}
