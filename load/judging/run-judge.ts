import { latencySummaryOf, quantile, scheduleDelayMs } from '../model/latency.ts';
import type { KeyAlias, Profile, ProfileInputs, Scenario } from '../model/profile.ts';
import type { KeyCount, LoadRecord } from '../model/record.ts';
import type { KeyTrace, Sample, ScenarioEvent, Trace } from '../model/sample.ts';
import type { Threshold } from '../model/thresholds.ts';
import { thresholdsFor } from '../model/thresholds.ts';
import { scenarioRequests } from '../profiles/requests.ts';
import type { LoadEvidence, ScenarioEvidence } from './evidence.ts';
import { exchangesOf, scenarioEvidence, thinned } from './evidence.ts';
import { exchangeOf } from './exchanges.ts';
import type { Expectation, LoadJudgement, Together } from './expectation.ts';
import { inconclusive } from './expectation.ts';
import { expectations } from './expectations/index.ts';
import { latencyWithin } from './expectations/latency.ts';
import { thresholdExpectations } from './expectations/thresholds.ts';
import { findingOf, verdictOf } from './findings.ts';
import type { KeyByKey } from './fold.ts';
import { foldKeys, MOST_RECONSIDERED } from './fold.ts';
import { Latencies } from './latencies.ts';
import { NumberColumn } from './number-column.ts';

/** What is judged, apart from its samples. */
export interface RunToJudge
  extends Pick<LoadRecord, 'suite' | 'spec' | 'recorded' | 'target' | 'product' | 'environment'> {
  readonly profile: Profile;
  /** What the scenarios were made from. */
  readonly inputs: ProfileInputs;
  /** The highest 99th percentile latency, in milliseconds; latency is judged only where it is given. */
  readonly latencyThresholdMs?: number;
  /** Further thresholds of the user; those of other profiles are left out. */
  readonly thresholds?: readonly Threshold[];
}

/** How and when a run ended, and what limits its meaning besides its findings. */
export type RunEnd = Pick<LoadRecord, 'ended' | 'startedAt' | 'finishedAt' | 'remarks'>;

/** A load run that was judged. */
export interface JudgedRun {
  readonly record: LoadRecord;
  /** The samples for the charts of the report: all, or of a long run every n-th. */
  readonly trace: Trace;
}

/** A run of up to so many requests, or of so few keys, is judged with all of them in memory; of a longer one, about so many are kept for the comparison of keys. */
const MOST_KEPT = { requests: 200_000, keys: 2 } as const;

/** What a fail may rest on besides the responses. */
const EXCLUSIVE =
  'No other client uses the keys of this run (--exclusive-key, or the bundled server): what one could have caused counts against the target.';

/** How the run ended decides whether a pass counts; `conclude` sees to that. What one key shows does not depend on it. */
const NOT_YET: LoadEvidence['ended'] = { how: 'finished', because: '' };

/**
 * Judges a run key by key, so that only the samples of one key have to be in memory, in any order of keys. What
 * concerns all keys at once is judged on counts, and on the latency of every n-th request of a long run.
 * Pure as `judgeLoad`.
 */
export class RunJudge {
  readonly #run: RunToJudge;
  readonly #thresholds: readonly Threshold[];
  readonly #scenarios: readonly Scenario[];
  readonly #positions: ReadonlyMap<KeyAlias, number>;
  readonly #oneOf: number;
  readonly #keyByKey: readonly KeyByKey[];
  readonly #together: readonly Expectation[];
  readonly #all: readonly Expectation[];
  readonly #evidence: ScenarioEvidence[] = [];
  /** Keys that failed an expectation which considers the other keys, with all their requests. */
  readonly #failed = new Map<number, ScenarioEvidence>();
  readonly #events: ScenarioEvent[] = [];
  readonly #latencies: Latencies;
  readonly #delays = new NumberColumn();

  /** @param mostRequests a run of more requests is long; for tests. */
  constructor(run: RunToJudge, mostRequests: number = MOST_KEPT.requests) {
    const { profile, inputs, latencyThresholdMs } = run;
    this.#run = run;
    this.#scenarios = profile.scenarios(inputs);
    this.#positions = new Map(this.#scenarios.map(({ key }, at) => [key, at]));
    const requests = this.#scenarios.reduce((sum, one) => sum + scenarioRequests(one), 0);
    this.#oneOf =
      this.#scenarios.length <= MOST_KEPT.keys ? 1 : Math.max(1, Math.ceil(requests / mostRequests));
    const own = latencyThresholdMs === undefined ? [] : [latencyWithin(latencyThresholdMs)];
    this.#thresholds = thresholdsFor(run.thresholds ?? [], profile.id);
    this.#latencies = new Latencies(own.length > 0 || this.#thresholds.length > 0);
    this.#all = [
      ...profile.expects.map((id) => expectations[id]),
      ...own,
      ...thresholdExpectations(this.#thresholds),
    ];
    this.#together = this.#all.filter(({ scope }) => scope !== 'each key');
    this.#keyByKey = this.#all
      .filter(({ scope }) => scope === 'each key')
      .map((expectation) => ({ expectation, judgements: new Map() }));
  }

