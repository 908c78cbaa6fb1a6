import type { EvidenceExcerpt, RunRecord } from '../../kernel/findings/record.ts';
import { bounded } from '../foreign-text.ts';
import { durationOf, momentOf } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { code } from './prose.ts';

const BODY_LIMIT = 4000;
const LINE_LIMIT = 600;
const HEADER_LINES = 60;

/** One exchange in a line: the request and the response. */
export function exchangeTitle(exchange: EvidenceExcerpt): Markup {
  const request = code(exchange.request, LINE_LIMIT);
  const answer = code(exchange.answer, LINE_LIMIT);
  return markup`Exchange ${exchange.n}: ${request} <span aria-hidden="true">→</span><span class="unseen"> gave </span> ${answer}`;
}

/** Request and response of one exchange, shortened, with a line about when and by which probe it was sent. */
export function exchangeBody(exchange: EvidenceExcerpt): Markup {
  const { probe, step, at, milliseconds } = exchange;
  return markup`<p class="quiet">Probe <code>${probe}</code>, step <code>${step}</code>. Sent ${secondsText(at)} after the first request; took ${Math.round(milliseconds)} ms.</p>
<div class="messages">
${message('Request', exchange.request, exchange.requestHeaders, exchange.requestBody)}
${message('Response', exchange.answer, exchange.answerHeaders, exchange.answerBody)}
</div>`;
}

const secondsText = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(3)} s`;

function message(title: string, first: string, headers: readonly string[], body: string | null): Markup {
  const missing = headers.length - HEADER_LINES;
  const lines = [
    bounded(first, LINE_LIMIT),
    ...headers.slice(0, HEADER_LINES).map((line) => bounded(line, LINE_LIMIT)),
    ...(missing > 0 ? [`[…${missing} more header lines]`] : []),
  ];
  const text = markup`${lines.join('\n')}${body === null || body === '' ? '' : `\n\n${bounded(body, BODY_LIMIT)}`}`;
  return markup`<figure><figcaption>${title}</figcaption><pre>${text}</pre></figure>`;
}

/** Characters of a fact. */
export const FACT_LIMIT = 100;

/** Characters of an address. */
export const ADDRESS_LIMIT = 160;

/** The name of a fact and its value. */
export type Fact = readonly [name: string, value: Markup];

/** What a reader looks for first, each with its name. */
export const factList = (facts: readonly Fact[]): Markup =>
  markup`<dl class="facts">
${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
`;

/** A moment, for people and for programs. @param iso ISO 8601. */
const timeElement = (iso: string): Markup => markup`<time datetime="${iso}">${momentOf(iso)}</time>`;

/** When a run started, and how long it took. */
export const timeFacts = (record: Pick<RunRecord, 'startedAt' | 'finishedAt'>): readonly Fact[] => [
  ['Started', timeElement(record.startedAt)],
  ['Duration', markup`${durationOf(record)}`],
];

/** What the user stated about the product. Where nothing was stated, the page says so instead of leaving a gap. */
export function productFacts(product: RunRecord['product']): readonly Fact[] {
  if (product === undefined)
    return [['Product', markup`<span class="quiet">not stated (“product” in the configuration file)</span>`]];
  const { name, vendor, version, configuration } = product;
  const stated: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Product', name],
    ['Vendor', vendor],
    ['Product version', version],
    ['Configuration', configuration],
  ];
  return stated.flatMap(([fact, value]): readonly Fact[] =>
    value === undefined ? [] : [[fact, markup`${bounded(value, FACT_LIMIT)}`]],
  );
}
