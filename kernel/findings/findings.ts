import type { Finding, Outcome } from './record.ts';
import type { Selection } from './tested.ts';

/** Whether a finding leaves the outcome open: a MUST that is inconclusive, so that the target is never called conforming. */
export const leavesOutcomeOpen = ({ level, verdict }: Pick<Finding, 'level' | 'verdict'>): boolean =>
  level === 'MUST' && verdict === 'inconclusive';

/**
 * The verdict on the target as a whole. Neither a partial run nor one of which something is missing shows that it
 * conforms.
 * @param lacking what the record of the run lacks, in sentences.
 */
export function outcomeOf(
  findings: readonly Finding[],
  lacking: readonly string[],
  selection?: Selection,
): Outcome {
  if (findings.some(({ verdict }) => verdict === 'fail')) return 'violates';
  if (selection !== undefined || lacking.length > 0) return 'incomplete';
  return findings.some(leavesOutcomeOpen) ? 'incomplete' : 'conforms';
}

/** How to fix a finding, where the finding itself says so. */
export const ownFixOf = (finding: Finding): string | undefined =>
  'fix' in finding ? finding.fix : undefined;

/** The command that repeats a finding, where there is one. */
export const repeatOf = (finding: Finding): string | undefined =>
  'repeat' in finding ? finding.repeat : undefined;

/** Whether a baseline accepts this violation. */
export const isKnown = (finding: Finding): boolean =>
  finding.verdict === 'fail' && finding.known !== undefined;
