import { medianOfNumbers } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/operation.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { surelyCounts } from '../../../kernel/rate-limits/series/keyed-requests.ts';
import type { Limits } from '../../../spec/plans.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';

/** Which operation exhausts a quota. */
export type ExhaustingOperation =
  | { readonly kind: 'list' }
  | { readonly kind: 'named operation'; readonly path: string }
  | { readonly kind: 'creation' };

/** As many lists as the limit should take no more than this share of a window; the rest is for what else a run sends in it. */
const MOST_OF_A_WINDOW = 1 / 2;

/** Another operation is worth its effect only where it takes at most this share of the time of a list. */
const CHEAPER = 1 / 2;

/**
 * The operation with which a run exhausts a quota, by how long requests took so far: the list, which leaves nothing
 * behind, unless as many lists as the limit do not fit into its window, as where a list has grown to tens of thousands
 * of items. Then one that is quicker and surely counts: a named operation that the target accepts, else a creation. A
 * creation that is rejected may be free.
 */
export function exhaustingOperation(exchanges: readonly Exchange[], limits: Limits): ExhaustingOperation {
  const keyed = exchanges.filter((exchange) => exchange.caller === 'key' && surelyCounts(exchange));
  const quota = minuteQuota(limits);
  const listMs = medianOfNumbers(durations(keyed.filter((one) => isDocumentedOperation(one) && isGet(one))));
  if (Number.isNaN(listMs) || listMs * quota.limit <= MOST_OF_A_WINDOW * quota.windowMs)
    return { kind: 'list' };
  const isCheaper = (those: readonly Exchange[]): boolean =>
    medianOfNumbers(durations(those)) <= CHEAPER * listMs;
  const path = NAMED_OPERATIONS.find((named) =>
    isCheaper(keyed.filter((one) => isGet(one) && one.request.target.endsWith(named))),
  );
  if (path !== undefined) return { kind: 'named operation', path };
  const creations = keyed.filter((one) => isDocumentedOperation(one) && one.request.method === 'POST');
  return isCheaper(creations) ? { kind: 'creation' } : { kind: 'list' };
}

const isGet = ({ request }: Exchange): boolean => request.method === 'GET';

const durations = (exchanges: readonly Exchange[]): readonly number[] =>
  exchanges.map(({ sent, received }) => received.mono - sent.mono);
