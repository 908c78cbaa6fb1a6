import { greatest, least } from '../../../kernel/exchanges/collections.ts';
import { readRateHeaders, resetOnOwnClock } from '../../../kernel/exchanges/rate-headers.ts';
import { announcedWaitSeconds } from '../../../kernel/exchanges/retry-after.ts';
import { answerOf } from '../../../load/model/answer.ts';
import { latencyMs, scheduleDelayMs } from '../../../load/model/latency.ts';
import type { Sample, Trace } from '../../../load/model/sample.ts';
import type { PointStatus } from '../../plots/model.ts';
import { pointStatusOf } from '../../plots/statuses.ts';

/** What plots read from a sample, read once. Seconds from the first request of the run, latency in milliseconds. */
export interface Reading {
  readonly key: string;
  readonly sent: number;
  readonly received: number;
  readonly status: PointStatus;
  /** Undefined for a preflight request and without a response, as in the percentiles of the report. */
  readonly latency: number | undefined;
  /** From the actual send time. */
  readonly sinceSent: number;
  /** Milliseconds; undefined where no send time was planned. */
  readonly delay: number | undefined;
  readonly remaining: number | undefined;
  /** The advertised end of the window, on the clock of this machine. */
  readonly reset: number | undefined;
  /** Seconds that a 429 asks to wait. */
  readonly wait: number | undefined;
}

/** The readings of a run in the order of sending. */
export interface RunReadings {
  readonly readings: readonly Reading[];
  /** When the first request was sent, milliseconds since the Unix epoch. */
  readonly start: number;
  /** Seconds from the first request to the last response. */
  readonly seconds: number;
}

/** Reads the samples of a run for its plots. */
export function readingsOf({ samples }: Trace): RunReadings {
  const start = least(samples.map(({ sent }) => sent));
  const end = greatest(samples.map(({ received }) => received));
  const readings = samples.map((sample) => readingOf(sample, start)).sort((a, b) => a.sent - b.sent);
  return { readings, start, seconds: samples.length === 0 ? 0 : (end - start) / 1000 };
}

function readingOf(sample: Sample, start: number): Reading {
  const { key, outcome, kind, received } = sample;
  const answer = outcome.kind === 'answer' ? answerOf(outcome) : undefined;
  const { remaining } = readRateHeaders(answer?.headers ?? []);
  const reset = resetOnOwnClock(answer, received);
  return {
    key,
    sent: (sample.sent - start) / 1000,
    received: (received - start) / 1000,
    status: pointStatusOf(answer?.status),
    latency: answer === undefined || kind === 'preflight' ? undefined : latencyMs(sample),
    sinceSent: received - sample.sent,
    delay: scheduleDelayMs(sample),
    remaining,
    reset: reset === undefined ? undefined : (reset - start) / 1000,
    wait: answer?.status === 429 ? announcedWaitSeconds(answer) : undefined,
  };
}
