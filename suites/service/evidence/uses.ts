import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Adverse, Judgement } from '../../../kernel/findings/judgement.ts';
import { inconclusive } from '../../../kernel/findings/judgement.ts';
import type { CountedTogether } from '../../../kernel/rate-limits/bounds/counters.ts';
import { showsUse } from '../../../kernel/rate-limits/bounds/windows.ts';
import type { Discrepancy } from '../../../kernel/rate-limits/explanation.ts';
import type { Transition } from '../../../kernel/rate-limits/series.ts';
import { allTransitions, fallBeyondUse, readingOf } from '../../../kernel/rate-limits/series.ts';
import { isBaseline, isBaselineAfterIdle } from '../probes/preflight.ts';
import type { Use } from '../probes/recount.ts';
import { discrepancies, recount, usesOf } from '../probes/recount.ts';
import type { Evidence } from './evidence.ts';

export const uses = (evidence: Evidence): readonly Use[] => usesOf(evidence.exchanges, evidence.limits);

/** The stretch in which the quota was exhausted on purpose, or the last one that reached a 429. */
export function exhaustingUse(evidence: Evidence): Use | undefined {
  const all = evidence.fact(uses);
  const exhausting = all.filter(({ series }) =>
    series.some(({ exchanges }) => exchanges.some((one) => one.probe === 'exhaust-quota')),
  );
  return exhausting.at(-1) ?? all.findLast(({ limited }) => limited !== undefined);
}

export const acceptedAfter = (evidence: Evidence, limited: Exchange): Exchange | undefined =>
  evidence.by('key').find((exchange) => exchange.sent.mono > limited.received.mono && accepted(exchange));

/** Whether the headers describe the minute, so that Remaining can be compared with requests. */
export function showsMinute(evidence: Evidence): boolean {
  return evidence.by('key').some((exchange) => readingOf(exchange)?.limit === evidence.limits.perMinute);
}

/** The first stretch that only the target can cause, else the first one. What rose besides counts if it rose in another order, too. */
export function miscounted(evidence: Evidence): Discrepancy | undefined {
  const found = discrepancies(evidence.fact(uses), evidence.exchanges, evidence.limits, evidence.exclusive);
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
  probe === 'recount' && step === recount.steps.anotherOrder;

/** The stretches of use in the further windows of a thorough run, in their order; none in any other run. */
export const furtherUses = (evidence: Evidence): readonly Use[] =>
  evidence
    .fact(uses)
    .filter(({ first }) => first.probe === 'second-window' || first.probe === 'third-window');

/** The second window, in which the limit is tested again, with more than its baseline request. */
export const secondUse = (evidence: Evidence): Use | undefined =>
  furtherUses(evidence).find(({ first, series }) => first.probe === 'second-window' && series.length > 1);

/** The third window, with requests around its end and more than its baseline request; several where it was repeated. */
export const thirdUses = (evidence: Evidence): readonly Use[] =>
  furtherUses(evidence).filter(({ first, series }) => first.probe === 'third-window' && series.length > 1);

/** How many windows were tested: one, and the further ones of a thorough run. */
export const testedWindows = (evidence: Evidence): number =>
  1 + [secondUse(evidence), thirdUses(evidence)[0]].filter((use) => use !== undefined).length;

export const inSecondWindow = (checked: string): string =>
  `In the second window: ${checked.replace(/^After /, 'after ')}`;

/** What a user can do where another client of the key may be the reason. */
export const IF_NO_OTHER_CLIENT = 'If no other client uses this key, run again with --exclusive-key.';

/** How another client of the key leaves a requirement open: with the sentence that says how to rule that client out. */
export function perhapsAnotherClient(reason: string, exchanges: readonly Exchange[] = []): Judgement {
  return inconclusive(`${reason} ${IF_NO_OTHER_CLIENT}`, exchanges);
}

/** A judgement that another client of the key could overturn: it stands where the user stated that there is none. */
export function unlessAnotherClient(evidence: Evidence, adverse: Adverse, doubt: string): Judgement {
  return evidence.exclusive
    ? adverse
    : perhapsAnotherClient(`${factText(adverse)} ${doubt}`, adverse.exchanges);
}

/** Two responses between which another client used the key. A fall into a 429 does not count: a smaller limit looks the same. */
export function sharedUse(evidence: Evidence): readonly Exchange[] | undefined {
  if (evidence.exclusive) return undefined;
  const miscount = evidence.fact(miscounted);
  if (miscount?.explanation.kind === 'fell beyond use') return miscount.exchanges;
  // Whatever explains every reading of the run explains these, too.
  if (miscount !== undefined) return undefined;
  const { perMinute, perDay } = evidence.limits;
  const all = evidence.fact(uses);
  const begun = all.flatMap(({ first }) => (isBaseline(first) ? (readingOf(first)?.remaining ?? []) : []));
  for (const { series, first } of all) {
    const reading = readingOf(first);
    // The same value each time is the target's own.
    const used = showsUse(reading, perMinute) && new Set(begun).size > 1;
    if (isBaselineAfterIdle(first) && (isRateLimited(first) || used)) return [first];
    const taken = allTransitions(series, perMinute).find(beyondUse);
    if (taken !== undefined) return [taken.from.exchange, taken.to.exchange];
  }
  // The daily quota does not refill within a run, so another client also used what is missing after a pause.
  const taken = allTransitions(
    all.flatMap(({ series }) => series),
    perDay,
  ).find(beyondUse);
  return taken === undefined ? undefined : [taken.from.exchange, taken.to.exchange];
}

const beyondUse = (change: Transition): boolean =>
  fallBeyondUse(change) > 0 && !isRateLimited(change.to.exchange);

/** Whether more than this run's own requests led to the 429, or anything else shows another client of the key. */
export function takenByOthers(evidence: Evidence, limited: Exchange): boolean {
  if (evidence.exclusive) return false;
  const all = evidence.fact(uses);
  // A key that this run left idle for a window, and not because of a 429, has some of its quota back.
  const takenAlone = all.some(({ first }, i) => {
    const last = all[i - 1]?.series.at(-1)?.exchanges.at(-1);
    return isRateLimited(first) && last !== undefined && !isRateLimited(last);
  });
  if (evidence.fact(sharedUse) !== undefined || takenAlone) return true;
  const { perMinute } = evidence.limits;
  return all
    .flatMap(({ series }) => allTransitions(series, perMinute))
    .some((change) => change.to.exchange === limited && fallBeyondUse(change) > 0);
}
