import type { Transition } from '../limits/accounting.ts';
import { changesOf, excess, transitions } from '../limits/accounting.ts';
import type { FirstRefusal } from '../limits/early.ts';
import { firstRefusalOf } from '../limits/early.ts';
import type { Discrepancy } from '../limits/explain.ts';
import { discrepancy } from '../limits/explain.ts';
import { minuteQuota } from '../limits/overrun.ts';
import type { Series } from '../limits/series.ts';
import { ofKey, readingOf, refused, seriesOf } from '../limits/series.ts';
import type { Exchange } from '../model/exchange.ts';
import { drain } from '../probes/drain.ts';
import { ARM, ARM_RESTED } from '../probes/first-look.ts';
import type { Evidence } from './evidence.ts';

/** How the examined key was used, in stretches without an idle window. */
export interface Use {
  readonly series: Series;
  readonly first: Exchange;
  /** Nothing counted against the limit when the stretch began, whatever the algorithm. */
  readonly untouched: boolean;
  readonly refusal: FirstRefusal | undefined;
}

/** Every stretch of use of the examined key. */
export function uses(evidence: Evidence): readonly Use[] {
  const { limits } = evidence.run;
  return seriesOf(ofKey(evidence.exchanges), limits).flatMap((series) => {
    const first = series[0]?.exchanges[0];
    return first === undefined
      ? []
      : [{ series, first, untouched: untouched(first, limits.perMinute), refusal: firstRefusalOf(series) }];
  });
}

/** The stretch in which the limit was used up on purpose, or the last one that reached a 429. */
export function drained(evidence: Evidence): Use | undefined {
  const all = evidence.fact(uses);
  const drains = all.filter(({ series }) =>
    series.some(({ exchanges }) => exchanges.some((one) => one.probe === drain.id)),
  );
  return drains.at(-1) ?? all.findLast(({ refusal }) => refusal !== undefined);
}

/** Fresh by its own first answer, or by two idle windows before it. */
function untouched(first: Exchange, perMinute: number): boolean {
  const reading = readingOf(first);
  return first.step === ARM_RESTED || (reading?.limit === perMinute && reading.remaining >= perMinute - 1);
}

/** Where Remaining does not follow the requests, in the first stretch that shows it. */
export function miscounted(evidence: Evidence): Discrepancy | undefined {
  const strangers = evidence.by('stranger');
  const quota = minuteQuota(evidence.run.limits);
  const everywhere = evidence.fact(uses).flatMap(({ series }) => transitions(series, quota.limit));
  for (const [index, { series, untouched }] of evidence.fact(uses).entries()) {
    // A log that was in use before the run gives back in bulk; every later stretch follows an idle window.
    if (index === 0 && !untouched) continue;
    const found = discrepancy(series, quota, strangers, everywhere);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Two answers between which somebody else used the key, or the first one after
 * two idle windows that somebody else did not leave idle. A fall into a 429 is
 * none: a limit that is smaller than it says looks the same.
 */
export function sharedUse(evidence: Evidence): readonly Exchange[] | undefined {
  const miscount = evidence.fact(miscounted);
  if (miscount?.explanation.kind === 'somebody else uses the key') return miscount.exchanges;
  // Whatever explains every reading of the run explains these, too.
  if (miscount !== undefined) return undefined;
  const { perMinute, perDay } = evidence.run.limits;
  const all = evidence.fact(uses);
  const begun = all.flatMap(({ first }) =>
    first.step === ARM || first.step === ARM_RESTED ? (readingOf(first)?.remaining ?? []) : [],
  );
  for (const { series, first } of all) {
    const left = readingOf(first);
    // What is the same each time is the target's own doing.
    const used = left !== undefined && left.remaining < perMinute - 1 && new Set(begun).size > 1;
    if (first.step === ARM_RESTED && (refused(first) || (used && left.limit === perMinute))) return [first];
    const taken = changesOf(series, perMinute).find(beyondUse);
    if (taken !== undefined) return [taken.from.exchange, taken.to.exchange];
  }
  // Of a day nothing flows back, so what is gone after a rest was taken, too.
  const taken = changesOf(
    all.flatMap(({ series }) => series),
    perDay,
  ).find(beyondUse);
  return taken === undefined ? undefined : [taken.from.exchange, taken.to.exchange];
}

const beyondUse = (change: Transition): boolean => excess(change) > 0 && !refused(change.to.exchange);

/** Whether more than this run's own requests led to the refusal, or anything else shows another client of the key. */
export function takenByOthers(evidence: Evidence, refusal: Exchange): boolean {
  const all = evidence.fact(uses);
  // A key that this run left alone for a whole window, and not because it was refused, has some of its limit back.
  const lastOf = (i: number): Exchange | undefined => all[i]?.series.at(-1)?.exchanges.at(-1);
  const takenAlone = all.some(({ first }, i) => {
    const last = lastOf(i - 1);
    return refused(first) && last !== undefined && !refused(last);
  });
  if (evidence.fact(sharedUse) !== undefined || takenAlone) return true;
  const { perMinute } = evidence.run.limits;
  return all
    .flatMap(({ series }) => changesOf(series, perMinute))
    .some((change) => change.to.exchange === refusal && excess(change) > 0);
}

/** Whether the headers describe the minute, so that Remaining can be compared with requests. */
export function showsMinute(evidence: Evidence): boolean {
  return evidence.by('key').some((exchange) => readingOf(exchange)?.limit === evidence.run.limits.perMinute);
}
