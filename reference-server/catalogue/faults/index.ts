import type { RequirementId } from '../../../spec/register.ts';
import { entry, register } from '../../../spec/register.ts';
import { findEntry } from '../find-entry.ts';
import { authentication } from './authentication.ts';
import { categories } from './categories.ts';
import { createCategory } from './create-category.ts';
import type { Fault, StatedFaults } from './fault.ts';
import { faultOf, isOfBytes } from './fault.ts';
import { limitCounters } from './limit-counters.ts';
import { limitEnforcement } from './limit-enforcement.ts';
import { limitUnseen } from './limit-unseen.ts';
import { limitWindows } from './limit-windows.ts';
import { listCategories } from './list-categories.ts';
import { mediaAndHttp } from './media-and-http.ts';
import { otherSpellings } from './other-spellings.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { rejections } from './rejections.ts';
import { framing } from './response-bytes.ts';
import { retryAfterAndBan } from './retry-after-and-ban.ts';

const stated: readonly Fault[] = [
  mediaAndHttp,
  framing,
  listCategories,
  createCategory,
  categories,
  rejections,
  authentication,
  otherSpellings,
  rateLimitHeaders,
  limitEnforcement,
  limitWindows,
  limitCounters,
  limitUnseen,
  retryAfterAndBan,
]
  .flatMap((some: StatedFaults) => Object.entries(some))
  .map(([id, fault]) => faultOf(id, fault));

/** The requirement under which a fault is listed: the first that it violates. */
const firstOf = ({ breaks, warnings, undecidable }: Fault): RequirementId | undefined =>
  [...breaks, ...warnings][0] ?? undecidable?.requirement;

/** All faults, in the order of the register. */
export const faults: readonly Fault[] = register.flatMap(({ id }) =>
  stated.filter((fault) => firstOf(fault) === id),
);

/** The fault with this id. @throws {UserError} when there is none. */
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
    const first = firstOf(fault);
    const chapter = first === undefined ? '' : entry(first).chapter;
    const visibleIn = isOfBytes(fault) ? 'bytes' : 'responses';
    const because = undecidable?.because;
    return { id, chapter, description, breaks, warnings, undecidable: because, visibleIn, seenIn } as const;
  });

export type FaultEntry = ReturnType<typeof describeFaults>[number];
