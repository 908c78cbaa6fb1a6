import type { Finding, RunRecord } from '../../kernel/findings/record.ts';
import { baselineSentences } from '../baseline/texts.ts';
import type { Tally } from '../outcome.ts';
import { countsOf, momentOf, outcomeSentence, outcomeSign, reportedOf, requestsOf } from '../outcome.ts';
import { picturePlots } from '../picture/plots.ts';
import { plotFigure } from '../plots/plot.ts';
import { nounOf, testedText } from '../subject.ts';
import { untestedGroupsOf, untestedText } from '../untested.ts';
import type { Markup } from '../written.ts';
import { joined, markup } from '../written.ts';
import { runSection } from './about.ts';
import type { Masthead, Section } from './document.ts';
import { remarksSection, reportPage } from './document.ts';
import { ADDRESS_LIMIT } from './facts.ts';
import { findingsSection } from './finding.ts';
import { guideSection } from './guide.ts';
import type { Evidence } from './prose.ts';
import { code, prose } from './prose.ts';
import { observationsSection, registerSection } from './register-table.ts';
import { searchScript } from './search.ts';
import { evidenceSection, shownEvidence } from './shown-evidence.ts';
import { testedSection } from './tested.ts';

/**
 * `report.html`: one file for a person, complete without its script and without anything loaded from elsewhere. It
 * begins with what is wrong. Printed, it is a summary: everything but the evidence and the table of all requirements.
 */
export function renderHtml(record: RunRecord): string {
  const shown = shownEvidence(record);
  const evidence = new Map(shown.shown.map(({ excerpt }) => [excerpt.n, excerpt]));
  return reportPage({
    title: `${outcomeSign(record).word}: ${record.suite.name}`,
    masthead: masthead(record),
    script: searchScript,
    sections: [
      ...problemSections(record, reportedOf(record), evidence),
      untestedSection(record),
      remarksSection(record.remarks),
      pictureSection(record),
      testedSection(record),
      registerSection(record, evidence),
      observationsSection(record, evidence),
      evidenceSection(shown),
      guideSection(nounOf(record)),
      runSection(record),
    ],
  });
}

function masthead(record: RunRecord): Masthead {
  const { outcome, spec, headline, startedAt } = record;
  const subject = record.subject === 'service' ? `, plan ${record.target.plan}` : '';
  return {
    kind: `${outcome === 'conforms' ? 'Conformance certificate' : 'Conformance report'}: Pet Store Service ${spec?.version ?? ''}`,
    ...(headline === undefined
      ? {}
      : {
          banner: markup`<div class="headline" role="note"><p><strong>${prose(headline.text)}</strong></p>
<p>${prose(headline.fix)}</p></div>
`,
        }),
    result: outcome,
    mark: outcomeSign(record).mark,
    sentence: outcomeSentence(record),
    further: markup`<p class="subject">${code(testedText(record), ADDRESS_LIMIT)}${subject}. ${requestsOf(record)}, ${momentOf(startedAt)}.</p>
${baselineSentences(record).map((sentence) => markup`<p>${sentence}</p>\n`)}`,
    counts: countsOf(record),
  };
}

/** What counts against the subject, then what was not decided, then warnings. */
function problemSections(
  record: RunRecord,
  { fail, inconclusive, warn }: Tally,
  evidence: Evidence,
): readonly (Section | undefined)[] {
  const noun = nounOf(record);
  const section = (title: string, explanation: string, findings: readonly Finding[]) =>
    findingsSection({ title, explanation, findings, record, evidence });
  return [
    section('Fail', '', fail),
    section(
      'Inconclusive',
      `Tested, but the evidence proves nothing. While a MUST is among these, the run does not show that the ${noun} conforms.`,
      inconclusive,
    ),
    section(
      'Warn',
      'A violated SHOULD, or a MUST under one of two plausible readings. With --strict, these fail.',
      warn,
    ),
  ];
}

/** What the outcome says nothing about, and what would test it. */
function untestedSection(record: RunRecord): Section | undefined {
  const groups = untestedGroupsOf(record).map(untestedText);
  if (groups.length === 0) return undefined;
  return {
    id: 'untested',
    title: 'Not tested',
    content: markup`<dl class="untested">
${groups.map(({ ids, text }) => markup`<div><dt>${wholeIds(ids)}</dt><dd>${prose(text)}</dd></div>\n`)}</dl>
`,
  };
}

/** Ids that no line divides. */
const wholeIds = (ids: string): Markup =>
  joined(
    ids.split(', ').map((id) => markup`<span class="whole">${id}</span>`),
    ', ',
  );

/** The picture of the run, with its text alternative; undefined where the record has no timeline. */
function pictureSection(record: RunRecord): Section | undefined {
  const plots = picturePlots(record);
  if (plots.length === 0) return undefined;
  return { id: 'run', title: 'The run', content: markup`${plots.map(plotFigure)}`, classes: 'run' };
}
