import type { Operation } from '../model/profile.ts';
import type { Sample, SampleOutcome, ScenarioEvent } from '../model/sample.ts';

/** What came of one request, and when; milliseconds since the Unix epoch. */
export interface Sent {
  /** Not after the first byte left. */
  readonly sent: number;
  /** Not before the last byte came. */
  readonly received: number;
  readonly outcome: SampleOutcome;
}

/**
 * All that a lane needs of the world. k6 is one; a service without sockets in
 * virtual time is another, so that what a lane sends can be counted there.
 */
export interface Port {
  /** Milliseconds since the Unix epoch; never goes back. */
  now(): number;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Resolves at this time (milliseconds since the Unix epoch) or just after it. */
  wait(until: number): Promise<void>;
  /**
   * Sends one request. Never rejects because of the target.
   * @param n its position among the requests of the lane, from 1; it makes the name of a creation unique.
   */
  send(operation: Operation, n: number): Promise<Sent>;
  /** Tells of a request that was sent, once it was answered or given up. */
  sample(sample: Sample): void;
  event(event: ScenarioEvent): void;
}
