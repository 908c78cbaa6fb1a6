import type { RequirementId } from '../../spec/register.ts';
import { firstLook } from '../probes/first-look.ts';
import { probes } from '../probes/index.ts';
import type { Probe } from '../probes/probe.ts';
import { observables, requirements } from '../requirements/index.ts';

/**
 * The probes that these requirements need, in the order of a run. The first
 * look always comes with them: it is what every use of the key is counted from.
 */
export function probesFor(ids: ReadonlySet<RequirementId>): readonly Probe[] {
  const needed = new Set(
    [...requirements, ...observables].filter(({ id }) => ids.has(id)).flatMap(({ asks }) => asks),
  );
  if (needed.size > 0) needed.add(firstLook);
  return probes.filter((probe) => needed.has(probe));
}
