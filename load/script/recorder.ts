import { Counter, Gauge, Trend } from 'k6/metrics';
import { latencyMs } from '../model/latency.ts';
import type { SampleOutcome } from '../model/sample.ts';
import type { ScriptEnvironment } from './environment.ts';
import { RECORDS_VARIABLE } from './environment.ts';
import { METRICS } from './options.ts';
import type { Port } from './port.ts';

const requestTrend = new Trend(METRICS.request, true);
const eventCount = new Counter(METRICS.event);
const remainingGauge = new Gauge(METRICS.remaining);
const resetGauge = new Gauge(METRICS.reset);

/** Gauges are updated at most this often, in milliseconds; Remaining 0 is always recorded. */
const GAUGE_INTERVAL_MS = 50;

/**
 * Records samples and events: as metrics of k6, for its outputs; and each as one line of JSON on the console, which
 * k6 writes into a file at once. Its own output of samples would write a dozen lines for each request, which halves
 * the rate that a core reaches, and only five times a second.
 */
export function recorderOf(env: ScriptEnvironment): Pick<Port, 'recordSample' | 'recordEvent'> {
  const write = env[RECORDS_VARIABLE] === 'console' ? writeLine : () => undefined;
  /** The latest update, milliseconds since the Unix epoch. */
  let gaugesUpdatedAt = 0;
  const updateGauges = (
    at: number,
    { remaining, reset }: SampleOutcome & { readonly kind: 'answer' },
  ): void => {
    if (at - gaugesUpdatedAt < GAUGE_INTERVAL_MS && remaining !== '0') return;
    gaugesUpdatedAt = at;
    updateGauge(remainingGauge, remaining);
    updateGauge(resetGauge, reset);
  };
  return {
    recordSample(sample) {
      write(sample);
      requestTrend.add(latencyMs(sample));
      if (sample.outcome.kind === 'answer') updateGauges(sample.received, sample.outcome);
    },
    recordEvent(event) {
      write(event);
      eventCount.add(1, { kind: event.kind });
    },
  };
}

function writeLine(record: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the console of k6 is the file of the records.
  console.log(JSON.stringify(record));
}

function updateGauge(gauge: Gauge, text: string | undefined): void {
  const value = Number(text);
  if (text !== undefined && !Number.isNaN(value)) gauge.add(value);
}
