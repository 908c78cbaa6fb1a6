import { COMMAND, countOf } from '../../kernel/basics/text.ts';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type {
  CommonRecord,
  EvidenceExcerpt,
  Finding,
  Observation,
  RunRecord,
  Verdict,
} from '../../kernel/findings/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { CORE, furtherLevels } from '../../spec/sets.ts';
import { loadParts } from '../load/html/page.ts';
import type { Tally } from '../outcome.ts';
import { outcomeSign, reportedOf, tallyOf, VERDICT_SIGNS } from '../outcome.ts';
import { picturePlots } from '../picture.ts';
import { pointStatusOf, statusCounts } from '../plots/marks.ts';
import { plotFigure } from '../plots/plot.ts';
import { isWithoutVerdict, nounOf } from '../subject.ts';
import { figureTable, headRow } from '../tables.ts';
import { untestedIn } from '../verdict.ts';
import type { Markup } from '../written.ts';
import { joined, markup } from '../written.ts';
import type { Section } from './document.ts';
import { aboutRun, chapterClass, filterControls, htmlDocument, reportBody } from './document.ts';
import { findingsSection } from './finding.ts';
import type { Evidence } from './prose.ts';
import { badge, citation, exchangeBody, exchangeTitle, linkedProse, prose } from './prose.ts';

/**
 * `report.html`: one file for a person, complete without its script and without anything loaded from elsewhere. It
 * begins with what is wrong. Printed, it is a summary: everything but the evidence and the table of all requirements.
 * @param trace the samples of a load run, for its charts.
 */
export function renderHtml(record: RunRecord, trace: Trace = { samples: [], events: [] }): string {
  const evidence = shownEvidence(record);
  const load = record.subject === 'load' ? loadParts(record, trace) : undefined;
  const title = `${outcomeSign(record).word}: ${record.subject === 'load' ? `load ${record.profile}` : record.suite.name}`;
  const body = reportBody(record, load?.head, [
    ...problemSections(record, reportedOf(record), evidence),
    ...(load?.sections ?? []),
    { id: 'untested', title: 'Not tested', content: untestedList(record) },
    { id: 'remarks', title: 'Remarks', content: remarksList(record), classes: 'remarks' },
    { id: 'run', title: 'The run', content: runPicture(record), classes: 'run' },
    { id: 'tested', title: 'What was tested', content: testedTable(record), classes: 'tested' },
    {
      id: 'register',
      title: record.subject === 'load' ? 'All expectations' : 'All requirements',
      content: registerTable(record, evidence),
      classes: 'requirements more',
    },
    {
      id: 'observations',
      title: 'Observations',
      content: observationsTable(record, evidence),
      classes: 'more',
    },
    { id: 'evidence', title: 'Evidence', content: citedExchanges(record, evidence), classes: 'more' },
    { id: 'guide', title: 'How to read this', content: guide(record), classes: 'more' },
    { id: 'about', title: 'About this run', content: aboutRun(record, load?.facts ?? []) },
  ]);
  return htmlDocument(title, body, searchScript);
}

function problemSections(
  record: RunRecord,
  { fail, inconclusive, warn }: Tally,
  evidence: Evidence,
): readonly Section[] {
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

function untestedList(record: RunRecord): Markup | undefined {
  const untested = untestedIn(record);
  if (untested === undefined) return undefined;
  return markup`<dl class="untested">
${untested.reasons.map(({ ids, text }) => markup`<div><dt>${wholeIds(ids)}</dt><dd>${prose(text)}</dd></div>\n`)}</dl>
`;
}

/** Ids that no line divides. */
function wholeIds(ids: string): Markup {
  const spans = ids.split(', ').map((id) => markup`<span class="whole">${id}</span>`);
  return markup`${joined(spans, markup`, `)}`;
}

function remarksList({ remarks }: RunRecord): Markup | undefined {
  if (remarks.length === 0) return undefined;
  return markup`<p>What limits the meaning of this run.</p>
<ul>
${remarks.map((one) => markup`<li>${prose(one)}</li>\n`)}</ul>
`;
}

/** The picture of the run, with its text alternative; undefined where the record has no timeline. */
function runPicture(record: RunRecord): Markup | undefined {
  const plots = picturePlots(record);
  return plots.length === 0 ? undefined : markup`${plots.map(plotFigure)}`;
}

/** Bytes of all exchanges of a report together: it has to open at once, and to pass through e-mail. */
const MOST_BYTES = 1_500_000;

/** The exchanges that a report has space for: those first on which a verdict against the subject rests. */
function shownEvidence({ evidence, requirements }: CommonRecord): Evidence {
  const adverse = new Set(
    requirements.flatMap((one) => (isAgainst(one) ? one.exchanges.slice(0, FIRST) : [])),
  );
  const cited = new Set(requirements.flatMap((one) => one.exchanges.slice(0, FIRST)));
  const rank = ({ n }: EvidenceExcerpt): number => Number(adverse.has(n)) + Number(cited.has(n));
  let bytes = 0;
  const shown = evidence
    .toSorted((one, other) => rank(other) - rank(one))
    .filter((one) => {
      if (bytes <= MOST_BYTES) bytes += Buffer.byteLength(evidenceEntry(one).toString());
      return bytes <= MOST_BYTES;
    })
    .sort((one, other) => one.n - other.n);
  return new Map(shown.map((one) => [one.n, one]));
}

/** The exchanges of a finding that are shown before the further ones of others. */
const FIRST = 3;

const isAgainst = ({ verdict }: Finding): boolean => verdict === 'fail' || verdict === 'warn';

const evidenceEntry = (one: EvidenceExcerpt): Markup =>
  markup`<details class="exchange"><summary>${exchangeTitle(one)}</summary>
<div id="exchange-${one.n}">${exchangeBody(one)}</div>
</details>
`;

/** Every exchange that the report shows, collapsed, each under the address `#exchange-N` to which the rest of the report links. */
function citedExchanges(record: RunRecord, shown: Evidence): Markup | undefined {
  if (shown.size === 0) return undefined;
  const omitted = record.evidence.length - shown.size;
  const missing =
    omitted === 0
      ? ''
      : ` ${countOf(omitted, 'further cited exchange')} would make this file too large, so only the journal has ${omitted === 1 ? 'it' : 'them'}.`;
  return markup`<p>The exchanges that this report cites, shortened. The journal contains all exchanges in full.${missing}</p>
${[...shown.values()].map(evidenceEntry)}`;
}

const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'warn', 'inconclusive', 'not-tested'];

