import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Finding, RunRecord, Verdict } from '../../kernel/findings/record.ts';
import { tallyOf, VERDICT_SIGNS } from '../outcome.ts';
import { table } from '../tables.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { section } from './document.ts';

/** The verdicts in the order of the columns. */
const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'warn', 'inconclusive', 'not-tested'];

/** What was tested, chapter by chapter: how many requirements have each verdict, and on how many exchanges they rest. */
export function testedSection(record: RunRecord): Markup {
  if (record.headline?.kind === 'wrong-target') return markup``;
  const tally = tallyOf(record);
  const columns = VERDICTS.filter((verdict) => tally[verdict].length > 0);
  const names = ['Chapter', ...columns.map((verdict) => VERDICT_SIGNS[verdict].word), 'exchanges'];
  const rows = [...groupedBy(record.requirements, ({ chapter }) => chapter)].map(([chapter, findings]) =>
    row(chapter, findings, columns),
  );
  return section('tested', 'What was tested', table(names, rows), 'tested');
}

function row(chapter: string, findings: readonly Finding[], columns: readonly Verdict[]): Markup {
  const cited = new Set(findings.flatMap(({ exchanges }) => exchanges)).size;
  const cells = columns.map((verdict) => {
    const count = findings.filter((one) => one.verdict === verdict).length;
    return count === 0
      ? markup`<td class="none">0</td>`
      : markup`<td class="${verdict}"><strong>${count}</strong></td>`;
  });
  return markup`<tr><th scope="row">${chapter}</th>${cells}<td>${cited}</td></tr>
`;
}
