import { baselineHolds } from './baseline.ts';
import { leavesOutcomeOpen } from './findings.ts';
import type { Selection } from './journal.ts';
import type { Finding, Headline, Outcome, PartialAnswer, RunRecord } from './record.ts';

/**
 * What a record amounts to for a pipeline. `partial`: everything that was selected passed, which is not `conforms`.
 * `accepted`: everything that fails is known. `no-run`: nothing could be tested, because the target, its key or the
 * client is not what the user stated.
 */
export type Gate = Outcome | 'partial' | 'accepted' | 'no-run';

/** The exit code that stands for each; every command and every pipeline reads it here. */
export const GATE_CODES = {
  conforms: 0,
  partial: 0,
  accepted: 0,
  violates: 1,
  'no-run': 2,
  incomplete: 3,
} as const satisfies Record<Gate, number>;

const NO_RUN: readonly (Headline['kind'] | undefined)[] = ['wrong-target', 'key-rejected', 'no-requests'];

/** Whether no run was possible: the headline says why. */
export const isNoRun = ({ headline }: RunRecord): boolean => NO_RUN.includes(headline?.kind);

/** The verdict of a pipeline: what was tested, and with a baseline what differs from it. */
export function gateOf(record: RunRecord): Gate {
  const { outcome, baseline, requirements, selection, partial } = record;
  if (isNoRun(record)) return 'no-run';
  const violates = baseline === undefined ? outcome === 'violates' : !baselineHolds(baseline);
  if (violates) return 'violates';
  if (selection === undefined && outcome !== 'violates') return outcome;
  if (selection === undefined) return requirements.some(leavesOutcomeOpen) ? 'incomplete' : 'accepted';
  return partial === 'inconclusive' || isOpen(requirements, selection) ? 'incomplete' : 'partial';
}

/** The answer of a partial run, as its findings give it. @param lacking what the record of the run lacks, in sentences. */
export function partialAnswer(
  findings: readonly Finding[],
  lacking: readonly string[],
  selection: Selection,
): PartialAnswer {
  if (findings.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return lacking.length > 0 || isOpen(findings, selection) ? 'inconclusive' : 'pass';
}

/** Whether a MUST is inconclusive, or none of the selected requirements was decided, so that no question was answered. */
function isOpen(findings: readonly Finding[], selection: Selection): boolean {
  const selected = findings.filter(({ id }) => selection.requirements.includes(id));
  const isDecided = selected.some(({ verdict }) => DECIDED.includes(verdict));
  return findings.some(leavesOutcomeOpen) || (selected.length > 0 && !isDecided);
}

const DECIDED: readonly Finding['verdict'][] = ['pass', 'warn', 'fail'];
