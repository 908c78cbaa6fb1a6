import { definedFields } from '../../kernel/basics/json.ts';
import { findingOf, outcomeOf } from '../../kernel/findings/finding.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { inconclusive } from '../../kernel/findings/judgement.ts';
import type { KeyCount, Threshold } from '../../kernel/findings/load.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import { latencySummaryOf, quantile } from '../model/latency.ts';
import type { KeyAlias, Profile, Scenario } from '../model/profile.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import type { KeyTrace, ScenarioEvent, Trace } from '../model/sample.ts';
import { totalRequests } from '../profiles/arithmetic.ts';
import { whereClocksKeptTime, whyIncomplete, whyLate } from './completeness.ts';
import type { Expectation, KeyExpectation, LoadEvidence, ScenarioEvidence, Together } from './evidence.ts';
import { exchangeOf, exchangesOf } from './evidence.ts';
import { expectations } from './expectations/index.ts';
import { latencyWithin, thresholdExpectations } from './expectations/thresholds.ts';
import { foldKeys, textOf, withMore } from './fold.ts';
import { Measured } from './measured.ts';
import { scenarioEvidence, thinned } from './scenario-evidence.ts';

/** The finding of an expectation. A pass of a run that was incomplete or late, where that matters, proves nothing. */
function loadFinding(
  { entry, passRequires, whyItMatters }: Expectation,
  found: Judgement,
  evidence: LoadEvidence,
): Finding {
  const timed = passRequires === 'every request on schedule';
  const trouble = whyIncomplete(evidence) ?? (timed ? whyLate(evidence) : undefined);
  const unproven =
    found.verdict === 'pass' && trouble !== undefined
      ? inconclusive(
          entry.id === 'SENT' ? trouble : `${trouble} The requests that were sent agree: ${found.checked}`,
        )
      : found;
  return findingOf(entry, unproven, { whyItMatters }, undefined);
}

export interface RunToJudge
  extends Pick<
    LoadRunFile,
    'suite' | 'spec' | 'target' | 'product' | 'environment' | 'inputs' | 'thresholds'
  > {
  readonly profile: Profile;
  /** The files that are judged; undefined where they cannot be read again. */
  readonly recorded?: LoadRecord['recorded'] | undefined;
  /** The highest 99th percentile latency, in milliseconds; latency is judged only where it is given. */
  readonly latencyThresholdMs?: number | null;
}

/** How and when a run ended, and what limits its meaning besides its findings. */
export type RunEnd = Pick<LoadRecord, 'ended' | 'startedAt' | 'finishedAt'> &
  Partial<Pick<LoadRecord, 'remarks'>>;

export interface JudgedRun {
  readonly record: LoadRecord;
  /** The samples for the charts of the report: all, or of a long run every n-th. */
  readonly trace: Trace;
}

/** A run of up to so many requests, or of so few keys, is judged with all of them in memory; of a longer one, about half as many are kept for the comparison of keys. */
const MOST_KEPT = { requests: 200_000, keys: 2 } as const;

/** What a fail may rest on besides the responses. */
export const EXCLUSIVE =
  'This run has its keys to itself (--exclusive-key, or the bundled server), so every unexpected 429 counts against the target.';

/** How many failures of an expectation are considered once more, with the requests of the other keys; they are kept in memory until then. */
const MOST_RECONSIDERED = 20;

/**
 * Judges a run key by key, so that only the samples of one key have to be in memory, in any order of keys. What
 * concerns all keys at once is judged on counts, and on the latency of every n-th request of a long run. What the load
 * generator did not send is never attributed to the target, and never passes. Pure.
 */
export class RunJudge {
  readonly #run: RunToJudge;
  readonly #thresholds: readonly Threshold[];
  readonly #scenarios: readonly Scenario[];
  readonly #positions: ReadonlyMap<KeyAlias, number>;
  readonly #oneOf: number;
  readonly #expectations: readonly Expectation[];
  /** What was judged key by key, by the position of the scenario. */
  readonly #judgements: ReadonlyMap<KeyExpectation, Map<number, Judgement>>;
  readonly #evidence: ScenarioEvidence[] = [];
  /** Keys that failed an expectation which considers the other keys, with all their requests. */
  readonly #failed = new Map<number, ScenarioEvidence>();
  readonly #events: ScenarioEvent[] = [];
  readonly #measured: Measured;

  /** @param mostRequests a run of more requests is long; for tests. */
  constructor(run: RunToJudge, mostRequests: number = MOST_KEPT.requests) {
    const { profile, inputs, latencyThresholdMs = null, thresholds = [] } = run;
    this.#run = run;
    this.#scenarios = profile.scenarios(inputs);
    this.#positions = new Map(this.#scenarios.map(({ key }, at) => [key, at]));
    const requests = totalRequests(this.#scenarios);
    this.#oneOf =
      this.#scenarios.length <= MOST_KEPT.keys || requests <= mostRequests
        ? 1
        : Math.ceil((2 * requests) / mostRequests);
    const own = latencyThresholdMs === null ? [] : [latencyWithin(latencyThresholdMs)];
    this.#thresholds = thresholds.filter((one) => one.profile === undefined || one.profile === profile.id);
    // Thresholds alone ask what a request took that this machine sent late.
    this.#measured = new Measured(own.length > 0 || this.#thresholds.length > 0);
    this.#expectations = [
      ...profile.expects.map((id) => expectations[id]),
      ...own,
      ...thresholdExpectations(this.#thresholds),
    ];
    this.#judgements = new Map(
      this.#expectations.flatMap((one) => (one.scope === 'each key' ? [[one, new Map()] as const] : [])),
    );
  }

