import { countOf } from '../../kernel/basics/text.ts';
import { greatest } from '../../kernel/exchanges/collections.ts';
import { latencySamples } from '../model/latency.ts';
import type { ScenarioEvidence } from './evidence.ts';
import type { Comparison } from './slower.ts';
import { compareLatency, ENOUGH_RESPONSES, medianOf, WITHIN_A_MINUTE_MS, wouldHaveShown } from './slower.ts';
import { EXCEEDING_STEPS } from './unpaced.ts';

/** When the quiet key is compared: while the loud key sends, and for a window after it. Milliseconds since the Unix epoch. */
const spansOf = (loud: ScenarioEvidence, quiet: ScenarioEvidence): readonly Span[] => {
  const from = startOf(loud);
  const until = greatest(loud.samples.map(({ received }) => received));
  return [
    { from, until, when: 'while the other key sent' },
    {
      from,
      until: until + quiet.limits.minuteSeconds * 1000,
      when: 'while the other key sent and for a window after it',
    },
  ];
};

/** When the loud key began to exceed its limit, milliseconds since the Unix epoch. */
const startOf = (loud: ScenarioEvidence): number =>
  loud.samples.find(({ kind }) => EXCEEDING_STEPS.has(kind))?.sent ?? Number.POSITIVE_INFINITY;

/** Milliseconds since the Unix epoch, and the same in words. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly when: string;
}

/** How the latency of the quiet key compares: too few responses to compare, or as `compareLatency` finds. */
export type Speed =
  | { readonly kind: 'too few' }
  | { readonly kind: Comparison; readonly text: string; readonly shown: string };

/**
 * Compares the latency of the quiet key during each span with its latency before the loud key began: what came
 * later may suffer from harm that lasts. Slowed down is what is certain by the ranks and large by the median: a
 * few slow responses prove nothing.
 */
export function speedOf(loud: ScenarioEvidence, quiet: ScenarioEvidence): Speed {
  const answered = latencySamples(quiet.samples);
  const start = startOf(loud);
  const before = answered.filter(({ received }) => received < start);
  const compared = spansOf(loud, quiet).flatMap(({ from, until, when }) => {
    const during = answered.filter(({ sent }) => sent >= from && sent <= until);
    if (Math.min(during.length, before.length) < ENOUGH_RESPONSES) return [];
    return [{ when, during, kind: compareLatency(during, before, WITHIN_A_MINUTE_MS) }];
  });
  const shown =
    compared.find(({ kind }) => kind === 'slowed') ??
    compared.find(({ kind }) => kind !== 'unaffected') ??
    compared.at(-1);
  if (shown === undefined) return { kind: 'too few' };
  const [usual, now] = [before, shown.during].map((samples) => `${Math.round(medianOf(samples))} ms`);
  const text = `the median latency of key ${quiet.key} was ${usual} before (${countOf(before.length, 'response')}) and ${now} ${shown.when} (${countOf(shown.during.length, 'response')})`;
  return { kind: shown.kind, text, shown: wouldHaveShown(before, WITHIN_A_MINUTE_MS) };
}
