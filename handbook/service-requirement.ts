import type { RequirementId } from '../spec/register.ts';
import type { Probe } from '../suites/index.ts';
import { observables, requirements } from '../suites/requirements/index.ts';
import type { Judging } from './page.ts';

/** What judges or observes a requirement of services. */
export function serviceRequirementOf(id: RequirementId): Judging {
  const judged = requirements.find((one) => one.id === id);
  if (judged !== undefined) {
    const { probes, whyItMatters, fix } = judged;
    const evidence = probes.length === 0 ? [NO_PROBE] : probes.map(probeText);
    return { evidence, whyItMatters, fix };
  }
  return { evidence: observables.find((one) => one.id === id)?.probes.map(probeText) ?? [] };
}

const NO_PROBE = 'No request of its own: what the user gave to the run shows it.';

const probeText = ({ id, description }: Probe): string => `\`${id}\`: ${description}.`;
