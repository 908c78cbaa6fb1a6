import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import { createRequest } from './category-requests.ts';
import { exhaustingRequest } from './exhausting-request.ts';
import type { RunInputs } from './probe.ts';
import { exhaustionSteps, remainingQuota } from './quota-batches.ts';
import { nextStoredValue } from './stored-values.ts';

/** A request at the end of the quota, and its step. */
export interface TailRequest {
  readonly step: (typeof exhaustionSteps)['oneByOne' | 'creation'];
  readonly request: ProbeRequest;
}

/**
 * The next request of the end of the quota, over a new connection. Lists and creations alternate, so that both are
 * accepted before the end, and the request beyond the limit is a creation: with Remaining 0 it is a creation's turn.
 * If that is accepted, too, a list follows, and so on. Only lists, where creations show nothing about the limit.
 */
export function nextOfTail(pacer: Pacer, inputs: RunInputs, current: readonly Exchange[]): TailRequest {
  const isTurn = remainingQuota(current, pacer.limits.perMinute) % 2 === 0;
  const afterCreation = current.at(-1)?.step === exhaustionSteps.creation;
  const works = creationsWork(pacer.session.exchanges);
  const asCreation = (request: ProbeRequest): TailRequest => ({ step: exhaustionSteps.creation, request });
  if (isTurn && !afterCreation && works) return asCreation(tailCreation(pacer, inputs));
  const request = exhaustingRequest(pacer, inputs, { route: 'new' });
  if (request.method === 'POST') return asCreation(works ? tailCreation(pacer, inputs) : request);
  return { step: exhaustionSteps.oneByOne, request };
}

/** A creation like those that the target accepted, with the next value of real data. */
const tailCreation = (pacer: Pacer, inputs: RunInputs): ProbeRequest =>
  createRequest(nextStoredValue(pacer, inputs), { route: 'new' });

/** Whether the target created a category in this run, and no creation at the end of the quota was without effect. */
const creationsWork = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((one) => one.request.method === 'POST' && statusOf(one) === 201) &&
  !exchanges.some(isOpenCreation);

/** Whether the service itself responded: the response was not lost, and does not come from a gateway alone. */
export const isConclusive = (exchange: Exchange): boolean =>
  statusOf(exchange) !== undefined && !unavailable(exchange);

/**
 * Whether this is a creation at the end of the quota that the service answered
 * neither 201 nor 429: it shows nothing about the limit, because the specification
 * does not show which names a target accepts, nor how many categories it stores.
 */
export const isOpenCreation = (exchange: Exchange): boolean =>
  exchange.step === exhaustionSteps.creation &&
  isConclusive(exchange) &&
  statusOf(exchange) !== 201 &&
  !isRateLimited(exchange);

/** How many of so many requests at the end of the quota, all of them within the limit, are creations. */
export const creationsWithin = (requests: number): number => Math.floor(requests / 2);

/** Why a run sends no more after this response, as a sentence of its journal. */
export function unexpectedText(exchange: Exchange): string {
  const status = statusOf(exchange);
  const what = status === undefined ? 'got no response' : `returned ${status}`;
  return `Exchange ${exchange.n} ${what}, which is neither a success nor 429, so the run sent no more.`;
}
