import type { RunRecord } from '../../kernel/findings/record.ts';
import { bounded } from '../foreign-text.ts';
import { durationOf, momentOf } from '../outcome.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

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
export const timeElement = (iso: string): Markup => markup`<time datetime="${iso}">${momentOf(iso)}</time>`;

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
