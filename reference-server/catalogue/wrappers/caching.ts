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
  /** The `Date` of a stored response: as it was stored, or the present one. */
  readonly date: 'stored' | 'present';
}

/** Answers lists with what the same key received before, for some seconds; the request then reaches neither limiter nor service. */
export function cachingLists({ lifetime, lines, date }: ListCache): Seams {
  return {
    wrapService(handle, { now, plans }) {
      const shown = (response: SentResponse, ageMs: number): SentResponse => {
        const present = new Date(now()).toUTCString();
        const dated = date === 'stored' ? response : mapHeader(response, 'Date', () => present);
        return edited(dated, { lines: lines(Math.floor(ageMs / 1000)) });
      };
      const stored = new Map<string, { readonly response: SentResponse; readonly at: number }>();
      return (request) => {
        const key = keyOf(request);
        const known = stored.get(key);
        if (known !== undefined && now() - known.at < 1000 * lifetime * plans.minuteSeconds)
          return shown(known.response, now() - known.at);
        const outcome = handle(request);
        if (outcome.kind === 'response' && isList(outcome, request))
          stored.set(key, { response: outcome, at: now() });
        return outcome;
      };
    },
  };
}

/** Answers lists with the body that the same key received before, for some seconds; limiter and service see each request. */
export function cachingBodies({ lifetime, lines }: Omit<ListCache, 'date'>): Seams {
  return {
    wrapService(handle, { now, plans }) {
      const stored = new Map<string, { readonly response: SentResponse; readonly at: number }>();
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind === 'dropped' || !isList(outcome, request)) return outcome;
        const key = keyOf(request);
        const known = stored.get(key);
        const age = known === undefined ? 0 : now() - known.at;
        if (known === undefined || age >= 1000 * lifetime * plans.minuteSeconds) {
          stored.set(key, { response: outcome, at: now() });
          return outcome;
        }
        return edited(withBytes(outcome, known.response.body), { lines: lines(Math.floor(age / 1000)) });
      };
    },
  };
}

/** The method, the address and the key of a request: no other caller gets what was stored for one. */
const keyOf = (request: Request): string =>
  [request.method, request.target, ...headerValues(request, 'Authorization')].join(' ');
