import type { Cause, Finding, RunRecord } from '../../suites/model/record.ts';
import { countOf } from '../../words/text.ts';
import { bounded } from '../foreign-text.ts';
import type { Tally } from '../outcome.ts';
import { groupsOf } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { badge, prose } from './prose.ts';

/** What a page of A4 has space for; the rest of the report has everything in full. */
const MOST_ROWS = 8;
const MOST_REMARKS = 4;
const TEXT_LIMIT = 100;
const REMARK_LIMIT = 200;

/** The second page: each problem in a line, what limits the run, and what a pass rests on. The rest of the report has them in full. */
export function glanceSection(record: RunRecord, tally: Tally): Markup {
  const findings = [...tally.fail, ...tally.inconclusive, ...tally.warn];
  const crowded = linesOf(findings.slice(0, MOST_ROWS), record) > MOST_LINES_BESIDE_PICTURE;
  return markup`<section class="glance${crowded ? ' crowded' : ''}" aria-labelledby="glance">
<h2 id="glance">At a glance</h2>
${passText(record, tally)}${findings.length === 0 ? markup`` : findingTable(findings, record.causes)}${limits(record.remarks)}</section>
`;
}

/** A printed page has space for so many lines beside the picture of the run; with more, the picture is not printed. */
const MOST_LINES_BESIDE_PICTURE = 17;

/** Characters of a printed line: of a cell, of two together, and of the whole width. */
const PRINTED = { cell: 36, cells: 75, page: 105 } as const;

/** About how many lines the problems and remarks take when they are printed. */
function linesOf(findings: readonly Finding[], { remarks, causes }: RunRecord): number {
  const lines = (text: string, limit: number, width: number): number =>
    Math.ceil(Math.min(text.length, limit + NOTE) / width);
  const rows = findings.map((finding) =>
    'expected' in finding
      ? Math.max(
          lines(finding.expected, TEXT_LIMIT, PRINTED.cell),
          lines(finding.received, TEXT_LIMIT, PRINTED.cell),
        )
      : lines(finding.because, TEXT_LIMIT, PRINTED.cells),
  );
  const notes = remarks.slice(0, MOST_REMARKS).map((one) => lines(one, REMARK_LIMIT, PRINTED.page));
  return [...rows, ...notes].reduce((sum, count) => sum + count, 2 * causes.length);
}

/** The length of the note behind a text that was cut. */
const NOTE = 24;

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
  const counts = new Map<string, number>();
  for (const { status } of timeline.entries) {
    const name = status === null ? 'no response' : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${count} × ${name}`);
  return ` (${parts.join(', ')})`;
}

function findingTable(findings: readonly Finding[], causes: readonly Cause[]): Markup {
  const shown = findings.slice(0, MOST_ROWS);
  const missing = findings.length - shown.length;
  const rows = groupsOf(shown, causes).flatMap(({ cause, findings: members }) => [
    ...(cause === undefined ? [] : [causeRow(cause)]),
    ...members.map(findingRow),
  ]);
  return markup`<table class="glanced">
<thead><tr><th scope="col">Requirement</th><th scope="col">Verdict</th><th scope="col">Expected, or why there is no verdict</th><th scope="col">Received</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
${missing === 0 ? markup`` : markup`<p class="quiet">${missing} more stand in the report below.</p>\n`}`;
}

const causeRow = ({ title, fix }: Cause): Markup =>
  markup`<tr class="cause-row"><td colspan="4"><strong>One cause:</strong> ${short(title)}${fix === undefined ? markup`` : markup` <strong>Fix:</strong> ${short(fix)}`}</td></tr>
`;

const findingRow = (finding: Finding): Markup =>
  markup`<tr><th scope="row"><a href="#finding-${finding.id}">${finding.id}</a></th><td>${badge(finding.verdict)}</td>${facts(finding)}</tr>
`;

function facts(finding: Finding): Markup {
  switch (finding.verdict) {
    case 'fail':
    case 'warn':
      return markup`<td>${short(finding.expected)}</td><td>${short(finding.received)}</td>`;
    case 'pass':
      return markup`<td colspan="2">${short(finding.checked)}</td>`;
    case 'inconclusive':
    case 'not-tested':
      return markup`<td colspan="2">${short(finding.reason)}</td>`;
  }
}

const short = (text: string): Markup => prose(bounded(text, TEXT_LIMIT));

function limits(remarks: readonly string[]): Markup {
  if (remarks.length === 0) return markup``;
  const missing = remarks.length - MOST_REMARKS;
  return markup`<p><strong>What limits the meaning of this run</strong></p>
<ul>
${remarks.slice(0, MOST_REMARKS).map((one) => markup`<li>${prose(bounded(one, REMARK_LIMIT))}</li>\n`)}${missing > 0 ? markup`<li>${countOf(missing, 'further remark')} below.</li>\n` : markup``}</ul>
`;
}
