import type { RequirementId } from '../../../../spec/register.ts';
import { authentication, KEYLESS, withoutValidKey } from './authentication.ts';
import {
  adoptedId,
  CREATIONS,
  categoryFields,
  createdStatus,
  creations,
  INVALID_BODIES,
  invalidBody,
  listEnvelope,
} from './creations.ts';
import { ERROR_BODIES, errorBody, errors } from './errors.ts';
import type { Recognised } from './frameworks.ts';
import {
  contentCoding,
  DATES,
  dateStands,
  dateZone,
  framing,
  gateway,
  MEDIA,
  MESSAGES,
  messages,
  slashRedirect,
} from './messages.ts';
import { LIMITED, limitedBody, limitedHeaders, PRESENCE, rateHeaders, rateLimits } from './rate-limits.ts';
import type { CauseId, Fix, Fixes, Rule } from './rule.ts';

/** Every rule, in the order in which they are tried: a finding belongs to the first cause that it shares with another one. */
export const rules: readonly Rule[] = [
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

const only = (...ids: readonly string[]): ReadonlySet<string> => new Set(ids);

/** The requirements that each cause violates by itself; what else it violates follows from that. */
export const requirementsOfCause: Readonly<Record<CauseId, ReadonlySet<string>>> = {
  'slash-redirect': only('LIST-1', 'CREATE-1'),
  'invalid-body-status': INVALID_BODIES,
  'invalid-body-crash': INVALID_BODIES,
  'absent-body-crash': only('CREATE-8'),
  'invalid-body-accepted': INVALID_BODIES,
  'created-status': CREATIONS,
  'adopted-id': only('CREATE-12'),
  'category-fields': only('CAT-1', 'CAT-2', 'CAT-3'),
  'list-envelope': only('LIST-2'),
  'draft-headers': PRESENCE,
  'near-headers': PRESENCE,
  'rate-limit-headers': PRESENCE,
  'headers-of-errors': PRESENCE,
  'html-error': ERROR_BODIES,
  'text-error': ERROR_BODIES,
  'error-fields': ERROR_BODIES,
  'own-error-fields': ERROR_BODIES,
  'error-types': only('ERR-1', 'ERR-2'),
  'open-access': KEYLESS,
  'scheme-not-required': only('AUTH-4'),
  'key-elsewhere': only('AUTH-4'),
  'loose-key': only('AUTH-3'),
  'unchecked-operations': only('AUTH-5'),
  'unchecked-paths': only('AUTH-1'),
  'validated-before-key': only('AUTH-6'),
  'unauthorized-crash': KEYLESS,
  'unauthorized-status': KEYLESS,
  'limited-headers': LIMITED,
  'limited-body': only('MEDIA-2'),
  'date-zone': DATES,
  'date-stands': only('HTTP-2'),
  framing: MESSAGES,
  gateway: only('HTTP-4'),
  'content-coding': MEDIA,
};

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
