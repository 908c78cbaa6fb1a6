import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { CountedTogether } from '../../../kernel/rate-limits/bounds/counted-together.ts';
import type { Discrepancy } from '../../../kernel/rate-limits/explanation.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { recount } from '../probes/recount.ts';
import type { Use } from '../probes/uses.ts';
import { discrepancies, usesOf } from '../probes/uses.ts';
import type { Evidence } from './evidence.ts';

/** Every stretch of use of the key under test. */
export const uses = (evidence: Evidence): readonly Use[] => usesOf(evidence.exchanges, evidence.run.limits);

/** The stretch in which the quota was exhausted on purpose, or the last one that reached a 429. */
export function exhaustingUse(evidence: Evidence): Use | undefined {
  const all = evidence.fact(uses);
  const exhausting = all.filter(({ series }) =>
    series.some(({ exchanges }) => exchanges.some((one) => one.probe === exhaustQuota.id)),
  );
  return exhausting.at(-1) ?? all.findLast(({ limited }) => limited !== undefined);
}

/** The first request of the key under test that was accepted after this 429. */
export const acceptedAfter = (evidence: Evidence, limited: Exchange): Exchange | undefined =>
  evidence.by('key').find((exchange) => exchange.sent.mono > limited.received.mono && accepted(exchange));

/** Whether the headers describe the minute, so that Remaining can be compared with requests. */
export function showsMinute(evidence: Evidence): boolean {
  return evidence.by('key').some((exchange) => readingOf(exchange)?.limit === evidence.run.limits.perMinute);
}

/**
 * Where Remaining does not follow the requests: the first stretch that shows it
 * in a way only the target can cause, else the first one at all. Of a fall that
 * another client could have caused, what rose besides is held against the
 * target if it rose again when the count was repeated in another order.
 */
export function miscounted(evidence: Evidence): Discrepancy | undefined {
  const found = discrepancies(evidence.exchanges, evidence.run.limits, evidence.exclusive);
  const [first] = found;
  const certain = found.find(({ explanation }) => explanation.kind !== 'fell beyond use');
  if (certain !== undefined || first === undefined) return certain;
  const risen = (one: (typeof found)[number]): number =>
    one.explanation.kind === 'fell beyond use' ? one.explanation.risen : 0;
  const again = found.find(({ use }) => use.series.some(({ exchanges }) => exchanges.some(isRecount)));
  if (again === undefined || again === first || risen(first) === 0 || risen(again) === 0) return first;
  return {
    explanation: { kind: 'not counted', unexplained: risen(again) },
    exchanges: [...first.exchanges, ...again.exchanges],
  };
}

/** Whose requests are counted together with those of the key, as a sentence names them. */
export const othersText = ({ callers }: CountedTogether): string => callers.join(' and ');

/** Whether the target has several counts for the key: then what Remaining shows of one says nothing about another. */
export function hasSeveralCounts(evidence: Evidence): boolean {
  const kind = evidence.fact(miscounted)?.explanation.kind;
  return kind === 'separate counters' || kind === 'counts side by side';
}

const isRecount = ({ probe, step }: Exchange): boolean =>
  probe === recount.id && step === recount.steps.anotherOrder;
