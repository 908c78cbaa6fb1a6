import { countOf } from '../../kernel/basics/text.ts';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Finding, RunRecord, Verdict } from '../../kernel/findings/record.ts';
import { tallyOf, VERDICT_SIGNS } from '../outcome.ts';
import { pointStatusOf, statusCounts } from '../plots/statuses.ts';
import { figureTable } from '../tables.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import type { Section } from './document.ts';

/** The verdicts in the order of the columns. */
const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'warn', 'inconclusive', 'not-tested'];

/** What was tested, chapter by chapter: how many requirements have each verdict, and on how many exchanges they rest. */
export function testedSection(record: RunRecord): Section | undefined {
  if (record.headline?.kind === 'wrong-target') return undefined;
  const tally = tallyOf(record);
  const columns = VERDICTS.filter((verdict) => tally[verdict].length > 0);
  const names = ['Chapter', ...columns.map((verdict) => VERDICT_SIGNS[verdict].word), 'exchanges'];
  const rows = [...groupedBy(record.requirements, ({ chapter }) => chapter)].map(([chapter, findings]) => [
    chapter,
    ...columns.map((verdict) => verdictCell(verdict, findings)),
    citedBy(findings),
  ]);
  return {
    id: 'tested',
    title: 'What was tested',
    content: markup`${passText(record, tally.pass)}${figureTable('Verdicts by chapter', names, rows)}`,
    classes: 'tested',
  };
}

function verdictCell(verdict: Verdict, findings: readonly Finding[]): Markup {
  const count = findings.filter((one) => one.verdict === verdict).length;
  return count === 0
    ? markup`<span class="none">0</span>`
    : markup`<strong class="${verdict}">${count}</strong>`;
}

const citedBy = (findings: readonly Finding[]): number =>
  new Set(findings.flatMap(({ exchanges }) => exchanges)).size;

/** What the passes rest on, in figures. */
function passText({ requests, timeline }: RunRecord, passed: readonly Finding[]): Markup {
  if (passed.length === 0) return markup``;
  const statuses =
    timeline === undefined || timeline.omitted > 0
      ? ''
      : ` (${statusCounts(timeline.entries.map(({ status }) => ({ status: pointStatusOf(status ?? undefined) })))})`;
  return markup`<p>${countOf(passed.length, 'requirement')} passed on ${countOf(citedBy(passed), 'exchange')} of ${requests.total}${statuses}. The table of all requirements states exactly what was checked.</p>
`;
}
