import { entry } from '../../../spec/register.ts';
import { findEntry } from '../find-entry.ts';
import { authentication, claimedIdentities } from './authentication.ts';
import { schemas, texts, versionAndDeprecation } from './categories.ts';
import { createCategory } from './create-category.ts';
import type { Fault, StatedFaults } from './fault.ts';
import { isOfBytes } from './fault.ts';
import { limitCounters, limitRoutes } from './limit-counters.ts';
import { limitDays, limitEnforcement } from './limit-enforcement.ts';
import { limitOperations } from './limit-operations.ts';
import {
  furtherRequests,
  laterWindows,
  limitUnseen,
  neverRecovers,
  smallBucketFaults,
} from './limit-unseen.ts';
import { limitWindows, unevenWindows, windowEnds } from './limit-windows.ts';
import { listCategories, storedResponses } from './list-categories.ts';
import { mediaAndHttp } from './media-and-http.ts';
import { namedOperations } from './named-operations.ts';
import { otherSpellings } from './other-spellings.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { errors, invalidBodies } from './rejections.ts';
import { remaining } from './remaining.ts';
import { reset } from './reset.ts';
import { framing } from './response-bytes.ts';
import { retryAfterAndBan } from './retry-after-and-ban.ts';

/** In the order of the register. */
const stated: readonly StatedFaults[] = [
  mediaAndHttp,
  framing,
  furtherRequests,
  listCategories,
  createCategory,
  texts,
  invalidBodies,
  schemas,
  errors,
  authentication,
  otherSpellings,
  claimedIdentities,
  namedOperations,
  rateLimitHeaders,
  remaining,
  reset,
  unevenWindows,
  limitEnforcement,
  limitWindows,
  limitCounters,
  smallBucketFaults,
  limitRoutes,
  limitDays,
  limitUnseen,
  storedResponses,
  laterWindows,
  windowEnds,
  limitOperations,
  retryAfterAndBan,
  neverRecovers,
  versionAndDeprecation,
];

/** All faults, in the order of the register. */
export const faults: readonly Fault[] = stated
  .flatMap((some) => Object.entries(some))
  .map(([id, fault]) => ({ id, breaks: [], warnings: [], needs: [], breaksWith: {}, ...fault }));

/** The fault with this id. @throws {UnknownEntryError} when there is none. */
export function findFault(id: string): Fault {
  return findEntry('fault', faults, id);
}

/**
 * All faults as plain data, for `serve --list faults --json` and the documents: with the chapter of the register that each
 * belongs to, and where it is visible: in the responses of the service, or only in their bytes on a socket.
 */
export const describeFaults = () =>
  faults.map((fault) => {
    const { id, description, breaks, warnings, undecidable, seenIn } = fault;
    const [first] = [...breaks, ...warnings, ...(undecidable === undefined ? [] : [undecidable.requirement])];
    const chapter = first === undefined ? '' : entry(first).chapter;
    const visibleIn = isOfBytes(fault) ? 'bytes' : 'responses';
    const because = undecidable?.because;
    return { id, chapter, description, breaks, warnings, undecidable: because, visibleIn, seenIn } as const;
  });

export type FaultEntry = ReturnType<typeof describeFaults>[number];
