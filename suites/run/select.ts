import type { RequirementId } from '../../spec/register.ts';
import { probes } from '../probes/index.ts';
import { preflight } from '../probes/preflight.ts';
import type { Probe } from '../probes/probe.ts';
import { targetCheck } from '../probes/target-check.ts';
import { unauthenticatedBeforeKey } from '../probes/unauthenticated.ts';
import { observables, requirements } from '../requirements/index.ts';

/** What every run begins with. */
const FIRST = [unauthenticatedBeforeKey, preflight, targetCheck] as const;

/**
 * The probes that these requirements need, in the order of a run. The first
 * requests always come with them: they show whether the target is the service,
 * and every use of the key is counted from them.
 */
export function probesFor(ids: ReadonlySet<RequirementId>): readonly Probe[] {
  const needed = new Set(
    [...requirements, ...observables].filter(({ id }) => ids.has(id)).flatMap(({ probes }) => probes),
  );
  if (needed.size > 0) for (const probe of FIRST) needed.add(probe);
  return probes.filter((probe) => needed.has(probe));
}
