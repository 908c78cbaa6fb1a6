import type { BaselineCheck, Finding, KnownViolation, RunRecord } from './record.ts';

/** The known violations of a target. */
export interface Baseline {
  readonly violations: readonly KnownViolation[];
}

/**
 * The record with its violations compared with a baseline. Verdicts and outcome stay as they are: a known violation is
 * a violation. The day is that on which the run began, so that judging a journal again says the same. Pure.
 */
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

/** Whether every violation is known, and no entry is expired or stale. */
export const baselineHolds = ({ unknown, expired, stale }: BaselineCheck): boolean =>
  unknown.length + expired.length + stale.length === 0;
