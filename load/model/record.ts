import type { Product } from '../../kernel/basics/product.ts';
import type { Limits } from '../../spec/plans.ts';
import type { ExpectationId, ProfileId } from './profile.ts';
import type { Threshold, ThresholdId } from './thresholds.ts';

/** The verdicts of a load run. A missed schedule is never attributed to the target: it makes a verdict inconclusive. */
export type LoadVerdict = 'pass' | 'fail' | 'inconclusive';

/** The judgement of one expectation. */
export interface LoadFinding {
  readonly id: ExpectationId | ThresholdId;
  /** What was expected, in one sentence. */
  readonly expected: string;
  readonly verdict: LoadVerdict;
  /** What was received, with the figures, in one or two sentences. */
  readonly because: string;
}

/** A judged load run: what `load-report.json` contains. */
export interface LoadRecord {
  readonly schemaVersion: 2;
  readonly suite: { readonly name: string; readonly version: string };
  /** The specification that belongs to this version of the suite; absent in the reports of earlier versions. */
  readonly spec?: { readonly version: string; readonly digest: string };
  /** The files that were judged; absent in the reports of earlier versions. */
  readonly recorded?: RecordedFiles;
  /** `bundled`: the server that comes with this program. */
  readonly target: { readonly baseUrl: string; readonly plan: string; readonly bundled?: true };
  /** What the user stated about the product under test; absent where nothing was. */
  readonly product?: Product;
  readonly profile: ProfileId;
  readonly limits: Limits;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly ended: LoadEnding;
  readonly verdict: LoadVerdict;
  readonly findings: readonly LoadFinding[];
  /** Planned and actual requests of each key. */
  readonly keys: readonly KeyCount[];
  /** Milliseconds from the intended send time to the last byte, without the preflight request of each key; null where there is no other response. */
  readonly latencyMs: LatencySummary | null;
  /** How much later than planned requests were sent, milliseconds; null where no request had a planned send time. */
  readonly scheduleDelayMs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  /** The phases of a profile that compares them, in their order; absent for the other profiles. */
  readonly phases?: readonly LoadPhase[];
  /** The user's thresholds for this profile; absent where there are none. Each quantity is a finding. */
  readonly thresholds?: readonly Threshold[];
  /** What limits the meaning of the run besides its findings, in sentences; absent where nothing does. */
  readonly remarks?: readonly string[];
  /** The machine and programs of the run, so that two runs can be compared fairly. */
  readonly environment: LoadEnvironment;
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
  /** The latencies at 5 %, 10 % and so on to 95 %: how they are distributed. Absent in the reports of earlier versions. */
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
