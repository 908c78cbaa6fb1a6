import type { RequirementId } from '../../spec/register.ts';
import { probes } from '../probes/index.ts';
import { preflight } from '../probes/preflight.ts';
import type { Probe } from '../probes/probe.ts';
import { targetCheck } from '../probes/target-check.ts';
import { unauthenticatedBeforeKey } from '../probes/unauthenticated.ts';
import { observables, requirements } from '../requirements/index.ts';

/** The first probes of every run. */
const FIRST_PROBES = [unauthenticatedBeforeKey, preflight, targetCheck] as const;

/**
 * The probes that these requirements need, in the order of a run. The first
 * probes are always included: they show whether the target is the service, and
 * the count of the quota starts with them.
 */
export function probesFor(ids: ReadonlySet<RequirementId>): readonly Probe[] {
  const needed = new Set(
    [...requirements, ...observables].filter(({ id }) => ids.has(id)).flatMap(({ probes }) => probes),
  );
  if (needed.size > 0) for (const probe of FIRST_PROBES) needed.add(probe);
  return probes.filter((probe) => needed.has(probe));
}
