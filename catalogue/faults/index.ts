import type { RequirementId } from '../../spec/register.ts';
import { entry } from '../../spec/register.ts';
import { findEntry } from '../find-entry.ts';
import { authentication } from './authentication.ts';
import { createCategory } from './create-category.ts';
import { encodings } from './encodings.ts';
import { errors } from './errors.ts';
import type { Fault } from './fault.ts';
import { framing } from './framing.ts';
import { headLines } from './head-lines.ts';
import { invalidBodies } from './invalid-bodies.ts';
import { limitCounters } from './limit-counters.ts';
import { limitDays } from './limit-days.ts';
import { limitEnforcement } from './limit-enforcement.ts';
import { limitRoutes } from './limit-routes.ts';
import { limitUnseen } from './limit-unseen.ts';
import { limitWindows } from './limit-windows.ts';
import { listCategories } from './list-categories.ts';
import { mediaAndHttp } from './media-and-http.ts';
import { neverRecovers } from './never-recovers.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { remaining } from './remaining.ts';
import { remainingByKind } from './remaining-by-kind.ts';
import { reset } from './reset.ts';
import { retryAfterAndBan } from './retry-after-and-ban.ts';
import { schemas } from './schemas.ts';
import { texts } from './texts.ts';
import { versionAndDeprecation } from './version-and-deprecation.ts';

/** The catalogue of faults, in the order of the register. */
export const faults: readonly Fault[] = [
  ...mediaAndHttp,
  ...encodings,
  ...framing,
  ...headLines,
  ...listCategories,
  ...createCategory,
  ...texts,
  ...invalidBodies,
  ...schemas,
  ...errors,
  ...authentication,
  ...rateLimitHeaders,
  ...remaining,
  ...remainingByKind,
  ...reset,
  ...limitEnforcement,
  ...limitWindows,
  ...limitCounters,
  ...limitRoutes,
  ...limitDays,
  ...limitUnseen,
  ...retryAfterAndBan,
  ...neverRecovers,
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
  /** Why no sound examination can find it; undefined where one can. */
  readonly undecidable: string | undefined;
  /** What carries it: the service's answers, or their bytes on a socket. */
  readonly carriedBy: 'answers' | 'bytes';
  readonly seen: string;
}

/** The catalogue as rows. */
export function describeFaults(): readonly FaultRow[] {
  return faults.map(({ id, kind, says, breaks, warns = [], undecidable, seen }) => {
    const [first] = [...breaks, ...warns, ...(undecidable === undefined ? [] : [undecidable.about])];
    const chapter = first === undefined ? '' : entry(first).chapter;
    const carriedBy = kind === 'bytes' ? 'bytes' : 'answers';
    return { id, chapter, says, breaks, warns, undecidable: undecidable?.because, carriedBy, seen };
  });
}
