import { leavesOutcomeOpen } from './finding.ts';
import type { Gate } from './gate-codes.ts';
import type { BaselineCheck, Finding, KnownViolation, PartialAnswer, RunRecord } from './record.ts';
import type { Selection } from './tested.ts';

export interface Baseline {
  readonly violations: readonly KnownViolation[];
}

/** Verdicts and outcome stay: a known violation is a violation. The day is that on which the run began, so that judging again says the same. */
export function withBaseline<R extends RunRecord>(record: R, { violations }: Baseline): R {
  const day = record.startedAt.slice(0, 10);
  const entries = new Map(violations.map((entry) => [entry.id, entry]));
  const failing = record.requirements.filter(({ verdict }) => verdict === 'fail');
  const isValid = ({ id }: Finding): boolean => (entries.get(id)?.expires ?? '') >= day;
  const others = record.requirements.filter(({ id, verdict }) => entries.has(id) && verdict !== 'fail');
  const isTested = ({ verdict }: Finding): boolean => verdict === 'pass' || verdict === 'warn';
  const baseline: BaselineCheck = {
    known: idsOf(failing.filter(isValid)),
    unknown: idsOf(failing.filter(({ id }) => !entries.has(id))),
    expired: failing.flatMap((one) => (isValid(one) ? [] : (entries.get(one.id) ?? []))),
    stale: idsOf(others.filter(isTested)),
    undecided: idsOf(others.filter((one) => !isTested(one))),
  };
  const known = (finding: Finding): Finding => {
    const entry = entries.get(finding.id);
    if (entry === undefined || finding.verdict !== 'fail' || !isValid(finding)) return finding;
    const { reason, owner, expires } = entry;
    return { ...finding, known: { reason, owner, expires } };
  };
  return { ...record, baseline, requirements: record.requirements.map(known) };
}

const idsOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ id }) => id);

/** Whether no run was possible: the headline says why. */
export const isNoRun = ({ headline }: RunRecord): boolean =>
  ['wrong-target', 'key-rejected', 'no-requests'].some((kind) => kind === headline?.kind);

/** The verdict of a pipeline: what was tested, and with a baseline what differs from it. */
export function gateOf(record: RunRecord): Gate {
  const { outcome, baseline, requirements, selection, partial, lacking = false } = record;
  if (isNoRun(record)) return 'no-run';
  const violates =
    baseline === undefined
      ? outcome === 'violates'
      : baseline.unknown.length + baseline.expired.length + baseline.stale.length > 0;
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
  const isDecided = selected.some(({ verdict }) => ['pass', 'warn', 'fail'].includes(verdict));
  return findings.some(leavesOutcomeOpen) || (selected.length > 0 && !isDecided);
}
