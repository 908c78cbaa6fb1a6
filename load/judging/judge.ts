import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { ascending, latencySummary, quantile, scheduleDelayMs } from '../model/latency.ts';
import type { Profile, ProfileInputs } from '../model/profile.ts';
import type { KeyCount, LoadFinding, LoadRecord, LoadVerdict } from '../model/record.ts';
import type { Trace } from '../model/sample.ts';
import type { Threshold } from '../model/thresholds.ts';
import { thresholdsFor } from '../model/thresholds.ts';
import { scenarioRequests } from '../profiles/requests.ts';
import { whyIncomplete, whyLate } from './completeness.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';
import { scenarioEvidence } from './evidence.ts';
import type { Expectation, LoadJudgement } from './expectation.ts';
import { inconclusive } from './expectation.ts';
import { expectations } from './expectations/index.ts';
import { latencyWithin } from './expectations/latency.ts';
import { thresholdExpectations } from './expectations/thresholds.ts';

/** A load run as it came to an end, to be judged. */
export interface LoadRun
  extends Pick<LoadRecord, 'suite' | 'target' | 'startedAt' | 'finishedAt' | 'ended' | 'environment'> {
  readonly profile: Profile;
  /** What the scenarios were made from. */
  readonly inputs: ProfileInputs;
  readonly trace: Trace;
  /** The highest 99th percentile latency, in milliseconds; latency is judged only where it is given. */
  readonly latencyThresholdMs?: number;
  /** Further thresholds of the user; those of other profiles are left out. */
  readonly thresholds?: readonly Threshold[];
  /** What limits the meaning of the run besides its findings, in sentences. */
  readonly remarks?: readonly string[];
}

/**
 * Judges a load run: every expectation of its profile, by the samples alone.
 * Pure: no clock, no network, no environment. What the load generator did not
 * send is never attributed to the target, and never passes.
 */
export function judgeLoad(run: LoadRun): LoadRecord {
  const { profile, inputs, trace, ended } = run;
  const scenarios = profile
    .scenarios(inputs)
    .map((scenario) =>
      scenarioEvidence({ ...scenario, requests: scenarioRequests(scenario) }, trace, inputs.limits),
    );
  const evidence: LoadEvidence = { profile, limits: inputs.limits, scenarios, ended };
  const own = run.latencyThresholdMs === undefined ? [] : [latencyWithin(run.latencyThresholdMs)];
  const thresholds = thresholdsFor(run.thresholds ?? [], profile.id);
  const judged = [
    ...profile.expects.map((id) => expectations[id]),
    ...own,
    ...thresholdExpectations(thresholds),
  ];
  const findings = judged.map((one) => finding(one, evidence));
  const phases = judged.flatMap((one) => one.phases?.(evidence) ?? []);
  return {
    schemaVersion: 2,
    suite: run.suite,
    target: run.target,
    profile: profile.id,
    limits: inputs.limits,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    ended,
    verdict: verdictOf(findings),
    findings,
    keys: scenarios.map(countsOf),
    latencyMs: latencySummary(trace.samples),
    scheduleDelayMs: lateness(trace),
    ...(phases.length === 0 ? {} : { phases }),
    ...(thresholds.length === 0 ? {} : { thresholds }),
    ...(run.remarks === undefined || run.remarks.length === 0 ? {} : { remarks: run.remarks }),
    environment: run.environment,
  };
}

function finding(expectation: Expectation, evidence: LoadEvidence): LoadFinding {
  const { id, expected } = expectation;
  return { id, expected, ...judgedByCompleteness(expectation, evidence) };
}

/** A pass of a run that was incomplete or late, where that matters, proves nothing. */
function judgedByCompleteness(expectation: Expectation, evidence: LoadEvidence): LoadJudgement {
  const judgement = expectation.judge(evidence);
  if (judgement.verdict !== 'pass') return judgement;
  const timed = expectation.passRequires === 'every request on schedule';
  const trouble = whyIncomplete(evidence) ?? (timed ? whyLate(evidence) : undefined);
  if (trouble === undefined) return judgement;
  return inconclusive(
    expectation.id === 'SENT'
      ? trouble
      : `${trouble} The requests that were sent agree: ${judgement.because}`,
  );
}

function verdictOf(findings: readonly LoadFinding[]): LoadVerdict {
  const has = (verdict: LoadVerdict): boolean => findings.some((one) => one.verdict === verdict);
  if (has('fail')) return 'fail';
  return has('inconclusive') || findings.length === 0 ? 'inconclusive' : 'pass';
}

function countsOf({ key, planned, exchanges }: ScenarioEvidence): KeyCount {
  const sent = exchanges.length;
  const taken = exchanges.filter(accepted).length;
  const limited = exchanges.filter(isRateLimited).length;
  return { key, planned, sent, accepted: taken, rateLimited: limited, failed: sent - taken - limited };
}

function lateness({ samples }: Trace): LoadRecord['scheduleDelayMs'] {
  const sorted = ascending(samples.flatMap((sample) => scheduleDelayMs(sample) ?? []));
  if (sorted.length === 0) return null;
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) };
}
