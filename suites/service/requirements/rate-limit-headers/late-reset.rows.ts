import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/rows.ts';

const { at, asked } = edit;

/** Everything after the last of these exchanges happens this much sooner, in seconds, on both clocks and in Date. */
const sooner =
  (where: edit.Where, seconds: number): edit.Change =>
  (lines) => {
    const last = lines.findLastIndex((line) => line.kind === 'exchange' && where(line));
    return lines.map((line, i) => {
      if (line.kind !== 'exchange' || i <= last || line.caller !== 'key') return line;
      const earlier = ({ wall, mono }: typeof line.sent) => ({
        wall: wall - seconds * 1000,
        mono: mono - seconds * 1000,
      });
      return { ...line, sent: earlier(line.sent), received: earlier(line.received) };
    });
  };

/** What a Reset at this moment, Unix seconds more than a window ahead, says on a 429: RATE-9. */
export function lateResetRows(limited: edit.Where, moment: number): readonly VerdictRow[] {
  const late = edit.header('X-RateLimit-Reset', String(moment));
  const row = (description: string, journal: edit.Change, verdict: VerdictRow['verdict']): VerdictRow => ({
    id: 'RATE-9',
    description: `far ahead on a 429, ${description}`,
    journal,
    verdict,
  });
  return [
    row('the end of a penalty (K07)', at(limited, late, edit.header('Retry-After', '593')), 'pass'),
    row('and full again before', at(limited, late), 'fail'),
    row(
      'and one left again before',
      edit.all(at(limited, late), at(asked('recovery'), edit.header('X-RateLimit-Remaining', '0'))),
      'warn',
    ),
    row(
      'within the window, but the full quota comes long before',
      edit.all(
        at(limited, edit.header('X-RateLimit-Reset', String(moment - 540)), edit.header('Retry-After', '5')),
        sooner(limited, 50),
      ),
      'warn',
    ),
    row(
      'within the window, and one request before, as of a bucket',
      edit.all(
        at(limited, edit.header('X-RateLimit-Reset', String(moment - 540)), edit.header('Retry-After', '5')),
        sooner(limited, 50),
        at(asked('recovery'), edit.header('X-RateLimit-Remaining', '0')),
      ),
      'pass',
    ),
    row('the end of the day', at(limited, late, edit.header('X-RateLimit-Limit', '1000')), 'pass'),
    row('without a usable Retry-After', at(limited, late, edit.header('Retry-After', 'soon')), 'pass'),
  ];
}
