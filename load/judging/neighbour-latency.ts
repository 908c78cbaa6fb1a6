import { greatest } from '../../exchanges/collections.ts';
import type { Limits } from '../../spec/plans.ts';
import { countOf } from '../../words/text.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../model/latency.ts';
import type { Step } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { chanceOfHigherRanks } from './rank-test.ts';

/** Latencies are compared where there are so many responses on both sides. */
const ENOUGH = 10;

/** Slower by this factor and by so many milliseconds is what users of the other key notice, and more than a network varies. */
const SLOWER = { factor: 1.5, byMs: 250 };

/** The chance at which two equal distributions may look different in one comparison. */
const LEVEL = 1e-4;

/** The steps with which a key exceeds its limit. */
export const LOUD: ReadonlySet<Step['kind']> = new Set(['burst', 'persist', 'polite']);

/** When the quiet key is compared: while the loud key sends, and for a window after it. Milliseconds since the Unix epoch. */
const spansOf = (loud: ScenarioEvidence, { minuteSeconds }: Limits): readonly Span[] => {
  const from = startOf(loud);
  const until = greatest(loud.samples.map(({ received }) => received));
  return [
    { from, until, when: 'while the other key sent' },
    { from, until: until + minuteSeconds * 1000, when: 'while the other key sent and for a window after it' },
  ];
};

/** When the loud key began to exceed its limit, milliseconds since the Unix epoch. */
const startOf = (loud: ScenarioEvidence): number =>
  loud.samples.find(({ kind }) => LOUD.has(kind))?.sent ?? Number.POSITIVE_INFINITY;

/** Milliseconds since the Unix epoch, and the same in words. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly when: string;
}

/** How the latency of the quiet key compares: too few responses to tell, unaffected, slowed down, or slow only because this machine sent late. */
export type Speed =
  | { readonly kind: 'too few' }
  | { readonly kind: 'unaffected' | 'slowed' | 'sent late'; readonly text: string };

/**
 * Compares the latency of the quiet key during each span with its latency before the loud key began: what came
 * later may suffer from harm that lasts. Slowed down is what is certain by the ranks and large by the median: a
 * few slow responses prove nothing.
 */
export function speedOf(loud: ScenarioEvidence, quiet: ScenarioEvidence, limits: Limits): Speed {
  const answered = latencySamples(quiet.samples);
  const start = startOf(loud);
  const before = answered.filter(({ received }) => received < start);
  const compared = spansOf(loud, limits).flatMap(({ from, until, when }) => {
    const during = answered.filter(({ sent }) => sent >= from && sent <= until);
    return Math.min(during.length, before.length) < ENOUGH ? [] : [{ when, during }];
  });
  const slowed = compared.find(({ during }) => isSlower(during, before, latencyMs));
  const shown = slowed ?? compared.at(-1);
  if (shown === undefined) return { kind: 'too few' };
  const median = (samples: readonly Sample[]): string =>
    `${Math.round(quantile(ascending(samples.map(latencyMs)), 0.5))} ms`;
  const text = `the median latency of key ${quiet.key} was ${median(before)} before (${countOf(before.length, 'response')}) and ${median(shown.during)} ${shown.when} (${countOf(shown.during.length, 'response')})`;
  if (slowed === undefined) return { kind: 'unaffected', text };
  return { kind: isSlower(slowed.during, before, responseMs) ? 'slowed' : 'sent late', text };
}

/** Milliseconds from the actual send time: what this machine sent late is not in it. */
const responseMs = ({ sent, received }: Sample): number => received - sent;

/** Whether latencies are higher with a chance of error of at most `LEVEL`, and by more than a network varies. */
function isSlower(
  during: readonly Sample[],
  before: readonly Sample[],
  measure: (sample: Sample) => number,
): boolean {
  const [slow, usual] = [during.map(measure), before.map(measure)];
  const [slowMedian, usualMedian] = [quantile(ascending(slow), 0.5), quantile(ascending(usual), 0.5)];
  return (
    slowMedian > Math.max(usualMedian * SLOWER.factor, usualMedian + SLOWER.byMs) &&
    chanceOfHigherRanks(slow, usual) < LEVEL
  );
}
