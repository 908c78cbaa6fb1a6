import { ascending, latencyMs, latencySamples, quantile } from '../../model/latency.ts';
import type { Expectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

const SHARE = 0.99;

/**
 * The user's own bar: the specification promises no speed, so without one nobody is judged by it.
 * @param barMs what 99 of 100 answers must not take longer than, in milliseconds.
 */
export const latencyWithin = (barMs: number): Expectation => ({
  id: 'LATENCY',
  expects: `The 99th percentile latency, from the intended send time, is at most ${barMs} ms.`,
  rests: 'on every request and its time',
  judge({ scenarios }) {
    const answered = latencySamples(scenarios.flatMap(({ samples }) => samples));
    if (answered.length === 0) return inconclusive('Not one answer came after the first.');
    const intended = quantile(ascending(answered.map(latencyMs)), SHARE);
    const text = `99 of 100 of ${answered.length} answers took up to ${intended.toFixed(1)} ms; the bar is ${barMs} ms`;
    if (intended <= barMs) return pass(`${text}.`);
    const sent = quantile(ascending(answered.map(({ sent: from, received }) => received - from)), SHARE);
    return sent > barMs
      ? fail(`${text}.`)
      : inconclusive(
          `${text}, but counted from when they left only ${sent.toFixed(1)} ms: this machine sent them late.`,
        );
  },
});