  /** Judges one key. A key of another run is left out. */
  add(trace: KeyTrace): void {
    const position = this.#positions.get(trace.key);
    const scenario = this.#scenarios[position ?? -1];
    if (position === undefined || scenario === undefined || this.#evidence[position] !== undefined) return;
    const limits = scenario.limits ?? this.#run.inputs.limits;
    const evidence = scenarioEvidence(scenario, trace, { ...this.#run.inputs, limits });
    for (const { expectation, judgements } of this.#keyByKey) {
      const judgement = expectation.judge({ ...this.#evidenceOf([evidence]), limits });
      judgements.set(position, { key: trace.key, judgement });
      if (judgement.verdict === 'fail' && expectation.reconsider !== undefined)
        this.#keep(position, evidence);
    }
    this.#measure(evidence.samples);
    this.#events.push(...trace.events);
    this.#evidence[position] = this.#oneOf === 1 ? evidence : thinned(evidence, this.#oneOf, position);
  }

  /** Judges the run as a whole. */
  conclude({ ended, startedAt, finishedAt, remarks: ofRun = [] }: RunEnd): JudgedRun {
    for (const { key } of this.#scenarios) this.add({ key, samples: [], events: [] });
    const { suite, spec, recorded, target, product, profile, inputs, environment } = this.#run;
    const remarks = inputs.exclusiveKeys === true ? [...ofRun, EXCLUSIVE] : ofRun;
    const evidence = { ...this.#evidenceOf(this.#evidence), ended };
    const findings = this.#all.map((one) => findingOf(one, this.#judge(one, evidence), evidence));
    const phases = this.#together.flatMap((one) => one.phases?.(evidence) ?? []);
    const record: LoadRecord = {
      ...{
        schemaVersion: 2,
        suite,
        ...(spec === undefined ? {} : { spec }),
        ...(recorded === undefined ? {} : { recorded }),
        target,
        ...(product === undefined ? {} : { product }),
        profile: profile.id,
        limits: inputs.limits,
      },
      ...{ startedAt, finishedAt, ended, verdict: verdictOf(findings), findings },
      keys: this.#evidence.map(countsOf),
      latencyMs: latencySummaryOf(this.#latencies.ascending('intended')),
      scheduleDelayMs: delaySummary(this.#delays.ascending()),
      ...(phases.length === 0 ? {} : { phases }),
      ...(this.#thresholds.length === 0 ? {} : { thresholds: this.#thresholds }),
      ...(remarks.length === 0 ? {} : { remarks }),
      environment,
    };
    return { record, trace: this.#shown() };
  }

  #evidenceOf(scenarios: readonly ScenarioEvidence[]): LoadEvidence {
    const { profile, inputs } = this.#run;
    const [latencies, oneOf] = [this.#latencies, this.#oneOf];
    return { profile, limits: inputs.limits, scenarios, ended: NOT_YET, latencies, oneOf };
  }

  #keep(position: number, evidence: ScenarioEvidence): void {
    if (this.#oneOf === 1 || this.#failed.size < MOST_RECONSIDERED) this.#failed.set(position, evidence);
  }

  #measure(samples: readonly Sample[]): void {
    this.#latencies.add(samples);
    for (const sample of samples) {
      const delay = scheduleDelayMs(sample);
      if (delay !== undefined) this.#delays.push(delay);
    }
  }

  #judge(expectation: Expectation, evidence: LoadEvidence): LoadJudgement {
    const found = this.#keyByKey.find((one) => one.expectation === expectation);
    if (found === undefined) return withPart(expectation.judge(evidence), expectation, this.#oneOf);
    if (expectation.reconsider !== undefined && this.#scenarios.length > 1) this.#reconsider(found);
    return foldKeys(this.#scenarios.flatMap((_, position) => found.judgements.get(position) ?? []));
  }

  /** Judges the failures once more, with what the other keys sent. Those beyond the ones that were kept are not attributed to the target by themselves. */
  #reconsider({ expectation, judgements }: KeyByKey): void {
    for (const [position, { key, judgement }] of judgements) {
      const scenario = this.#failed.get(position);
      if (judgement.verdict !== 'fail') continue;
      const limits = this.#scenarios[position]?.limits ?? this.#run.inputs.limits;
      const again =
        scenario === undefined
          ? inconclusive(judgement.because)
          : expectation.reconsider?.(scenario, limits, this.#othersOf(scenario));
      judgements.set(position, { key, judgement: again ?? judgement });
    }
  }

  #othersOf(scenario: ScenarioEvidence): Together {
    if (this.#oneOf === 1) return { exchanges: exchangesOf(this.#evidence), complete: true };
    const others = this.#evidence.filter(({ key }) => key !== scenario.key);
    return {
      exchanges: [...scenario.exchanges, ...others.flatMap(({ samples }) => samples.map(exchangeOf))],
      complete: false,
    };
  }

  #shown(): Trace {
    const samples = this.#evidence.flatMap((one) => one.samples);
    return { samples, events: this.#events, ...(this.#oneOf === 1 ? {} : { oneOf: this.#oneOf }) };
  }
}

/** Says on which part of a long run a comparison of keys rests. */
const withPart = (judgement: LoadJudgement, { scope }: Expectation, oneOf: number): LoadJudgement =>
  oneOf === 1 || scope === 'counts'
    ? judgement
    : {
        ...judgement,
        because: `${judgement.because} This rests on one of every ${oneOf} requests of each key.`,
      };

function countsOf({ key, planned, tally }: ScenarioEvidence): KeyCount {
  const { requests: sent, accepted, rateLimited } = tally;
  return { key, planned, sent, accepted, rateLimited, failed: sent - accepted - rateLimited };
}

function delaySummary(sorted: Float64Array): LoadRecord['scheduleDelayMs'] {
  if (sorted.length === 0) return null;
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) };
}
