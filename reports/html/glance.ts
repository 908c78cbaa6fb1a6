import { countOf } from '../../kernel/basics/text.ts';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Cause, Finding, RunRecord } from '../../kernel/findings/record.ts';
import { beginningOf, bounded } from '../foreign-text.ts';
import type { FindingGroup, Tally } from '../outcome.ts';
import { groupsOf, VERDICTS } from '../outcome.ts';
import { table } from '../tables.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { isCrowded } from './crowded.ts';
import { section } from './document.ts';
import { allLines, NOTE, printedLines } from './printed-lines.ts';
import { badge, prose } from './prose.ts';

/** How many problems and remarks there is space for; the rest of the report has everything in full. */
interface Space {
  readonly rows: number;
  readonly remarks: number;
}

const WHOLE_PAGE: Space = { rows: 8, remarks: 4 };
/** Of a printed page that begins with the end of a crowded certificate. */
const REST_OF_PAGE: Space = { rows: 5, remarks: 2 };

const TEXT_LIMIT = 100;
const REMARK_LIMIT = 250;

/** The second page: each problem in a line, what limits the run, and what the passes rest on, each in a line where they are few. The rest of the report has them in full. */
export function glanceSection(record: RunRecord, tally: Tally): Markup {
  const space = isCrowded(record) ? REST_OF_PAGE : WHOLE_PAGE;
  const findings = shownOf(tally, space);
  const crowded = linesOf(findings.slice(0, space.rows), record) > MOST_LINES_BESIDE_PICTURE;
  return section(
    'glance',
    'At a glance',
    markup`${passText(record, tally)}${findings.length === 0 ? markup`` : findingTable(findings, record.causes, space)}${limits(record.remarks, space)}`,
    crowded ? 'glance crowded' : 'glance',
  );
}

/** The problems, and the passes where all of them fit, as with a client, of which few requirements are judged. */
function shownOf({ fail, inconclusive, warn, pass }: Tally, { rows }: Space): readonly Finding[] {
  const problems = [...fail, ...inconclusive, ...warn];
  return problems.length + pass.length <= rows ? [...problems, ...pass] : problems;
}

/** A printed page has space for so many lines beside the picture of the run; with more, the picture is not printed. */
const MOST_LINES_BESIDE_PICTURE = 17;

/** Characters of a printed line: of a cell, of two together, and of the whole width. */
const PRINTED = { cell: 36, cells: 75, page: 105 } as const;

/** About how many lines the problems and remarks take when they are printed. */
function linesOf(findings: readonly Finding[], { remarks, causes }: RunRecord): number {
  const rows = findings.map((finding) =>
    'expected' in finding
      ? Math.max(
          printedLines(finding.expected, PRINTED.cell, TEXT_LIMIT + NOTE),
          printedLines(finding.received, PRINTED.cell, TEXT_LIMIT + NOTE),
        )
      : printedLines(finding.because, PRINTED.cells, limitOf(finding) + NOTE),
  );
  const notes = remarks
    .slice(0, WHOLE_PAGE.remarks)
    .map((one) => printedLines(one, PRINTED.page, REMARK_LIMIT + NOTE));
  return allLines([...rows, ...notes, 3 * causes.length]);
}

/** What the passes rest on, in figures. */
function passText(record: RunRecord, { pass }: Tally): Markup {
  if (pass.length === 0) return markup``;
  const cited = new Set(pass.flatMap(({ exchanges }) => exchanges)).size;
  return markup`<p>${countOf(pass.length, 'requirement')} passed on ${countOf(cited, 'exchange')} of ${record.requests.total}${statusText(record)}. For each of them, <a href="#register">the table of all requirements</a> states exactly what was checked.</p>
`;
}

/** How the target responded, by status. */
function statusText({ timeline }: RunRecord): string {
  if (timeline === undefined || timeline.omitted > 0) return '';
  const groups = groupedBy(timeline.entries, ({ status }) =>
    status === null ? 'no response' : String(status),
  );
  const parts = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { length }]) => `${length} × ${name}`);
  return ` (${parts.join(', ')})`;
}

function findingTable(findings: readonly Finding[], causes: readonly Cause[], { rows: most }: Space): Markup {
  const shown = findings.slice(0, most);
  const missing = findings.length - shown.length;
  const groups = groupsOf(shown, causes).toSorted((one, other) => rankOf(one) - rankOf(other));
  const rows = groups.flatMap(({ cause, findings: members }, at) => [
    ...(cause === undefined ? [] : [causeRow(cause)]),
    ...(cause === undefined && groups[at - 1]?.cause !== undefined ? [WITHOUT_CAUSE] : []),
    ...members.map(findingRow),
  ]);
  const reasons = shown.some(({ verdict }) => verdict === 'pass')
    ? 'Expected, what was checked, or why there is no verdict'
    : 'Expected, or why there is no verdict';
  return markup`${table(['Requirement', 'Verdict', reasons, 'Received'], rows, 'glanced')}${missing === 0 ? markup`` : markup`<p class="quiet">${missing} more are in the rest of the report.</p>\n`}`;
}

/** The worst verdict first, and of one verdict the causes: what stands below the heading of a cause follows from it. */
const rankOf = ({ cause, findings: [first] }: FindingGroup): number =>
  2 * VERDICTS.indexOf(first?.verdict ?? 'pass') + (cause === undefined ? 1 : 0);

const WITHOUT_CAUSE = markup`<tr class="cause-row"><td colspan="4"><strong>Without a common cause</strong></td></tr>
`;

const causeRow = ({ title, fix }: Cause): Markup =>
  markup`<tr class="cause-row"><td colspan="4"><strong>One cause:</strong> ${prose(bounded(title, CAUSE_LIMIT))}${fix === undefined ? markup`` : markup` <strong>Fix:</strong> ${prose(beginningOf(fix, CAUSE_LIMIT))}`}</td></tr>
`;

/** A problem has a card of its own; a pass stands in the table of all requirements. */
const addressOf = ({ id, verdict }: Finding): string => (verdict === 'pass' ? id : `finding-${id}`);

const findingRow = (finding: Finding): Markup =>
  markup`<tr><th scope="row"><a href="#${addressOf(finding)}">${finding.id}</a></th><td>${badge(finding.verdict)}</td>${facts(finding)}</tr>
`;

function facts(finding: Finding): Markup {
  switch (finding.verdict) {
    case 'fail':
    case 'warn':
      return markup`<td>${short(finding.expected)}</td><td>${short(finding.received)}</td>`;
    case 'pass':
      return markup`<td colspan="2">${prose(bounded(finding.checked, limitOf(finding)))}</td>`;
    case 'inconclusive':
    case 'not-tested':
      return markup`<td colspan="2">${short(finding.reason)}</td>`;
  }
}

/** A pass has the space of two cells to say what it rests on. */
const limitOf = ({ verdict }: Finding): number => (verdict === 'pass' ? CHECKED_LIMIT : TEXT_LIMIT);

const CAUSE_LIMIT = 160;
const CHECKED_LIMIT = 300;

const short = (text: string): Markup => prose(bounded(text, TEXT_LIMIT));

function limits(remarks: readonly string[], { remarks: most }: Space): Markup {
  if (remarks.length === 0) return markup``;
  const missing = remarks.length - most;
  return markup`<p><strong>What limits the meaning of this run</strong></p>
<ul>
${remarks.slice(0, most).map((one) => markup`<li>${prose(bounded(one, REMARK_LIMIT))}</li>\n`)}${missing > 0 ? markup`<li>${countOf(missing, 'further remark')} in the rest of the report.</li>\n` : markup``}</ul>
`;
}
