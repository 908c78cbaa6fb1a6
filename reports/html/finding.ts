import { groupedBy } from '../../kernel/exchanges/collections.ts';
import { ownFixOf, repeatOf } from '../../kernel/findings/finding.ts';
import type { FindingPart } from '../../kernel/findings/finding-text.ts';
import { partsOf } from '../../kernel/findings/finding-text.ts';
import type { Finding, RunRecord } from '../../kernel/findings/record.ts';
import { register } from '../../spec/register.ts';
import type { FindingGroup } from '../outcome.ts';
import { causeOf, citationOf, groupsOf } from '../outcome.ts';
import { plotFigure } from '../plots/plot.ts';
import { citedTimelines, timelinePlot } from '../timelines.ts';
import type { Markup } from '../written.ts';
import { bounded, joined, markup } from '../written.ts';
import type { Section } from './document.ts';
import type { Evidence } from './prose.ts';
import { badge, citation, exchangeBody, exchangeTitle, linkedProse, prose } from './prose.ts';

/** Exchanges that a finding shows itself; it links to the rest. */
const SHOWN_EXCHANGES = 3;
const COMMAND_LIMIT = 8000;

interface Findings {
  readonly title: string;
  readonly explanation: string;
  readonly findings: readonly Finding[];
  readonly record: RunRecord;
  readonly evidence: Evidence;
}

/** A section of findings, under an address made of its title: causes with what they explain first. */
export function findingsSection(of: Findings): Section {
  const { title, explanation, findings } = of;
  const id = title.toLowerCase();
  const shared = sharedTexts(findings);
  const said = [...shared.keys()];
  const groups = groupsFor(of).map(({ cause: reason, findings: members }, at) => {
    const repeated = reason === undefined ? said : [...said, reason.title];
    const cards = members.map((one) => findingCard(one, of, repeated));
    return reason === undefined ? cardList(cards) : reasonGroup(reason, members, `${id}-${at + 1}`, cards);
  });
  const content = markup`${explanation && markup`<p>${prose(explanation)}</p>\n`}${groups}${[...shared].map(([text, ids]) => markup`<p class="quiet more"><strong>Why ${ids.join(', ')} matter:</strong> ${prose(text)}</p>\n`)}`;
  return {
    id,
    title,
    count: findings.length,
    content: findings.length === 0 ? undefined : content,
    classes: 'findings',
  };
}

/** The causes, or where findings have no verdict the reasons, with what they explain; then the others. */
function groupsFor({ findings, record: { causes } }: Findings): readonly FindingGroup[] {
  const groups = groupsOf(
    findings,
    findings[0]?.verdict === 'inconclusive' ? sharedReasons(findings) : causes,
  );
  const alone = groups.flatMap((group) => (group.cause === undefined ? group.findings : []));
  const explained = groups.filter(({ cause }) => cause !== undefined);
  return alone.length === 0 ? explained : [...explained, { findings: alone }];
}

type Reason = NonNullable<FindingGroup['cause']>;

const sharedReasons = (findings: readonly Finding[]): readonly Reason[] =>
  [...groupedBy(findings, ({ because }) => because)]
    .filter(([, { length }]) => length > 1)
    .map(([title, same]) => ({ title, requirements: same.map(({ id }) => id) }));

