import { ascending, latencyMs, quantile } from '../../model/latency.ts';
import type { Expectation } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

/** The bar unless another is given: 99 of 100 answers within a second. */
export const LATENCY_BAR_MS = 1000;

const SHARE = 0.99;

export const latency: Expectation = {
  id: 'LATENCY',
  expects: 'Latency from the intended send time stays below the bar in 99 of 100 requests.',
  rests: 'on every request and its time',
  judge({ lanes, latencyBarMs }) {
    const answered = lanes
      .flatMap(({ samples }) => samples)
      .filter(({ outcome }) => outcome.kind === 'answer');
    if (answered.length === 0) return inconclusive('Not one answer came.');
    const intended = quantile(ascending(answered.map(latencyMs)), SHARE);
    const text = `99 of 100 of ${answered.length} answers took up to ${intended.toFixed(1)} ms; the bar is ${latencyBarMs} ms`;
    if (intended <= latencyBarMs) return pass(`${text}.`);
    const sent = quantile(ascending(answered.map(({ sent: from, received }) => received - from)), SHARE);
    return sent > latencyBarMs
      ? fail(`${text}.`)
      : inconclusive(
          `${text}, but counted from when they left only ${sent.toFixed(1)} ms: this machine sent them late.`,
        );
  },
};
