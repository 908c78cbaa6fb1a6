import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import type { Edit, SentResponse } from './responses.ts';
import { edited, isList, mapHeader, withBytes } from './responses.ts';

export interface ListCache {
  /** How long a list is stored, as a share of a window. */
  readonly lifetime: number;
  /** What the cache adds to a stored response of this age, in whole seconds. */
  readonly lines: (age: number) => NonNullable<Edit['lines']>;
  /**
   * The `Date` of a stored response: as it was stored, or the present one. Behind the limiter, which counts each request,
   * the cache gives the body alone.
   */
  readonly date: 'stored' | 'present' | 'behind the limiter';
}

/** Answers lists with what the same key received before, for some seconds. */
export function cachingLists({ lifetime, lines, date }: ListCache): Seams {
  return {
    wrapService(handle, { now, plans }) {
      const stored = new Map<string, { readonly response: SentResponse; readonly at: number }>();
      const present = (): string => new Date(now()).toUTCString();
      return (request) => {
        const key = keyOf(request);
        const known = stored.get(key);
        const age = known === undefined ? 0 : now() - known.at;
        const fresh = age < 1000 * lifetime * plans.minuteSeconds ? known?.response : undefined;
        const shown = (response: SentResponse): SentResponse =>
          edited(response, { lines: lines(Math.floor(age / 1000)) });
        if (fresh !== undefined && date === 'stored') return shown(fresh);
        if (fresh !== undefined && date === 'present') return shown(mapHeader(fresh, 'Date', present));
        const outcome = handle(request);
        if (outcome.kind === 'dropped' || !isList(outcome, request)) return outcome;
        if (fresh !== undefined) return shown(withBytes(outcome, fresh.body));
        stored.set(key, { response: outcome, at: now() });
        return outcome;
      };
    },
  };
}

/** The method, the address and the key of a request: no other caller gets what was stored for one. */
const keyOf = (request: Request): string =>
  [request.method, request.target, ...headerValues(request, 'Authorization')].join(' ');
