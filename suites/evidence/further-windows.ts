import { secondWindow } from '../probes/second-window.ts';
import { thirdWindow } from '../probes/third-window.ts';
import type { Use } from '../probes/uses.ts';
import type { Evidence } from './evidence.ts';
import { uses } from './uses.ts';

/** The stretches of use of a probe that used more than its baseline request. */
const usesOfProbe = (evidence: Evidence, id: string): readonly Use[] =>
  evidence.fact(uses).filter(({ first, series }) => first.probe === id && series.length > 1);

/** The second window of a thorough run, in which the limit is tested again. */
export const secondUse = (evidence: Evidence): Use | undefined => usesOfProbe(evidence, secondWindow.id)[0];

/** The third window of a thorough run, with requests around its end; more than one where it was repeated. */
export const thirdUses = (evidence: Evidence): readonly Use[] => usesOfProbe(evidence, thirdWindow.id);

/** The further windows of a thorough run, in their order; none in any other. */
export function furtherUses(evidence: Evidence): readonly Use[] {
  const second = secondUse(evidence);
  return [...(second === undefined ? [] : [second]), ...thirdUses(evidence)];
}
