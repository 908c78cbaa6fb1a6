import type { RunRecord } from '../../kernel/findings/record.ts';
import { baselineSentences } from '../baseline/texts.ts';
import { bounded } from '../foreign-text.ts';
import { countsOf, outcomeSentence, outcomeSign, requestsOf, VERDICT_SIGNS } from '../outcome.ts';
import { subjectFacts } from '../subject.ts';
import { untestedGroupsOf, untestedSentence, untestedText } from '../untested.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { isCrowded, REASON_LIMIT } from './crowded.ts';
import { countList } from './document.ts';
import type { Fact } from './facts.ts';
import { ADDRESS_LIMIT, FACT_LIMIT, factList, productFacts, timeFacts } from './facts.ts';
import { prose } from './prose.ts';
import { provenanceSection } from './provenance.ts';
import { testedSection } from './tested.ts';
import { violatedList } from './violated.ts';

/** The first page: the verdict, what it is about, what was tested and what was not, and the digests by which it can be checked. It fits one page of A4, or is marked as crowded. */
export const certificate = (
  record: RunRecord,
): Markup => markup`<header class="masthead certificate${isCrowded(record) ? ' crowded' : ''}">
<p class="kind">${record.outcome === 'conforms' ? 'Conformance certificate' : 'Conformance report'}: Pet Store Service ${record.spec.version}</p>
${headlineBanner(record)}<h1 class="outcome ${record.outcome}"><span aria-hidden="true">${outcomeSign(record).mark}</span> ${outcomeSentence(record)}</h1>
${violatedList(record)}${baselineNote(record)}${untestedNote(record)}${factList([...productFacts(record.product), ...factsOfSubject(record), ...runFacts(record)])}${countList(countsOf(record))}${testedSection(record)}${provenance(record)}</header>
`;

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
${items.map(({ ids, text }) => markup`<li><strong>${ids}:</strong> ${prose(bounded(text, REASON_LIMIT))}</li>\n`)}</ul></div>
`;
}

const factsOfSubject = (record: RunRecord): readonly Fact[] =>
  subjectFacts(record).map(({ name, kind, value }) => {
    const text = bounded(value, kind === 'code' ? ADDRESS_LIMIT : FACT_LIMIT);
    return [name, kind === 'code' ? markup`<code>${text}</code>` : markup`${text}`];
  });

/** Which violations the baseline of the run names. */
const baselineNote = (record: RunRecord): Markup =>
  markup`${baselineSentences(record).map((sentence) => markup`<p>${sentence}</p>\n`)}`;

const runFacts = (record: RunRecord): readonly Fact[] => [
  ...timeFacts(record),
  ['Sent', markup`${requestsOf(record)}`],
  ...(record.strict ? [['Strict', markup`every warning counts as a failure`] as const] : []),
];

/** By what the verdicts can be reached again. */
const provenance = ({ journal, ...record }: RunRecord): Markup =>
  provenanceSection({
    ...record,
    recorded: [
      [
        'Journal',
        journal === undefined ? markup`not recorded in a file` : markup`<code>${journal.digest}</code>`,
      ],
    ],
    again: markup`The verdicts rest on the recorded exchanges alone: <code>petstore-conformance judge journal.ndjson</code> of this version reaches them again, offline.`,
  });