/** What was tested, chapter by chapter: how many requirements have each verdict, and on how many exchanges they rest. */
function testedTable(record: RunRecord): Markup | undefined {
  if (record.headline?.kind === 'wrong-target' || record.subject === 'load') return undefined;
  const tally = tallyOf(record);
  const columns = VERDICTS.filter((verdict) => tally[verdict].length > 0);
  const head = ['Chapter', ...columns.map((verdict) => VERDICT_SIGNS[verdict].word), 'exchanges'];
  const rows = [...groupedBy(record.requirements, ({ chapter }) => chapter)].map(([chapter, findings]) => [
    chapter,
    ...columns.map((verdict) => verdictCell(verdict, findings)),
    citedBy(findings),
  ]);
  return markup`${passText(record, tally.pass)}${figureTable('Verdicts by chapter', { head, rows })}`;
}

function verdictCell(verdict: Verdict, findings: readonly Finding[]): Markup {
  const count = findings.filter((one) => one.verdict === verdict).length;
  return count === 0
    ? markup`<span class="none">0</span>`
    : markup`<strong class="${verdict}">${count}</strong>`;
}

const citedBy = (findings: readonly Finding[]): number =>
  new Set(findings.flatMap(({ exchanges }) => exchanges)).size;

function passText({ requests, timeline }: RunRecord, passed: readonly Finding[]): Markup | undefined {
  if (passed.length === 0) return undefined;
  const statuses =
    timeline === undefined || timeline.omitted > 0
      ? ''
      : ` (${statusCounts(timeline.entries.map(({ status }) => ({ status: pointStatusOf(status ?? undefined) })))})`;
  return markup`<p>${countOf(passed.length, 'requirement')} passed on ${countOf(citedBy(passed), 'exchange')} of ${requests.total}${statuses}. The table of all requirements states exactly what was checked.</p>
`;
}

function registerTable(record: RunRecord, evidence: Evidence): Markup {
  const chapters = groupedBy(record.requirements, ({ chapter }) => chapter);
  // Load is judged on its whole run, so it cites no exchange.
  const citations = record.subject === 'load' ? [] : ['Exchanges'];
  const columns = ['Requirement', 'Verdict', 'Statement and reason', ...citations];
  const rowOf = (finding: Finding): Markup => {
    const { id, level, verdict, sentence, exchanges } = finding;
    const cited =
      record.subject === 'load' ? '' : markup`<td class="exchanges">${citation(exchanges, evidence)}</td>`;
    return markup`<tr class="requirement ${verdict}" id="${id}"><th scope="row"><a href="#${id}">${id}</a> <span class="level">${level}</span></th><td>${badge(verdict)}</td><td>${prose(sentence)}${explanation(finding, record, evidence)}</td>${cited}</tr>
`;
  };
  const bodies = [...chapters].map(
    ([chapter, findings], at) => markup`<tbody class="${chapterClass(at)}">
<tr class="chapter"><th colspan="${columns.length}" scope="rowgroup">${chapter}</th></tr>
${findings.map(rowOf)}</tbody>
`,
  );
  return markup`<p>How a requirement is judged, what that cannot see, and how to fix a violation: <code>${COMMAND} explain ID</code>, on any machine, without a network.</p>
${filterControls(record, [...chapters.keys()])}<table class="register">
${headRow(columns)}
${bodies}</table>
`;
}

