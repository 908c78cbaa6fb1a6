/**
 * Thresholds of a user: the specification promises no speed, so each is judged only where a user sets it.
 * Each quantity of a rule is a requirement of its own.
 */
export interface Threshold {
  /** The profile that it applies to; every profile where it is absent. */
  readonly profile?: string;
  /** The operation whose requests count; both where it is absent. */
  readonly operation?: 'list' | 'create';
  /** Latency from the intended send time may not exceed these percentiles, in milliseconds. */
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  /** The share of requests with a 5xx or without a response may not exceed this, from 0 to 1. */
  readonly errorRate?: number;
  /** At least so many requests are accepted in a second, from the first one sent to the last response. */
  readonly minimumRate?: number;
}

/** What the verdicts rest on. */
export interface RecordedFiles {
  /** What was to be sent. */
  readonly run: RecordedFile;
  /** One file for each runner; none where the run ended before its first request. */
  readonly samples: readonly RecordedFile[];
}

/** A file as it was when the run was judged. */
export interface RecordedFile {
  /** Without its folder. */
  readonly name: string;
  /** `sha256:…` of its bytes. */
  readonly digest: string;
}

/** How a run ended, and why, for a person: it finished, a stop condition stopped it, a signal interrupted it, or k6 or the script failed. */
export interface LoadEnding {
  readonly how: 'finished' | 'stopped' | 'interrupted' | 'failed';
  readonly because: string;
}

/** The requests of one key. */
export interface KeyCount {
  readonly key: string;
  readonly planned: number;
  readonly sent: number;
  readonly accepted: number;
  readonly rateLimited: number;
  readonly failed: number;
}

/** A phase of a run with one rate: a step of `breakpoint`, before, during or after a burst, or a tenth of a soak. */
export interface LoadPhase {
  readonly name: string;
  /** Its length. */
  readonly seconds: number;
  /** Requests that were due in it. */
  readonly requests: number;
  /** Requests of all keys that were due in a second of it. */
  readonly offeredPerSecond: number;
  /** 2xx responses to these requests in a second, until the last of them arrived. */
  readonly acceptedPerSecond: number;
  /** Median latency in milliseconds, without preflight requests; null where there is no response. */
  readonly p50: number | null;
  /** 99th percentile of latency in milliseconds; null where there is no response. */
  readonly p99: number | null;
  /** Requests with a 5xx or without a response. */
  readonly errors: number;
  readonly rateLimited: number;
  /** What the phase shows, in a word or a clause; empty where there is nothing to say. */
  readonly result: string;
}

/** Latency in milliseconds, from the intended send time where there is one (no coordinated omission). */
export interface LatencySummary {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** The latencies at 5 %, 10 % and so on to 95 %: how they are distributed. Absent in earlier reports. */
  readonly twentieths?: readonly number[];
}

/** The parts of a machine that affect measurements. */
export interface LoadEnvironment {
  readonly k6: string;
  /** The version of HTTP that the run spoke, where it was set. */
  readonly http?: 'HTTP/1.1';
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
}
