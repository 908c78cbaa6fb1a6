import { baselineHolds } from './baseline.ts';
import { leavesOutcomeOpen } from './findings.ts';
import type { Gate } from './gate-codes.ts';
import type { Finding, Headline, PartialAnswer, RunRecord } from './record.ts';
import type { Selection } from './tested.ts';

const NO_RUN: readonly (Headline['kind'] | undefined)[] = ['wrong-target', 'key-rejected', 'no-requests'];

/** Whether no run was possible: the headline says why. */
export const isNoRun = ({ headline }: RunRecord): boolean => NO_RUN.includes(headline?.kind);

/** The verdict of a pipeline: what was tested, and with a baseline what differs from it. */
export function gateOf(record: RunRecord): Gate {
  const { outcome, baseline, requirements, selection, partial, lacking = false } = record;
  if (isNoRun(record)) return 'no-run';
  const violates = baseline === undefined ? outcome === 'violates' : !baselineHolds(baseline);
  if (violates) return 'violates';
  if (selection === undefined && outcome !== 'violates') return outcome;
  if (selection === undefined)
    return lacking || requirements.some(leavesOutcomeOpen) ? 'incomplete' : 'accepted';
  return lacking || partial === 'inconclusive' || isOpen(requirements, selection) ? 'incomplete' : 'partial';
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