/** A finding with a card of its own is explained there. */
function explanation({ id, verdict, because }: Finding, record: RunRecord, evidence: Evidence): Markup {
  if (verdict === 'pass' || verdict === 'not-tested' || isWithoutVerdict(record))
    return markup`<p class="quiet">${linkedProse(because, evidence)}</p>`;
  return markup`<p class="quiet"><a href="#finding-${id}">The finding and its evidence</a></p>`;
}

function observationsTable(record: RunRecord, evidence: Evidence): Markup | undefined {
  const { observations } = record;
  if (observations.length === 0) return undefined;
  return markup`<p>What the specification leaves open, and what this ${nounOf(record)} does. Nothing here changes the outcome.</p>
<table class="register observations">
${headRow(['Requirement', 'Open question', 'Observed', 'Exchanges'])}
<tbody>
${observations.map((one) => observationRow(one, evidence))}</tbody>
</table>
`;
}

function observationRow(observation: Observation, evidence: Evidence): Markup {
  const { id, sentence, value, exchanges, warning, advice } = observation;
  const note = warning && markup`<p><span class="badge warn">! warn</span> ${prose(warning)}</p>`;
  const counsel = advice && markup`<p><strong>Advice:</strong> ${prose(advice)}</p>`;
  return markup`<tr id="${id}"><th scope="row"><a href="#${id}">${id}</a></th><td>${prose(sentence)}</td><td>${linkedProse(value, evidence)}${note}${counsel}</td><td class="exchanges">${citation(exchanges, evidence)}</td></tr>
`;
}

const LEVELS = ` The result names the levels that were tested in full: ${CORE} (every MUST that one key can test), ${furtherLevels.map(({ name, requirements }) => `${name} (${requirements.join(', ')})`).join(', ')}.`;

const LOAD_GUIDE = markup`<p>The specification does not state how fast responses must be: latency is judged by thresholds of yours (<code class="whole">--thresholds</code>), and where an expectation compares latencies with each other. Other profiles judge more of the behaviour under load. Remaining is the value that the target advertises; where less of the day’s quota remains than of the minute’s, it describes the day.</p>
`;

/** How to read the report, for someone who meets one for the first time. */
function guide(record: RunRecord): Markup {
  const noun = nounOf(record);
  return markup`<dl class="meanings">
<dt>${badge('fail')}</dt><dd>The evidence contradicts the requirement. Only this verdict counts against the ${noun}.</dd>
<dt>${badge('inconclusive')}</dt><dd>The requirement was tested, but the evidence proves nothing; the reason says why.</dd>
<dt>${badge('warn')}</dt><dd>A SHOULD is violated, or a MUST under one of two plausible readings. With <code class="whole">--strict</code> it counts as ${VERDICT_SIGNS.fail.word}.</dd>
<dt>${badge('pass')}</dt><dd>The evidence agrees with the requirement, as far as it goes.</dd>
<dt>${badge('not-tested')}</dt><dd>The requirement was not tested; the reason says what is needed.</dd>
</dl>
<p><strong>MUST</strong>: the specification states it. <strong>SHOULD</strong>: HTTP requires it, or it is the stricter of two plausible readings of the specification. An observation is about something that the specification leaves open.</p>
<p>The ${noun} <strong>violates</strong> the specification when a requirement fails. It <strong>conforms</strong> when no requirement of a complete run fails and no MUST is inconclusive.${record.subject === 'service' ? LEVELS : ''} A partial run answers for its selection alone: its outcome is <strong>partial</strong> and never says that the ${noun} conforms. Otherwise the run is <strong>incomplete</strong>.</p>
<p>Each request with its response is an exchange and has a number. Probes are short sequences of requests, each for one purpose. A window is the time in which a limit counts: a minute, or a day.</p>
${record.subject === 'load' ? LOAD_GUIDE : ''}<p>The verdicts rest on what was recorded alone: <code>${COMMAND} judge</code> reaches them again without a network. Invisible characters are written out, as in <code>⟨U+202E⟩</code>; a long text is cut, with a note of how much is missing.</p>
`;
}

/**
 * The only script of a page: it hides the requirements that do not contain every word of the search field. Without
 * it the field stays hidden, and the page is complete. Its text never changes, so the page's policy names its digest.
 */
const searchScript: Markup = markup`
const field = document.getElementById('search');
const found = document.getElementById('found');
const rows = [...document.querySelectorAll('.requirement')];
const texts = rows.map((row) => row.textContent.toLowerCase());
field.parentElement.hidden = false;
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\\s+/);
  rows.forEach((row, at) => row.classList.toggle('unmatched', !words.every((word) => texts[at].includes(word))));
  found.textContent = field.value === '' ? '' : rows.filter((row) => !row.classList.contains('unmatched')).length + ' found';
});
`;
