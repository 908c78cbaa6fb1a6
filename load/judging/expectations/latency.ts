import { quantile } from '../../model/latency.ts';
import type { Expectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

const SHARE = 0.99;

/**
 * The user's own threshold: the specification promises no speed, so latency is judged only where the user sets one.
 * @param thresholdMs the highest 99th percentile latency, in milliseconds.
 */
export const latencyWithin = (thresholdMs: number): Expectation => ({
  id: 'LATENCY',
  expected: `The 99th percentile latency, from the scheduled send time, does not exceed ${thresholdMs} ms.`,
  passRequires: 'every request on schedule',
  scope: 'counts',
  judge({ latencies }) {
    const answered = latencies.ascending('intended');
    if (answered.length === 0) return inconclusive('No response came after the first.');
    const scheduled = quantile(answered, SHARE);
    const text = `The 99th percentile of ${answered.length} responses is ${scheduled.toFixed(1)} ms; the threshold is ${thresholdMs} ms`;
    if (scheduled <= thresholdMs) return pass(`${text}.`);
    const sent = quantile(latencies.ascending('sent'), SHARE);
    return sent > thresholdMs
      ? fail(`${text}.`)
      : inconclusive(
          `${text}, but only ${sent.toFixed(1)} ms from the actual send time: this machine sent requests late.`,
        );
  },
});
