import type { RequirementId } from '../../../../../spec/register.ts';
import type { Recognised } from '../frameworks.ts';
import { requirementsOfCause } from '../rules/requirements-of-cause.ts';
import type { CauseId } from '../rules/rule.ts';
import { authentication } from './authentication.ts';
import { creations } from './creations.ts';
import { errors } from './errors.ts';
import type { Fix, Fixes } from './fix.ts';
import { messages } from './messages.ts';
import { rateLimits } from './rate-limits.ts';

/** How to fix each cause. A fix is true of the framework as shipped, and never changes a verdict. */
export const FIXES: Readonly<Record<CauseId, Fixes>> = {
  ...creations,
  ...errors,
  ...authentication,
  ...rateLimits,
  ...messages,
};

/** How a framework is set right, each by what its responses show. */
export interface FrameworkFix {
  /** Undefined where the fixes are those of any framework. */
  readonly framework: string | undefined;
  readonly fixes: readonly (Fix & Pick<Fixes, 'where'>)[];
}

/** What may help where this requirement is violated: in any framework first, then each framework once. */
export function frameworkFixesOf(requirement: RequirementId): readonly FrameworkFix[] {
  const byFramework = new Map<string, (Fix & Pick<Fixes, 'where'>)[]>();
  for (const [cause, { where, ...fixes }] of Object.entries(FIXES)) {
    if (!requirementsOfCause[cause as CauseId].has(requirement)) continue;
    for (const [name, fix] of Object.entries(fixes))
      byFramework.set(name, [...(byFramework.get(name) ?? []), { ...fix, where }]);
  }
  return [...byFramework].map(([name, fixes]) => ({
    framework: name === 'inGeneral' ? undefined : name,
    fixes,
  }));
}

/** How to fix a cause: in the framework that was recognised, else in general. */
export function fixFor(cause: CauseId, recognised: Recognised | undefined): Fix {
  const { inGeneral, where: _, ...inFrameworks } = FIXES[cause];
  const own = recognised === undefined ? undefined : inFrameworks[recognised.framework];
  if (own === undefined || recognised === undefined) return inGeneral;
  return {
    ...own,
    text: `Your server looks like ${recognised.framework}: ${own.text}`,
  };
}
