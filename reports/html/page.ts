import type { RunRecord } from '../../suites/model/record.ts';
import { baselineSentences } from '../baseline/texts.ts';
import { bounded } from '../foreign-text.ts';
import type { Tally } from '../outcome.ts';
import {
  countsOf,
  durationOf,
  momentOf,
  OUTCOME_SIGNS,
  outcomeSentence,
  reportedOf,
  requestsOf,
  VERDICT_SIGNS,
} from '../outcome.ts';
import { plotStyle } from '../plots/style.ts';
import { nounOf, subjectFacts } from '../subject.ts';
import { untestedGroupsOf, untestedSentence, untestedText } from '../untested.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { causesSection } from './causes.ts';
import { countList, factList, htmlDocument, navigationList } from './document.ts';
import { evidenceSection } from './exchange.ts';
import { findingsSection } from './finding.ts';
import { guideSection } from './guide.ts';
import { pictureSection } from './picture.ts';
import { prose } from './prose.ts';
import { observationsSection, registerSection } from './register-table.ts';

const FACT_LIMIT = 400;

/**
 * `report.html`: one file for a person, without scripts and without anything loaded from elsewhere. Text of a target is escaped, shortened and shown in plain sight; the page's own policy forbids the rest.
 */
export function renderHtml(record: RunRecord): string {
  const tally = reportedOf(record);
  const noun = nounOf(record);
  const evidence = new Map(record.evidence.map((one) => [one.n, one]));
  return htmlDocument({
    title: `${OUTCOME_SIGNS[record.outcome].word}: ${record.suite.name}`,
    further: plotStyle,
    body: markup`${masthead(record)}${navigation(record, tally)}<main id="main">
${causesSection(record.causes)}${findingsSection('Fail', `The ${noun} violates these requirements.`, tally.fail, record, evidence)}${findingsSection('Inconclusive', `These were tested, but what was recorded proves nothing. The ${noun} does not conform while one of them is a MUST.`, tally.inconclusive, { ...record, causes: [] }, evidence)}${findingsSection('Warn', 'Duties under HTTP, and requirements with another honest reading. They fail with --strict.', tally.warn, record, evidence)}${pictureSection(record)}${registerSection(record, evidence)}${observationsSection(record, evidence)}${remarksSection(record)}${evidenceSection(record.evidence)}${guideSection(noun)}</main>
${colophon(record)}`,
  });
}

/** What explains most of the report, before its outcome. */
function headlineBanner({ headline }: RunRecord): Markup {
  if (headline === undefined) return markup``;
  return markup`<div class="headline" role="note"><p><strong>${prose(headline.text)}</strong></p>
<p>${prose(headline.fix)}</p></div>
`;
}

/** What the outcome says nothing about, right behind it. */
function untestedNote(record: RunRecord): Markup {
  const sentence = untestedSentence(record);
  if (sentence === undefined) return markup``;
  const items = untestedGroupsOf(record).map(untestedText);
  return markup`<div class="untested" role="note"><p><strong><span aria-hidden="true">${VERDICT_SIGNS['not-tested'].mark}</span> ${sentence}</strong></p>
<ul>
${items.map(({ ids, text }) => markup`<li><strong>${ids}:</strong> ${prose(text)}</li>\n`)}</ul></div>
`;
}

/** How the violations stand to the baseline of the run. */
const baselineNote = (record: RunRecord): Markup =>
  markup`${baselineSentences(record).map((sentence) => markup`<p>${sentence}</p>\n`)}`;

function masthead(record: RunRecord): Markup {
  const facts: readonly (readonly [name: string, value: Markup])[] = [
    ...subjectFacts(record).map(({ name, kind, value }) => {
      const text = bounded(value, FACT_LIMIT);
      return [name, kind === 'code' ? markup`<code>${text}</code>` : markup`${text}`] as const;
    }),
    ...(record.strict ? ([['Strict', markup`every warning counts as a failure`]] as const) : []),
    ['Started', markup`<time datetime="${record.startedAt}">${momentOf(record.startedAt)}</time>`],
    ['Took', markup`${durationOf(record)}`],
    ['Sent', markup`${requestsOf(record)}`],
  ];
  return markup`<header class="masthead">
<p>${record.suite.name}</p>
${headlineBanner(record)}<h1 class="outcome ${record.outcome}"><span aria-hidden="true">${OUTCOME_SIGNS[record.outcome].mark}</span> ${outcomeSentence(record)}</h1>
${baselineNote(record)}${untestedNote(record)}${factList(facts)}${countList(countsOf(record))}</header>
`;
}

function navigation(record: RunRecord, tally: Tally): Markup {
  const places: readonly (readonly [id: string, title: string, count: number])[] = [
    ['causes', 'Causes', record.causes.length],
    ['fail', 'Fail', tally.fail.length],
    ['inconclusive', 'Inconclusive', tally.inconclusive.length],
    ['warn', 'Warn', tally.warn.length],
    ['run', 'The run', record.timeline?.entries.length ?? 0],
    ['register', 'All requirements', 1],
    ['observations', 'Observations', record.observations.length],
    ['remarks', 'Remarks', record.remarks.length],
    ['evidence', 'Evidence', record.evidence.length],
    ['guide', 'How to read this report', 1],
  ];
  return navigationList(places.filter(([, , count]) => count > 0));
}

function remarksSection({ remarks }: RunRecord): Markup {
  if (remarks.length === 0) return markup``;
  return markup`<section aria-labelledby="remarks">
<h2 id="remarks">Remarks</h2>
<p>What limits the meaning of this run.</p>
<ul>
${remarks.map((one) => markup`<li>${prose(one)}</li>\n`)}</ul>
</section>
`;
}

function colophon(record: RunRecord): Markup {
  const { suite, spec, startedAt, finishedAt } = record;
  return markup`<footer>
<p>${suite.name} ${suite.version}. Specification ${spec.version}, <code>${spec.digest}</code>. Report schema ${record.schemaVersion}.</p>
<p>Started <time datetime="${startedAt}">${momentOf(startedAt)}</time>, finished <time datetime="${finishedAt}">${momentOf(finishedAt)}</time>.</p>
</footer>
`;
}
