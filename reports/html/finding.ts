import { partsOf } from '../../kernel/findings/finding-text.ts';
import { ownFixOf, repeatOf } from '../../kernel/findings/findings.ts';
import type { Cause, Finding, RunRecord } from '../../kernel/findings/record.ts';
import { register } from '../../spec/register.ts';
import { bounded } from '../foreign-text.ts';
import { citationOf, groupsOf } from '../outcome.ts';
import { pageCommand } from '../page-command.ts';
import { plotFigure } from '../plots/plot.ts';
import { citedTimelines } from '../timelines/line.ts';
import { timelinePlot } from '../timelines/plot.ts';
import type { Markup } from '../written.ts';
import { joined, markup } from '../written.ts';
import { headerComparison } from './comparison.ts';
import { section } from './document.ts';
import { exchangeBody, exchangeTitle } from './exchange.ts';
import type { Evidence } from './prose.ts';
import { badge, citation, linkedProse, prose } from './prose.ts';

/** Exchanges that a finding shows itself; it links to the rest. */
const SHOWN_EXCHANGES = 3;
const COMMAND_LIMIT = 8000;

/** A section of findings in full, under an address made of its title; those with a common cause are grouped. Empty where there are none. */
export function findingsSection(
  title: string,
  explanation: string,
  findings: readonly Finding[],
  record: RunRecord,
  evidence: Evidence,
): Markup {
  if (findings.length === 0) return markup``;
  const { causes } = record;
  const id = title.toLowerCase();
  const groups = groupsOf(findings, causes).map(({ cause, findings: members }) => {
    const cards = members.map((one) => findingCard(one, cause, record, evidence));
    return cause === undefined
      ? markup`${cards}`
      : causeGroup(cause, `${id}-${causes.indexOf(cause) + 1}`, cards);
  });
  return section(
    id,
    markup`${title} <span class="count">${findings.length}</span>`,
    markup`<p>${explanation}</p>
${groups}`,
  );
}

/**
 * Findings with a common cause: the cause and its fix are shown once, above them.
 * @param id of the group on the page.
 */
function causeGroup({ title, requirements, fix }: Cause, id: string, cards: readonly Markup[]): Markup {
  const links = requirements.map((one) => markup`<a href="#finding-${one}">${one}</a>`);
  return markup`<section class="cause" aria-labelledby="cause-${id}">
<h3 id="cause-${id}">One cause: ${prose(title)}</h3>
<p>It explains ${requirements.length} findings: ${joined(links, ', ')}.</p>
${fix === undefined ? markup`` : markup`<p><strong>Fix:</strong> ${prose(fix)}</p>\n`}${cards}</section>
`;
}

function findingCard(
  finding: Finding,
  cause: Cause | undefined,
  record: RunRecord,
  evidence: Evidence,
): Markup {
  const { id, level, verdict, sentence } = finding;
  return markup`<article class="finding ${verdict}" aria-labelledby="finding-${id}">
<h3 id="finding-${id}">${badge(verdict)} <a href="#${id}">${id}</a> <span class="level">${level}</span></h3>
<p class="sentence">${prose(sentence)}</p>
<dl class="parts">
${partsOf(finding).map(({ label, text }) => part(label, linkedProse(text, evidence)))}${remedy(finding, cause, evidence)}</dl>
${record.subject === 'client' ? markup`` : headerComparison(finding, evidence)}${quotation(finding)}${timelineFigures(record, finding)}${shownExchanges(finding, evidence)}${repetition(finding)}${further(finding)}</article>
`;
}

/** The labels whose parts are shown side by side. */
const BESIDE: ReadonlySet<string> = new Set(['Expected', 'Received']);

const part = (label: string, text: Markup): Markup =>
  markup`<div${BESIDE.has(label) ? markup` class="beside"` : markup``}><dt>${label}</dt><dd>${text}</dd></div>
`;

/** How to fix it; a finding that shares its cause has the fix above it, with the cause. */
function remedy(finding: Finding, cause: Cause | undefined, evidence: Evidence): Markup {
  const fix = ownFixOf(finding);
  return cause !== undefined || fix === undefined ? markup`` : part('Fix', linkedProse(fix, evidence));
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

function shownExchanges({ exchanges }: Finding, evidence: Evidence): Markup {
  if (exchanges.length === 0) return markup``;
  const shown = exchanges.flatMap((n) => evidence.get(n) ?? []).slice(0, SHOWN_EXCHANGES);
  if (shown.length === 0) return markup`<p>Rests on ${citationOf(exchanges)} of the journal.</p>\n`;
  const rest =
    shown.length < new Set(exchanges).size
      ? markup`<p class="quiet">${shown.length} of ${exchanges.length} cited exchanges are shown here. All: ${citation(exchanges, evidence)}.</p>\n`
      : markup``;
  return markup`<details class="cited"><summary>Evidence: ${citationOf(exchanges)}</summary>
${shown.map((one) => markup`<h4>${exchangeTitle(one)}</h4>\n${exchangeBody(one)}\n`)}${rest}</details>
`;
}

/** Where the page of the requirement is. */
const further = ({ id }: Finding): Markup =>
  markup`<p class="quiet">How ${id} is judged, and what that cannot see: <code>${pageCommand(id)}</code></p>
`;

function repetition(finding: Finding): Markup {
  const repeat = repeatOf(finding);
  if (repeat === undefined) return markup``;
  return markup`<figure class="repeat"><figcaption>Repeat by hand: one click selects the whole command</figcaption><pre class="command">${bounded(repeat, COMMAND_LIMIT)}</pre></figure>
`;
}
