import type { Limits } from '../../spec/plans.ts';
import type { ExpectationId, ProfileId } from './profile.ts';

/** What a judge of load says. A schedule that was missed is never the target's fault: it is inconclusive. */
export type LoadVerdict = 'pass' | 'fail' | 'inconclusive';

/** The judgement of one expectation. */
export interface LoadFinding {
  readonly id: ExpectationId;
  /** What was expected, in one sentence. */
  readonly expects: string;
  readonly verdict: LoadVerdict;
  /** What came, with the figures, in one or two sentences. */
  readonly because: string;
}

/** A load run, judged: what `load-report.json` holds. */
export interface LoadRecord {
  readonly schemaVersion: 1;
  readonly suite: { readonly name: string; readonly version: string };
  readonly target: { readonly baseUrl: string; readonly plan: string };
  readonly profile: ProfileId;
  readonly limits: Limits;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** How the run ended: `finished`, or `stopped` by itself, or `interrupted` by the user; and why, for a person. */
  readonly ended: {
    readonly how: 'finished' | 'stopped' | 'interrupted' | 'failed';
    readonly because: string;
  };
  readonly verdict: LoadVerdict;
  readonly findings: readonly LoadFinding[];
  /** Requests by key: what was planned, and what happened. */
  readonly keys: readonly KeyCount[];
  /** Milliseconds from the intended send time to the last byte, without the look of each key; null where nothing else was answered. */
  readonly latencyMs: LatencySummary | null;
  /** How late requests were sent, milliseconds; null where no request had a deadline. */
  readonly lateMs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  /** Where it was run, so that two runs can be compared fairly. */
  readonly environment: Environment;
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

/** Latency in milliseconds; from the intended send time where there is one (no coordinated omission). */
export interface LatencySummary {
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** What of the machine decides over figures. */
export interface Environment {
  readonly k6: string;
  readonly node: string;
  readonly platform: string;
  readonly cpus: number;
}
