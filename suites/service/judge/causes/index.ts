import type { RequirementId } from '../../../../spec/register.ts';
import { authentication, withoutValidKey } from './authentication.ts';
import {
  adoptedId,
  categoryFields,
  createdStatus,
  creations,
  invalidBody,
  listEnvelope,
} from './creations.ts';
import { errorBody, errors } from './errors.ts';
import type { Recognised } from './frameworks.ts';
import {
  contentCoding,
  dateStands,
  dateZone,
  framing,
  gateway,
  messages,
  slashRedirect,
} from './messages.ts';
import { limitedBody, limitedHeaders, rateHeaders, rateLimits } from './rate-limits.ts';
import type { Fix, KnownCause, Rule } from './rule.ts';

const causes = { ...creations, ...errors, ...authentication, ...rateLimits, ...messages };

/** What several findings may have in common, or what shows how to fix a single one. */
export type CauseId = keyof typeof causes;

/** What each cause violates, and how to fix it. A fix is true of the framework as shipped, and never changes a verdict. */
export const CAUSES: Readonly<Record<CauseId, KnownCause>> = causes;

/** Every rule, in the order in which they are tried: a finding belongs to the first cause that it shares with another one. */
export const rules: readonly Rule<CauseId>[] = [
  slashRedirect,
  framing,
  gateway,
  contentCoding,
  invalidBody,
  createdStatus,
  adoptedId,
  categoryFields,
  listEnvelope,
  rateHeaders,
  errorBody,
  withoutValidKey,
  limitedHeaders,
  limitedBody,
  dateZone,
  dateStands,
];

/** How a framework is set right, each by what its responses show. */
export interface FrameworkFix {
  /** Undefined where the fixes are those of any framework. */
  readonly framework: string | undefined;
  readonly fixes: readonly (Fix & Pick<KnownCause, 'where'>)[];
}

/** What may help where this requirement is violated: in any framework first, then each framework once. */
export function frameworkFixesOf(requirement: RequirementId): readonly FrameworkFix[] {
  const byFramework = new Map<string, (Fix & Pick<KnownCause, 'where'>)[]>();
  for (const { violates, where, ...fixes } of Object.values(CAUSES)) {
    if (!violates.includes(requirement)) continue;
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
  const known = CAUSES[cause];
  const own = recognised === undefined ? undefined : known[recognised.framework];
  return own === undefined
    ? known.inGeneral
    : { ...own, text: `Your server looks like ${recognised?.framework}: ${own.text}` };
}
