import type { RunRecord } from '../../suites/model/record.ts';
import type { Tally } from '../outcome.ts';
import { momentOf, OUTCOME_SIGNS, reportedOf } from '../outcome.ts';
import { plotStyle } from '../plots/style.ts';
import { nounOf } from '../subject.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { certificate } from './certificate.ts';
import { certificateStyle } from './certificate-style.ts';
import { htmlDocument, navigationList } from './document.ts';
import { filterStyle } from './filter.ts';
import { findingsSection } from './finding.ts';
import { glanceSection } from './glance.ts';
import { guideSection } from './guide.ts';
import { pictureSection } from './picture.ts';
import { printChoice } from './print-choice.ts';
import { summaryPrintStyle } from './print-style.ts';
import { observationsSection, registerSection } from './register-table.ts';
import { remarksSection } from './remarks.ts';
import { searchScript } from './search.ts';
import { evidenceSection, shownEvidence } from './shown-evidence.ts';

/**
 * `report.html`: one file for a person, complete without its script and without anything loaded from elsewhere. Text of
 * a target is escaped, shortened and shown in plain sight; the page's own policy forbids the rest. Printed, it is a
 * summary of two pages.
 */
export function renderHtml(record: RunRecord): string {
  const tally = reportedOf(record);
  const noun = nounOf(record);
  const shown = shownEvidence(record);
  const evidence = new Map(shown.shown.map(({ excerpt }) => [excerpt.n, excerpt]));
  return htmlDocument({
    title: `${OUTCOME_SIGNS[record.outcome].word}: ${record.suite.name}`,
    further: markup`${plotStyle}${certificateStyle}${filterStyle}${summaryPrintStyle}`,
    script: searchScript,
    body: markup`${certificate(record)}${navigation(record, tally)}<main id="main">
${printChoice}${glanceSection(record, tally)}${pictureSection(record)}${findingsSection('Fail', `The ${noun} violates these requirements.`, tally.fail, record, evidence)}${findingsSection('Inconclusive', `These were tested, but what was recorded proves nothing. While a MUST is among them, the run does not show that the ${noun} conforms.`, tally.inconclusive, { ...record, causes: [] }, evidence)}${findingsSection('Warn', 'A SHOULD is violated, or a MUST under one of two plausible readings of the specification. With --strict, these fail.', tally.warn, record, evidence)}${registerSection(record, evidence)}${observationsSection(record, evidence)}${remarksSection(record.remarks)}${evidenceSection(shown)}${guideSection(noun)}</main>
${colophon(record)}`,
  });
}

function navigation(record: RunRecord, tally: Tally): Markup {
  const places: readonly (readonly [id: string, title: string, count: number])[] = [
    ['glance', 'At a glance', 1],
    ['run', 'The run', record.timeline?.entries.length ?? 0],
    ['fail', 'Fail', tally.fail.length],
    ['inconclusive', 'Inconclusive', tally.inconclusive.length],
    ['warn', 'Warn', tally.warn.length],
    ['register', 'All requirements', 1],
    ['observations', 'Observations', record.observations.length],
    ['remarks', 'Remarks', record.remarks.length],
    ['evidence', 'Evidence', record.evidence.length],
    ['guide', 'How to read this report', 1],
  ];
  return navigationList(places.filter(([, , count]) => count > 0));
}

function colophon(record: RunRecord): Markup {
  const { suite, spec, startedAt, finishedAt } = record;
  return markup`<footer>
<p>${suite.name} ${suite.version}. Specification ${spec.version}, <code>${spec.digest}</code>. Report schema ${record.schemaVersion}.</p>
<p>Started <time datetime="${startedAt}">${momentOf(startedAt)}</time>, finished <time datetime="${finishedAt}">${momentOf(finishedAt)}</time>.</p>
</footer>
`;
}
