import type { RequirementId } from '../../spec/register.ts';
import { entry } from '../../spec/register.ts';
import { findEntry } from '../find-entry.ts';
import { authentication } from './authentication.ts';
import { createCategory } from './create-category.ts';
import type { Fault } from './fault.ts';
import { limitEnforcement } from './limit-enforcement.ts';
import { listCategories } from './list-categories.ts';
import { mediaAndHttp } from './media-and-http.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { remainingAndReset } from './remaining-and-reset.ts';
import { retryAfterAndBan } from './retry-after-and-ban.ts';
import { schemas } from './schemas.ts';
import { versionAndDeprecation } from './version-and-deprecation.ts';

/** The catalogue of faults, in the order of the register. */
export const faults: readonly Fault[] = [
  ...mediaAndHttp,
  ...listCategories,
  ...createCategory,
  ...schemas,
  ...authentication,
  ...rateLimitHeaders,
  ...remainingAndReset,
  ...limitEnforcement,
  ...retryAfterAndBan,
  ...versionAndDeprecation,
];

/**
 * The fault with this id.
 * @throws {UnknownEntryError} when there is none
 */
export function findFault(id: string): Fault {
  return findEntry('fault', faults, id);
}

/** What people want to know of a fault; plain data, one row of the catalogue. */
export interface FaultRow {
  readonly id: string;
  /** The chapter of the register that it belongs to. */
  readonly chapter: string;
  readonly says: string;
  /** What an examination must fail, and of what it must warn. */
  readonly breaks: readonly RequirementId[];
  readonly warns: readonly RequirementId[];
  readonly seen: string;
}

/** The catalogue as rows. */
export function describeFaults(): readonly FaultRow[] {
  return faults.map(({ id, says, breaks, warns = [], seen }) => {
    const [first] = [...breaks, ...warns];
    return { id, chapter: first === undefined ? '' : entry(first).chapter, says, breaks, warns, seen };
  });
}
