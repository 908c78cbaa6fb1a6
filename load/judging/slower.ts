import { countOf } from '../../kernel/basics/text.ts';
import { greatest } from '../../kernel/exchanges/collections.ts';
import type { Fact } from '../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../kernel/findings/judgement.ts';
import { keyText } from '../model/key-list.ts';
import { latencyMs, latencySamples, nearestMedian } from '../model/latency.ts';
import { EXCEEDING_STEPS } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import { whyLate } from './completeness.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';
import { chanceOfHigherRanks } from './rank-test.ts';

export const ENOUGH_RESPONSES = 10;

/** Slower by this factor and by so many milliseconds is what users notice, and more than a network or a busy machine varies within minutes. */
const SLOWER = { factor: 1.5, byMs: 250 };

/** The same for responses of one minute, in which a machine varies less. */
export const WITHIN_A_MINUTE_MS = 100;

/** The chance at which two equal distributions may look different in one comparison. */
export const FALSE_ALARM_CHANCE = 1e-4;

export const foundSlowdown = (byMs: number = SLOWER.byMs): string =>
  `a median latency that is higher by a half and by ${byMs} ms; a doubling shows from ${byMs} ms on`;

/** The median above which a latency is slower than the usual one, in milliseconds. */
export const slowFrom = (usualMs: number, byMs: number = SLOWER.byMs): number =>
  Math.max(usualMs * SLOWER.factor, usualMs + byMs);

/** Milliseconds from the actual send time: what this machine sent late is not in it. */
export const responseMs = ({ sent, received }: Sample): number => received - sent;

/** The median of a measure of samples, in its unit; NaN of none. */
export const medianOf = (samples: readonly Sample[], measure = latencyMs): number =>
  nearestMedian(samples.map(measure));

export const msText = (value: number): string =>
  Number.isNaN(value) ? 'unknown' : `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))} ms`;

/** The median latency of samples and their number: `35.2 ms (40 responses)`. */
export const medianText = (samples: readonly Sample[]): string =>
  `${msText(medianOf(samples))} (${countOf(samples.length, 'response')})`;

export const wouldHaveShown = (usual: readonly Sample[], byMs?: number): string =>
  `a median above ${msText(slowFrom(medianOf(usual), byMs))} would have shown`;

/**
 * Two sets of responses compared: as fast as usual; slower; slower by the medians, but of too few or too varied
 * responses to be certain; or slower only because this machine sent late.
 */
export type Comparison = 'unaffected' | 'slowed' | 'uncertain' | 'sent late';

/**
 * Whether responses are slower than usual: large by the median, and certain by the ranks, with a chance of error of at
 * most `FALSE_ALARM_CHANCE`. A few slow responses prove nothing. Latency counts from the intended send time, and what
 * is slow must be so from the actual one as well.
 * @param during at least `ENOUGH_RESPONSES` samples with responses, as `usual`.
 */
export function compareLatency(
  during: readonly Sample[],
  usual: readonly Sample[],
  byMs?: number,
): Comparison {
  const isLarge = (measure: (sample: Sample) => number): boolean =>
    medianOf(during, measure) > slowFrom(medianOf(usual, measure), byMs);
  if (!isLarge(latencyMs)) return 'unaffected';
  if (!isLarge(responseMs)) return 'sent late';
  const certain = [latencyMs, responseMs].every((measure) => isCertain(during, usual, measure));
  return certain ? 'slowed' : 'uncertain';
}

export const UNCERTAIN =
  'A difference of this size may be chance among so few or so varied responses: use more keys, or repeat the run.';

interface SpeedTexts {
  readonly unaffected: string;
  /** `UNCERTAIN` follows it. */
  readonly uncertain: string;
  readonly late: string;
  readonly slowed: Fact;
}

/** The judgement of a comparison; what is slower in a run that this machine sent late proves nothing. */
export function judgedSpeed(found: Comparison, evidence: LoadEvidence, texts: SpeedTexts): Judgement {
  if (found === 'unaffected') return pass(texts.unaffected);
  if (found === 'uncertain') return inconclusive(`${texts.uncertain} ${UNCERTAIN}`);
  const isLate = found === 'sent late' || whyLate(evidence) !== undefined;
  return isLate ? inconclusive(texts.late) : fail(texts.slowed);
}

const isCertain = (
  during: readonly Sample[],
  usual: readonly Sample[],
  measure: (sample: Sample) => number,
): boolean => chanceOfHigherRanks(during.map(measure), usual.map(measure)) < FALSE_ALARM_CHANCE;

/**
 * Compares the latency of the quiet key while the loud key exceeds its limit, and for a window after it, with its
 * latency before that: what came later may suffer from harm that lasts. A few slow responses prove nothing: slower is
 * what is certain by the ranks and large by the median. Undefined of too few responses.
 */
export function speedOf(loud: ScenarioEvidence, quiet: ScenarioEvidence) {
  const answered = latencySamples(quiet.samples);
  const start = loud.samples.find(({ kind }) => EXCEEDING_STEPS.has(kind))?.sent ?? Number.POSITIVE_INFINITY;
  const end = greatest(loud.samples.map(({ received }) => received));
  const before = answered.filter(({ received }) => received < start);
  const spans = [
    ['while the other key sent', end],
    ['while the other key sent and for a window after it', end + quiet.limits.minuteSeconds * 1000],
  ] as const;
  const compared = spans.flatMap(([when, until]) => {
    const during = answered.filter(({ sent }) => sent >= start && sent <= until);
    if (Math.min(during.length, before.length) < ENOUGH_RESPONSES) return [];
    return [{ when, during, kind: compareLatency(during, before, WITHIN_A_MINUTE_MS) }];
  });
  const shown =
    compared.find(({ kind }) => kind === 'slowed') ??
    compared.find(({ kind }) => kind !== 'unaffected') ??
    compared.at(-1);
  if (shown === undefined) return undefined;
  const [usual, now] = [before, shown.during].map((samples) => `${Math.round(medianOf(samples))} ms`);
  const text = `the median latency of ${keyText(quiet.key)} was ${usual} before (${countOf(before.length, 'response')}) and ${now} ${shown.when} (${countOf(shown.during.length, 'response')})`;
  return { kind: shown.kind, text, shown: wouldHaveShown(before, WITHIN_A_MINUTE_MS) };
}
