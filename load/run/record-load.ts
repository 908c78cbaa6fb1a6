import { definedFields } from '../../kernel/basics/json.ts';
import type { LoadEnding, Threshold } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import { SUITE } from '../../kernel/findings/tested.ts';
import { loadSpecification } from '../../spec/specification.ts';
import type { KeyAlias, Scenario, Step } from '../model/profile.ts';
import { mostWithin, scenarioRequests, totalRequests } from '../profiles/arithmetic.ts';
import { REQUEST_TIMEOUT_MS } from '../script/options.ts';
import { requireDiskSpace } from './guard.ts';
import type { LoadJob } from './k6-command.ts';
import type { K6Process } from './k6-process.ts';
import { runK6 } from './k6-process.ts';
import type { KeyArrival } from './load-ending.ts';
import { newRunFile, writeRunFile } from './run-file.ts';

export interface RecordedJob extends LoadJob {
  readonly product?: LoadRecord['product'] | undefined;
  /** The target is the server that comes with this program. */
  readonly bundled?: true;
  readonly plan: string;
  /** The 99th percentile latency must not exceed this, in milliseconds; not judged where it is absent. */
  readonly latencyThresholdMs?: number | undefined;
  readonly thresholds?: readonly Threshold[] | undefined;
}

/** What a job has only once its target is reached. */
export type Reached = Pick<RecordedJob, 'baseUrl' | 'headers' | 'clientCertificate' | 'bundled'>;

export interface RecordedLoad {
  readonly job: RecordedJob;
  readonly ended: LoadEnding;
  /** Requests of each key, at least as many as the target can have counted. */
  readonly sent: Readonly<Partial<Record<KeyAlias, number>>>;
}

/**
 * @throws {K6StartError} when k6 cannot be started.
 * @throws {UserError} when the measurements cannot be kept; before the first request, if that shows by then.
 */
export async function recordLoad(
  job: RecordedJob,
  recording: K6Process & { readonly k6Version: string },
): Promise<RecordedLoad> {
  const { product, baseUrl, bundled, plan, profile, inputs, thresholds, folder } = job;
  const scenarios = profile.scenarios(inputs);
  const run = newRunFile(
    {
      ...{ suite: SUITE, spec: await loadSpecification(), profile: profile.id, inputs },
      target: definedFields({ baseUrl, plan, bundled }),
      latencyThresholdMs: job.latencyThresholdMs ?? null,
      ...definedFields({ product, thresholds }),
    },
    recording.k6Version,
  );
  requireDiskSpace(folder, totalRequests(scenarios));
  writeRunFile(folder, run);
  const { keys, ended, finishedAt, remarks } = await runK6(job, recording);
  writeRunFile(folder, {
    ...run,
    end: { ...ended, finishedAt, ...(remarks.length === 0 ? {} : { remarks }) },
  });
  return { job, ended, sent: sentRequests(scenarios, keys) };
}

/**
 * A scenario that recorded no end may have had requests in flight, which the target counted although no sample exists
 * for them.
 */
export function sentRequests(
  scenarios: readonly Scenario[],
  keys: ReadonlyMap<string, KeyArrival>,
): RecordedLoad['sent'] {
  const sentBy = (scenario: Scenario): number => {
    const { recorded = 0, end } = keys.get(scenario.key) ?? {};
    if (end !== undefined) return recorded;
    return Math.min(scenarioRequests(scenario), recorded + mostInFlight(scenario));
  };
  return Object.fromEntries(scenarios.map((scenario) => [scenario.key, sentBy(scenario)]));
}

/** How many requests of a scenario can be in flight at the same time; one without a response is in flight until its timeout. */
const mostInFlight = ({ steps }: Scenario): number => Math.max(1, ...steps.map(stepInFlight));

function stepInFlight(step: Step): number {
  if (step.kind === 'burst') return step.concurrency;
  if (step.kind === 'scheduled') return mostWithin(step.dueMs, REQUEST_TIMEOUT_MS);
  return 'overMs' in step ? Math.ceil((REQUEST_TIMEOUT_MS * step.requests) / step.overMs) : 1;
}
