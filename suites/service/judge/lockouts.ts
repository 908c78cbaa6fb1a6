import type { Judgement } from '../../../kernel/findings/judgement.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { isLockedOut, lockoutText } from '../evidence/locked-out.ts';
import type { Requirement } from '../evidence/requirement.ts';
import type { Lockout } from '../model/lockout.ts';

/**
 * Says of a judgement that a lockout leaves open what probably caused it and what to do: where it cites such an
 * exchange, and where the run stopped one of its probes.
 */
export function explainedByLockouts(
  evidence: Evidence,
): (requirement: Requirement, found: Judgement) => Judgement {
  const { lockouts } = evidence;
  return (requirement, found) => {
    if (found.verdict !== 'inconclusive') return found;
    const lockout = lockouts.find((one) => leavesOpen(evidence, one, requirement, found));
    return lockout === undefined
      ? found
      : {
          ...found,
          reason: `${found.reason} ${lockoutText(lockout)} To go without it: --skip ${requirement.id}.`,
          exchanges: [...new Set([...found.exchanges, lockout.otherwise, ...lockout.exchanges.slice(0, 1)])],
        };
  };
}

function leavesOpen(
  { run }: Evidence,
  { exchanges: [first], lasts }: Lockout,
  { probes }: Requirement,
  { exchanges }: Judgement,
): boolean {
  if (exchanges.some(isLockedOut)) return true;
  if (first === undefined || !lasts) return false;
  const order = run.probes.map(({ id }) => id);
  const stopped = order.slice(order.indexOf(first.probe));
  return probes.some(({ id }) => stopped.includes(id));
}
