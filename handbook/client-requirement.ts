import { clientObservables, clientRequirements } from '../clients/judging/requirements/index.ts';
import type { Scenario } from '../clients/model/scenario.ts';
import type { RequirementId } from '../spec/register.ts';
import type { Judging } from './page.ts';

/** What judges or observes a requirement of clients. */
export function clientRequirementOf(id: RequirementId): Judging {
  const judged = clientRequirements.find((one) => one.id === id);
  if (judged !== undefined) {
    const { needs, whyItMatters, fix } = judged;
    return { evidence: needs.map(scenarioText), whyItMatters, fix };
  }
  return { evidence: clientObservables.find((one) => one.id === id)?.needs.map(scenarioText) ?? [] };
}

const scenarioText = ({ id, description }: Scenario): string => `\`${id}\`: ${description}`;
