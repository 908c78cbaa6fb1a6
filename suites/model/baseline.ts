import { leavesOutcomeOpen } from './findings.ts';
import type { Finding, RunRecord } from './record.ts';

/** A violation that the owner of a target knows and accepts for a time. */
export interface KnownViolation {
  /** An id of the register. */
  readonly id: string;
  /** Why it is accepted for now. */
  readonly reason: string;
  /** Who answers for it: a person or a team. */
  readonly owner: string;
  /** The last day on which it is accepted, as `2027-01-31`, in UTC. */
  readonly expires: string;
}

/** The known violations of a target. */
export interface Baseline {
  readonly violations: readonly KnownViolation[];
}

/** A record compared with a baseline; ids in the order of the register. */
export interface BaselineCheck {
  /** Violations that the baseline knows and that have not expired. */
  readonly known: readonly string[];
  /** Violations that the baseline does not know. */
  readonly unknown: readonly string[];
  /** Violations whose entry expired before the day on which the run began. */
  readonly expired: readonly KnownViolation[];
  /** Entries whose requirement did not fail although it was tested: they have to be removed. */
  readonly stale: readonly string[];
  /** Entries whose requirement was not tested or stayed inconclusive: nothing is known of them. */
  readonly undecided: readonly string[];
}

/**
 * The record with its violations compared with a baseline. Verdicts and outcome stay as they are: a known violation is
 * a violation. The day is that on which the run began, so that judging a journal again says the same. Pure.
 */
export function withBaseline(record: RunRecord, { violations }: Baseline): RunRecord {
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

/**
 * What a record amounts to for a pipeline: its outcome, or with a baseline what differs from it. Where everything
 * that fails is known, the target counts as `accepted`, which is not `conforms`.
 */
export function gateOf({
  outcome,
  baseline,
  requirements,
  selection,
}: RunRecord): RunRecord['outcome'] | 'accepted' {
  if (baseline === undefined) return outcome;
  if (!baselineHolds(baseline)) return 'violates';
  if (outcome !== 'violates') return outcome;
  return selection !== undefined || requirements.some(leavesOutcomeOpen) ? 'incomplete' : 'accepted';
}