/** Why it matters, where several findings have the same answer: it is stated once, behind them. */
function sharedTexts(findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> {
  const whys = findings.flatMap((one) => ('whyItMatters' in one ? [one] : []));
  const groups = [...groupedBy(whys, ({ whyItMatters }) => whyItMatters)];
  return new Map(
    groups.filter(([, { length }]) => length > 1).map(([text, same]) => [text, same.map(({ id }) => id)]),
  );
}

const cardList = (cards: readonly Markup[]): Markup => markup`<div class="cards">
${cards}</div>
`;

/** Findings with a common cause or reason: it is shown once, above them. @param id of the group on the page. */
function reasonGroup(
  { title, fix }: Reason,
  findings: readonly Finding[],
  id: string,
  cards: readonly Markup[],
): Markup {
  const links = findings.map((one) => markup`<a href="#finding-${one.id}">${one.id}</a>`);
  return markup`<section class="cause" aria-labelledby="cause-${id}">
<h3 id="cause-${id}">${prose(title)}</h3>
${fix && markup`<p><strong>Fix:</strong> ${prose(fix)}</p>\n`}<p class="quiet">One ${fix === undefined ? 'reason' : 'cause'} for ${links.length === 1 ? 'this finding' : `these ${links.length} findings`}: ${joined(links, markup`, `)}.</p>
${cardList(cards)}</section>
`;
}

/** What was expected and received, and how to fix it; folded up behind it why it matters and on what it rests. */
function findingCard(finding: Finding, { record, evidence }: Findings, shared: readonly string[]): Markup {
  const { id, level, verdict, sentence, exchanges } = finding;
  const parts = partsOf(finding).filter(({ text }) => !shared.includes(text));
  const decisive = parts.filter(({ label }) => DECISIVE.has(label));
  const others = parts.filter(({ label }) => !DECISIVE.has(label));
  const restsOn = exchanges.length === 0 ? '' : `: ${citationOf(exchanges)}`;
  const fix = causeOf(finding, record.causes) === undefined ? ownFixOf(finding) : undefined;
  return markup`<article class="finding ${verdict}" aria-labelledby="finding-${id}">
<h3 id="finding-${id}">${badge(verdict)} <a href="#${id}">${id}</a> <span class="level">${level}</span> <span class="sentence">${prose(sentence)}</span></h3>
${partList(decisive, evidence)}${fix && markup`<p><strong>Fix:</strong> ${linkedProse(fix, evidence)}</p>\n`}${timelineFigures(record, finding)}<details class="more"><summary>Why, and the evidence${restsOn}</summary>
${partList(others, evidence)}${quotation(finding)}${shownExchanges(finding, evidence)}${repetition(finding)}</details></article>
`;
}

/** What a reader has to see of a finding, whatever else it says. */
const DECISIVE: ReadonlySet<FindingPart['label']> = new Set(['Expected', 'Received', 'Reason']);

function partList(parts: readonly FindingPart[], evidence: Evidence): Markup | undefined {
  if (parts.length === 0) return undefined;
  return markup`<dl class="parts">
${parts.map(({ label, text }) => markup`<div><dt>${label}</dt><dd>${linkedProse(text, evidence)}</dd></div>\n`)}</dl>
`;
}

/** The words of the specification, from the register: the report does not trust a record to quote them. */
function quotation({ id, from }: Finding): Markup {
  const source = register.find((one) => one.id === id)?.from;
  const standard = source !== undefined && 'rfc' in source ? `, ${source.rfc}` : '';
  const place = markup`<p class="quiet">From <code>${from}</code>${standard}.</p>`;
  if (source === undefined) return place;
  return markup`<blockquote><p>${prose(withoutTable(source.quote))}</p></blockquote>
${place}
`;
}

/** A quoted row of one of the specification's tables, without the table's own signs. */
const withoutTable = (quote: string): string => quote.replace(/^\| | \|$/g, '').replaceAll(' | ', ' · ');

/** The timelines of the starts that a finding against a client rests on, as plots. Empty for a service. */
const timelineFigures = (record: RunRecord, finding: Finding): Markup =>
  markup`${citedTimelines(record, finding).map((timeline) =>
    plotFigure(timelinePlot(timeline, `timeline-${finding.id}-${timeline.start}`)),
  )}`;

function shownExchanges({ exchanges }: Finding, evidence: Evidence): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  const shown = exchanges.flatMap((n) => evidence.get(n) ?? []).slice(0, SHOWN_EXCHANGES);
  if (shown.length === 0) return markup`<p>Rests on ${citationOf(exchanges)} of the journal.</p>\n`;
  const rest =
    shown.length < new Set(exchanges).size
      ? markup`<p class="quiet">${shown.length} of ${exchanges.length} cited exchanges are shown here. All: ${citation(exchanges, evidence)}.</p>\n`
      : undefined;
  return markup`${shown.map((one) => markup`<h4>${exchangeTitle(one)}</h4>\n${exchangeBody(one)}\n`)}${rest}`;
}

function repetition(finding: Finding): Markup | undefined {
  const repeat = repeatOf(finding);
  if (repeat === undefined) return undefined;
  return markup`<figure class="repeat"><figcaption>Repeat by hand: one click selects the whole command</figcaption><pre class="command">${bounded(repeat, COMMAND_LIMIT)}</pre></figure>
`;
}
