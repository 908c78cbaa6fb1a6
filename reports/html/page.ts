import type { RunRecord } from '../../kernel/findings/record.ts';
import type { Tally } from '../outcome.ts';
import { outcomeSign, reportedOf } from '../outcome.ts';
import { picturePlots } from '../picture/plots.ts';
import { plotFigure } from '../plots/plot.ts';
import { plotStyle } from '../plots/style.ts';
import { nounOf } from '../subject.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { certificate } from './certificate.ts';
import { certificateStyle } from './certificate-style.ts';
import { htmlDocument, navigationList, remarksSection, section } from './document.ts';
import { timeElement } from './facts.ts';
import { filterStyle } from './filter.ts';
import { findingsSection } from './finding.ts';
import { glanceSection } from './glance.ts';
import { guideSection } from './guide.ts';
import { printChoice, summaryPrintStyle } from './print-style.ts';
import { observationsSection, registerSection } from './register-table.ts';
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
    title: `${outcomeSign(record).word}: ${record.suite.name}`,
    further: markup`${plotStyle}${certificateStyle}${filterStyle}${summaryPrintStyle}`,
    script: searchScript,
    body: markup`${certificate(record)}${navigation(record, tally)}<main id="main">
${printChoice}${glanceSection(record, tally)}${pictureSection(record)}${findingsSection('Fail', `The ${noun} violates these requirements.`, tally.fail, record, evidence)}${findingsSection('Inconclusive', `These were tested, but what was recorded proves nothing. While a MUST is among them, the run does not show that the ${noun} conforms.`, tally.inconclusive, { ...record, causes: [] }, evidence)}${findingsSection('Warn', 'A SHOULD is violated, or a MUST under one of two plausible readings of the specification. With --strict, these fail.', tally.warn, record, evidence)}${registerSection(record, evidence)}${observationsSection(record, evidence)}${remarksSection(record.remarks)}${evidenceSection(shown)}${guideSection(noun)}</main>
${colophon(record)}`,
  });
}

/** The picture of the run, with its text alternative. Empty where the record has no timeline. */
function pictureSection(record: RunRecord): Markup {
  const plots = picturePlots(record);
  return plots.length === 0 ? markup`` : section('run', 'The run', markup`${plots.map(plotFigure)}`, 'run');
}

const navigation = (record: RunRecord, { fail, inconclusive, warn }: Tally): Markup =>
  navigationList([
    ['glance', 'At a glance', true],
    ['run', 'The run', (record.timeline?.entries.length ?? 0) > 0],
    ['fail', 'Fail', fail.length > 0],
    ['inconclusive', 'Inconclusive', inconclusive.length > 0],
    ['warn', 'Warn', warn.length > 0],
    ['register', 'All requirements', true],
    ['observations', 'Observations', record.observations.length > 0],
    ['remarks', 'Remarks', record.remarks.length > 0],
    ['evidence', 'Evidence', record.evidence.length > 0],
    ['guide', 'How to read this report', true],
  ]);

function colophon({ suite, spec, schemaVersion, startedAt, finishedAt }: RunRecord): Markup {
  return markup`<footer>
<p>${suite.name} ${suite.version}. Specification ${spec.version}, <code>${spec.digest}</code>. Report schema ${schemaVersion}.</p>
<p>Started ${timeElement(startedAt)}, finished ${timeElement(finishedAt)}.</p>
</footer>
`;
}
