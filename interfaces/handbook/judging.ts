import type { RequirementId } from '../../spec/register.ts';
import { clientObservables, clientRequirements } from '../../suites/client/judging/requirements/index.ts';
import type { Scenario } from '../../suites/client/model/scenario.ts';
import type { Probe } from '../../suites/service/probes/probe.ts';
import { observables, requirements } from '../../suites/service/requirements/index.ts';

/** How a requirement is judged and what its verdict means: what the page takes from the object that judges it. */
export interface Judging {
  /** What the judge rests on, one item each. */
  readonly evidence: readonly string[];
  readonly whyItMatters?: string;
  readonly fix?: string;
}

/** What judges or observes a requirement of services. */
export function serviceJudging(id: RequirementId): Judging {
  const judged = requirements.find((one) => one.id === id);
  if (judged === undefined)
    return { evidence: observables.find((one) => one.id === id)?.probes.map(probeText) ?? [] };
  const { probes, whyItMatters, fix } = judged;
  return { evidence: probes.length === 0 ? [NO_PROBE] : probes.map(probeText), whyItMatters, fix };
}

const NO_PROBE = 'No request of its own: what the user gave to the run shows it.';

const probeText = ({ id, description }: Probe): string => `\`${id}\`: ${description}.`;

/** What judges or observes a requirement of clients. */
export function clientJudging(id: RequirementId): Judging {
  const judged = clientRequirements.find((one) => one.id === id);
  if (judged === undefined)
    return { evidence: clientObservables.find((one) => one.id === id)?.needs.map(scenarioText) ?? [] };
  const { needs, whyItMatters, fix } = judged;
  return { evidence: needs.map(scenarioText), whyItMatters, fix };
}

const scenarioText = ({ id, description }: Scenario): string => `\`${id}\`: ${description}`;
