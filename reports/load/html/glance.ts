import { countOf } from '../../../kernel/basics/text.ts';
import type { LoadFinding, LoadRecord } from '../../../load/model/record.ts';
import { bounded } from '../../foreign-text.ts';
import { section } from '../../html/document.ts';
import { allLines, NOTE, printedLines } from '../../html/printed-lines.ts';
import { badge, prose } from '../../html/prose.ts';
import { table } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { byVerdict, EXPECTED_LIMIT, totalOfKeys } from '../texts.ts';

/** Rows that the page has space for; the rest of the report has all. */
const MOST_ROWS = 6;

const RECEIVED_LIMIT = 280;

/** Characters of a printed line of a problem. */
const PRINTED = 66;

/** Lines of problems and of phases that a printed page has space for: beside the plots, and beside the plots without the panel of what was not accepted. */
const MOST_LINES = { problems: 22, problemsAndPhases: 5, withoutPanel: 4 } as const;

/** Lines of the head of the table of problems. */
const HEAD_LINES = 2;

/** Characters of a printed line of the result of a phase. */
const PRINTED_RESULT = 26;

/** What of the run the second page has space for when it is printed. */
export type PrintedRun = 'nothing' | 'plots' | 'plots and phases';

/** The expectations that did not pass, a failed one first. */
const problemsOf = ({ findings }: LoadRecord): readonly LoadFinding[] =>
  byVerdict(findings.filter(({ verdict }) => verdict !== 'pass'));

/** What of the run is printed behind the problems. */
export function printedRun(record: LoadRecord): PrintedRun {
  const lines = problemLines(record);
  if (lines > MOST_LINES.problems) return 'nothing';
  const { rateLimited, failed } = totalOfKeys(record);
  const space = MOST_LINES.problemsAndPhases + (rateLimited + failed === 0 ? MOST_LINES.withoutPanel : 0);
  const head = lines === 0 ? 0 : HEAD_LINES;
  return head + lines + phaseLines(record) <= space ? 'plots and phases' : 'plots';
}

/** About how many lines the problems take when they are printed. */
const problemLines = (record: LoadRecord): number =>
  allLines(
    problemsOf(record)
      .slice(0, MOST_ROWS)
      .flatMap(({ expected, because }) => [
        printedLines(expected, PRINTED, EXPECTED_LIMIT + NOTE),
        printedLines(because, PRINTED, RECEIVED_LIMIT + NOTE),
      ]),
  );

/** About how many lines the table of phases takes when it is printed, besides its head. */
const phaseLines = ({ phases = [] }: LoadRecord): number =>
  allLines(phases.map(({ result }) => Math.max(1, printedLines(result, PRINTED_RESULT))));

/** The second page: what did not pass, in a line each, and what the passes rest on. The rest of the report has it in full. */
export function loadGlanceSection(record: LoadRecord): Markup {
  return section(
    'glance',
    'At a glance',
    markup`<p>${passText(record)}</p>
${problemTable(problemsOf(record))}`,
    printedRun(record) === 'nothing' ? 'glance crowded' : 'glance',
  );
}

/** What the passes rest on, in figures. */
function passText(record: LoadRecord): string {
  const { sent, accepted, rateLimited, failed } = totalOfKeys(record);
  const passed = record.findings.filter(({ verdict }) => verdict === 'pass').length;
  return `${passed} of ${countOf(record.findings.length, 'expectation')} passed, on ${countOf(sent, 'request')}: ${accepted} accepted, ${rateLimited} rate-limited, ${failed} failed.`;
}

function problemTable(problems: readonly LoadFinding[]): Markup {
  if (problems.length === 0) return markup``;
  const more = problems.length - MOST_ROWS;
  const columns = [
    'Expectation',
    'Verdict',
    'What was expected; what was received, or why there is no verdict',
  ];
  return markup`${table(columns, problems.slice(0, MOST_ROWS).map(problemRow), 'glanced')}${more > 0 ? markup`<p class="quiet">${more} more are in the rest of the report.</p>\n` : markup``}`;
}

const problemRow = ({ id, verdict, expected, because }: LoadFinding): Markup =>
  markup`<tr><th scope="row"><a href="#finding-${id}">${id}</a></th><td>${badge(verdict)}</td><td>${prose(bounded(expected, EXPECTED_LIMIT))}<p>${prose(bounded(because, RECEIVED_LIMIT))}</p></td></tr>
`;
