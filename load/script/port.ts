import type { Operation } from '../model/profile.ts';
import type { Sample, SampleOutcome, ScenarioEvent } from '../model/sample.ts';

/** The outcome of one request, with its times in milliseconds since the Unix epoch. */
export interface TimedOutcome {
  /** Not after the first byte left. */
  readonly sent: number;
  /** Not before the last byte arrived. */
  readonly received: number;
  /** A connection was opened for it. */
  readonly opened?: true;
  readonly outcome: SampleOutcome;
}

/**
 * Everything a scenario needs from outside. k6 provides it in a run; a service without sockets in
 * simulated time provides it in tests, which count there what a scenario sends.
 */
export interface Port {
  /** Milliseconds since the Unix epoch; never decreases. */
  now(): number;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Resolves at this time (milliseconds since the Unix epoch) or just after it. */
  wait(until: number): Promise<void>;
  /**
   * Sends one request. Never rejects because of the target.
   * @param n its position among the requests of the scenario, from 1; it makes the name of a created category unique.
   */
  send(operation: Operation, n: number): Promise<TimedOutcome>;
  /** Records a request after its response or timeout. */
  recordSample(sample: Sample): void;
  /** Records a wait or the end of the scenario. */
  recordEvent(event: ScenarioEvent): void;
}