  /** Judges one key. A key of another run is left out. */
  add(trace: KeyTrace): void {
    const position = this.#positions.get(trace.key) ?? -1;
    const scenario = this.#scenarios[position];
    if (scenario === undefined || this.#evidence[position] !== undefined) return;
    const evidence = scenarioEvidence(scenario, trace, { ...this.#run.inputs, plan: this.#planOf(scenario) });
    for (const [expectation, judgements] of this.#judgements) {
      const found = whereClocksKeptTime(expectation, evidence, expectation.judge(evidence));
      if (found === undefined) continue;
      judgements.set(position, found);
      if (found.verdict === 'fail' && expectation.reconsider !== undefined) this.#keep(position, evidence);
    }
    this.#measured.add(evidence.samples);
    this.#events.push(...trace.events);
    this.#evidence[position] = this.#oneOf === 1 ? evidence : thinned(evidence, this.#oneOf, position);
  }

  conclude({ ended, startedAt, finishedAt, remarks: ofRun = [] }: RunEnd): JudgedRun {
    for (const { key } of this.#scenarios) this.add({ key, samples: [], events: [] });
    const { suite, spec, recorded, target, product, profile, inputs, environment } = this.#run;
    const remarks = inputs.exclusiveKeys === true ? [...ofRun, EXCLUSIVE] : ofRun;
    const [scenarios, measured, oneOf] = [this.#evidence, this.#measured, this.#oneOf];
    const evidence: LoadEvidence = { scenarios, ended, measured, oneOf };
    const requirements = this.#expectations.map((one) =>
      loadFinding(one, this.#judge(one, evidence), evidence),
    );
    const phases = this.#expectations.flatMap((one) =>
      one.scope === 'each key' ? [] : (one.phases?.(evidence) ?? []),
    );
    const keys = this.#evidence.map(countsOf);
    const sent = keys.reduce((sum, one) => sum + one.sent, 0);
    const record: LoadRecord = definedFields({
      schemaVersion: 2 as const,
      subject: 'load' as const,
      ...{ suite, spec, recorded, target, product },
      profile: profile.id,
      limits: inputs.limits,
      ...{ startedAt, finishedAt, ended },
      requests: { total: sent, keyed: sent },
      strict: false,
      outcome: outcomeOf(requirements, requirements.length === 0 ? ['Nothing was expected.'] : []),
      causes: [],
      remarks,
      requirements,
      observations: [],
      evidence: [],
      keys,
      latencyMs: latencySummaryOf(measured.latencies('intended')),
      scheduleDelayMs: delaySummary(measured.delays()),
      phases: unlessEmpty(phases),
      thresholds: unlessEmpty(this.#thresholds),
      environment,
    });
    return { record, trace: this.#shown() };
  }

  #planOf({ limits }: Scenario): string {
    const { inputs, target } = this.#run;
    return inputs.fleetPlans?.find((one) => one.limits === limits)?.plan ?? target.plan;
  }

  #keep(position: number, evidence: ScenarioEvidence): void {
    if (this.#oneOf === 1 || this.#failed.size < MOST_RECONSIDERED) this.#failed.set(position, evidence);
  }

  #judge(expectation: Expectation, evidence: LoadEvidence): Judgement {
    if (expectation.scope !== 'each key') {
      const found = expectation.judge(evidence);
      return expectation.scope === 'counts' || this.#oneOf === 1
        ? found
        : withMore(found, `This rests on one of every ${this.#oneOf} requests of each key.`);
    }
    const judgements = this.#judgements.get(expectation) ?? new Map<number, Judgement>();
    if (this.#scenarios.length > 1) this.#reconsider(expectation, judgements);
    const inOrder = this.#scenarios.flatMap(({ key }, position) => {
      const found = judgements.get(position);
      return found === undefined ? [] : [{ key, found }];
    });
    return foldKeys(inOrder, this.#scenarios.length);
  }

  /** Judges the failures once more, with what the other keys sent. Those beyond the ones that were kept are not attributed to the target by themselves. */
  #reconsider(expectation: KeyExpectation, judgements: Map<number, Judgement>): void {
    if (expectation.reconsider === undefined) return;
    for (const [position, found] of judgements) {
      if (found.verdict !== 'fail') continue;
      const scenario = this.#failed.get(position);
      const again =
        scenario === undefined
          ? inconclusive(textOf(found))
          : expectation.reconsider(scenario, this.#othersOf(scenario));
      if (again !== undefined) judgements.set(position, again);
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
    const events = this.#events.toSorted((a, b) => a.at - b.at);
    return { samples, events, ...(this.#oneOf === 1 ? {} : { oneOf: this.#oneOf }) };
  }
}

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;

function countsOf({ key, planned, tally }: ScenarioEvidence): KeyCount {
  const { requests: sent, accepted, rateLimited } = tally;
  return { key, planned, sent, accepted, rateLimited, failed: sent - accepted - rateLimited };
}

function delaySummary(sorted: Float64Array): LoadRecord['scheduleDelayMs'] {
  if (sorted.length === 0) return null;
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) };
}
