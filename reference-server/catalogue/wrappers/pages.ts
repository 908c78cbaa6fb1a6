import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { isList, onResponse, withItems, withLines } from './responses.ts';

/** How a list is divided into pages. */
export interface Paging {
  /** How many items a page has. */
  readonly size: number;
  /** The reference of the page with this number, as the Link header states it; `/v1/categories?page=N` by default. */
  readonly reference?: (page: number, request: Request) => string;
  /** The first item of the page with this number; by default the pages follow each other without a gap. */
  readonly firstItem?: (page: number) => number;
}

/** Divides the list into pages, with a Link header to the next one (RFC 8288). */
export function inPages({ size, reference = ownReference, firstItem }: Paging): Seams {
  return onResponse(isList, (response, request) => {
    const page = Math.max(1, Number(/[?&]page=(\d+)/.exec(request.target)?.[1] ?? 1));
    const start = firstItem?.(page) ?? (page - 1) * size;
    let more = false;
    const shown = withItems(response, (items) => {
      more = items.length > page * size;
      return items.slice(start, start + size);
    });
    return more ? withLines(shown, ['Link', `<${reference(page + 1, request)}>; rel="next"`]) : shown;
  });
}

const ownReference = (page: number): string => `/v1/categories?page=${page}`;
