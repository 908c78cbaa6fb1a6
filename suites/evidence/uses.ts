import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted } from '../../exchanges/outcome-kinds.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import type { Use } from '../probes/uses.ts';
import { usesOf } from '../probes/uses.ts';
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
