import type { RequirementId } from './register.ts';

/** Something that a conforming service may be certified for besides the core, because it needs more than one key. */
export interface FurtherLevel {
  readonly name: string;
  /** Its MUST requirements; all others that `certify` judges are the core. */
  readonly requirements: readonly RequirementId[];
}

/** The level that every certificate has: each MUST that one key can test. */
export const CORE = 'core';

/** The further levels, in the order in which a result names them: `core + isolation + day`. */
export const furtherLevels: readonly FurtherLevel[] = [
  { name: 'isolation', requirements: ['LIMIT-7'] },
  { name: 'day', requirements: ['LIMIT-9'] },
  { name: 'bans', requirements: ['BAN-1', 'BAN-2'] },
  { name: 'openapi', requirements: ['VER-2'] },
];

/**
 * What no level requires although a reader may expect it, and why: the specification leaves it open, so that a
 * violation of the stricter reading warns.
 */
export const NOT_REQUIRED: readonly { readonly id: RequirementId; readonly why: string }[] = [
  {
    id: 'CREATE-11',
    why: 'the specification shows no uniqueness rule, so no level requires that ids differ.',
  },
];
