import type { LoadFinding, LoadRecord } from '../../../load/model/record.ts';
import type { Trace } from '../../../load/model/sample.ts';
import { certificateStyle } from '../../html/certificate-style.ts';
import { htmlDocument, navigationList, remarksSection, section } from '../../html/document.ts';
import { timeElement } from '../../html/facts.ts';
import { printChoice, summaryPrintStyle } from '../../html/print-style.ts';
import { badge, prose } from '../../html/prose.ts';
import { pageCommand } from '../../page-command.ts';
import { table } from '../../tables.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';
import { byVerdict } from '../texts.ts';
import { loadCertificate } from './certificate.ts';
import { loadGlanceSection, printedRun } from './glance.ts';
import { keysSection } from './keys.ts';
import { latencySection } from './latency.ts';
import { overTimeSections } from './over-time.ts';
import { phasesSection } from './phases.ts';
import { loadStyle } from './style.ts';

/**
 * `load-report.html`: the verdict, the findings, the requests and the charts in one file for a person. Printed, it is a
 * summary of two pages.
 */
export function renderLoadHtml(record: LoadRecord, trace: Trace): string {
  const remarks = record.remarks ?? [];
  const { run, byKey } = overTimeSections(record, trace);
  const printed = printedRun(record);
  return htmlDocument({
    title: `${record.verdict}: load ${record.profile}`,
    further: markup`${loadStyle}${certificateStyle}${summaryPrintStyle}`,
    body: markup`${loadCertificate(record)}${navigation(record, trace, byKey !== undefined)}<main id="main">
${printChoice}${loadGlanceSection(record)}${run ?? markup``}${phasesSection(record, printed === 'plots and phases')}${findingsSection(record)}${byKey ?? markup``}${keysSection(record)}${latencySection(record, trace)}${remarksSection(remarks)}${guideSection()}</main>
${colophon(record)}`,
  });
}

const navigation = (
  { latencyMs, phases = [], remarks = [] }: LoadRecord,
  { samples }: Trace,
  hasKeyPlots: boolean,
): Markup =>
  navigationList([
    ['glance', 'At a glance', true],
    ['timeline', 'Over time', samples.length > 0],
    ['phases', 'Phases', phases.length > 0],
    ['expectations', 'Expectations', true],
    ['by-key', 'Key by key', hasKeyPlots],
    ['keys', 'Requests', true],
    ['latency', 'Latency', latencyMs !== null],
    ['remarks', 'Remarks', remarks.length > 0],
    ['guide', 'How to read this', true],
  ]);

/** Failed and inconclusive expectations as cards, the others as a table. */
function findingsSection({ findings }: LoadRecord): Markup {
  const cards = byVerdict(findings.filter(({ verdict }) => verdict !== 'pass'));
  const passed = findings.filter(({ verdict }) => verdict === 'pass');
  return section(
    'expectations',
    markup`Expectations <span class="count">${findings.length}</span>`,
    markup`${cards.map(findingCard)}${passed.length === 0 ? markup`` : passedTable(passed)}`,
  );
}

function findingCard(finding: LoadFinding): Markup {
  const { id, verdict, expected, because } = finding;
  return markup`<article class="finding ${verdict}" aria-labelledby="finding-${id}">
<h3 id="finding-${id}">${badge(verdict)} ${id}</h3>
<p class="sentence">${prose(expected)}</p>
<p>${prose(because)}</p>
<p class="quiet">How ${id} is judged: <code>${pageCommand(id)}</code></p>
</article>
`;
}

const passedTable = (passed: readonly LoadFinding[]): Markup =>
  table(
    ['Id', 'Verdict', 'Expectation and reason'],
    passed.map(
      ({ id, verdict, expected, because }) =>
        markup`<tr id="finding-${id}"><th scope="row"><code>${id}</code></th><td>${badge(verdict)}</td><td>${prose(expected)}<p class="quiet">${prose(because)}</p></td></tr>\n`,
    ),
    'register',
  );

function guideSection(): Markup {
  return section(
    'guide',
    'How to read this report',
    markup`<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The responses contradict the expectation, whichever conforming limiter the target uses.</dd>
<dt>${badge('inconclusive')}</dt><dd>No verdict on the target: the load generator missed its schedule, the run stopped early, or another client may have used the key. Run the profile again.</dd>
<dt>${badge('pass')}</dt><dd>Every planned request was sent, and the responses meet the expectation.</dd>
</dl>
<p>The verdict of the run is pass if every expectation passes, fail if one fails, and inconclusive otherwise. The verdicts are based on the samples in the same folder and on nothing else. Remaining is the value that the target advertises; where less of the day’s quota remains than of the minute’s, it describes the day.</p>
`,
  );
}

function colophon({ suite, startedAt, finishedAt }: LoadRecord): Markup {
  return markup`<footer>
<p>${suite.name} ${suite.version}. Started ${timeElement(startedAt)}, finished ${timeElement(finishedAt)}.</p>
</footer>
`;
}
