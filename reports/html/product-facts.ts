import type { RunRecord } from '../../suites/model/record.ts';
import { bounded } from '../foreign-text.ts';
import { markup } from '../written.ts';
import type { Fact } from './document.ts';

/** Characters of a fact: all of them fit one page. */
export const FACT_LIMIT = 100;

/**
 * What the user stated about the product. Where nothing was stated, the page says so instead of leaving a gap.
 * @param limit characters of a fact.
 */
export function productFacts(product: RunRecord['product'], limit = FACT_LIMIT): readonly Fact[] {
  if (product === undefined) return [['Product', markup`<span class="quiet">not stated (--product)</span>`]];
  const { name, vendor, version, configuration } = product;
  const stated: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Product', name],
    ['Vendor', vendor],
    ['Product version', version],
    ['Configuration', configuration],
  ];
  return stated.flatMap(([fact, value]): readonly Fact[] =>
    value === undefined ? [] : [[fact, markup`${bounded(value, limit)}`]],
  );
}
