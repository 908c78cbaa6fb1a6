import { greatest, least } from '../../kernel/exchanges/collections.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import { latencyMs, latencySamples } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import type { LoadEvidence } from './evidence.ts';
import type { Span } from './phases.ts';
import { dueAt, phaseOf } from './phases.ts';
import { medianOf, slowFrom } from './slower.ts';

/** The requests of a run with a burst: at a low rate before it, in it, and at the low rate after it. In the order of sending. */
export interface SpikePhases {
  readonly before: readonly Sample[];
  readonly during: readonly Sample[];
  readonly after: readonly Sample[];
  /** From the first request of the burst to the last response to it, of all keys. Milliseconds since the Unix epoch. */
  readonly burst: Span;
}

/** The phases of a spike; undefined where no burst was sent. What no phase contains was sent while another key still sent its burst. */
export function spikePhases({ scenarios }: LoadEvidence): SpikePhases | undefined {
  const all = scenarios.flatMap(({ samples }) => samples).sort((a, b) => a.sent - b.sent);
  const during = all.filter(({ kind }) => kind === 'burst');
  if (during.length === 0) return undefined;
  const burst = {
    from: least(during.map(({ sent }) => sent)),
    until: greatest(during.map(({ received }) => received)),
  };
  const low = all.filter(({ kind }) => kind === 'paced');
  return {
    before: low.filter(({ received }) => received <= burst.from),
    during,
    after: low.filter((one) => dueAt(one) >= burst.until),
    burst,
  };
}

/** How many responses in a row must be as fast as before: by their median, so that one slow response does not count. */
const IN_A_ROW = 5;

/**
 * How long after the burst latency was what it had been before, and stayed so, in milliseconds: until the first
 * of the requests from which on the median of every five is not slower. Undefined where that did not come.
 */
export function recoveryMs({ before, after, burst }: SpikePhases): number | undefined {
  const usual = medianOf(latencySamples(before));
  const answered = latencySamples(after);
  const windows = Math.max(0, answered.length - IN_A_ROW + 1);
  let from: number | undefined;
  for (let at = windows - 1; at >= 0; at -= 1) {
    if (medianOf(answered.slice(at, at + IN_A_ROW)) > slowFrom(usual)) break;
    from = at;
  }
  if (from === undefined) return undefined;
  // The median of five may be fast although the first of them is not.
  const first = answered.slice(from).find((one) => latencyMs(one) <= slowFrom(usual));
  return first === undefined ? undefined : Math.max(0, dueAt(first) - burst.until);
}

/** The figures of the phases, for the report. @param oneOf of how many requests one was kept. */
export function spikeFigures(phases: SpikePhases, oneOf: number): readonly LoadPhase[] {
  const { before, during, after, burst } = phases;
  const all = [...before, ...during, ...after];
  const spanOf = (samples: readonly Sample[]): Span => ({
    from: least(samples.map(dueAt)) - 1,
    until: greatest(samples.map(({ received }) => received)),
  });
  const rows = [
    ['before the burst', before, spanOf(before)],
    ['burst', during, { from: burst.from - 1, until: burst.until }],
    ['after the burst', after, spanOf(after)],
  ] as const;
  return rows.flatMap(([name, samples, span]) =>
    samples.length === 0 ? [] : [phaseOf(name, { samples, all, span, oneOf })],
  );
}
