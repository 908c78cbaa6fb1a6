import type { Exchange } from '../../exchanges/exchange.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import type { Limits } from '../../spec/plans.ts';
import type { KeyAlias, Profile, Step } from '../model/profile.ts';
import type { LoadRecord } from '../model/record.ts';
import type { Sample, ScenarioEvent, Trace } from '../model/sample.ts';
import { anotherClientShown } from './another-client.ts';
import { exchangeOf } from './exchanges.ts';

/** The requests of one key and their responses. */
export interface ScenarioEvidence {
  readonly key: KeyAlias;
  readonly steps: readonly Step[];
  /** How many requests were planned. */
  readonly planned: number;
  /** In the order of sending. */
  readonly samples: readonly Sample[];
  /** The same requests as `rate-limits/` reads them. */
  readonly exchanges: readonly Exchange[];
  /** Stretches of use without a pause of a window. */
  readonly series: readonly Series[];
  readonly stopped: Extract<ScenarioEvent, { kind: 'stopped' }> | undefined;
  /** What shows another client of the key, in one sentence; undefined where nothing does. */
  readonly anotherClient: string | undefined;
}

/** What every expectation judges. Pure data. */
export interface LoadEvidence {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly scenarios: readonly ScenarioEvidence[];
  readonly ended: LoadRecord['ended'];
}

/** The exchanges of all scenarios. */
export const exchangesOf = (scenarios: readonly ScenarioEvidence[]): readonly Exchange[] =>
  scenarios.flatMap(({ exchanges }) => exchanges);

/** One planned scenario, with the number of requests that its steps state. */
export interface PlannedScenario {
  readonly key: KeyAlias;
  readonly steps: readonly Step[];
  readonly requests: number;
}

/** Puts a trace into the shape in which it is judged. */
export function scenarioEvidence(scenario: PlannedScenario, trace: Trace, limits: Limits): ScenarioEvidence {
  const samples = trace.samples
    .filter(({ key }) => key === scenario.key)
    .sort((a, b) => a.sent - b.sent || a.n - b.n);
  const exchanges = samples.map(exchangeOf);
  const series = seriesOf(exchanges, limits);
  return {
    key: scenario.key,
    steps: scenario.steps,
    planned: scenario.requests,
    samples,
    exchanges,
    series,
    stopped: trace.events.find(
      (event): event is Extract<ScenarioEvent, { kind: 'stopped' }> =>
        event.kind === 'stopped' && event.key === scenario.key,
    ),
    anotherClient: anotherClientShown(series, limits),
  };
}
