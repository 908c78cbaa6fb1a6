import type { Answer, Exchange } from '../../exchanges/exchange.ts';
import { answerOf, headerValues, statusOf } from '../../exchanges/headers.ts';
import { RATE_HEADERS } from '../../exchanges/rate-headers.ts';
import { ofKey } from '../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { isHtml } from '../model/target-reading.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { TargetLostError } from '../pacing/transport.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { LabelledRequest } from './category-requests.ts';
import { listRequest, unauthenticatedList } from './category-requests.ts';

/** The steps of a probe that looks whether the target has locked out the run. */
export const lockoutSteps = {
  withoutKey: 'list without a key, after an unexpected response',
  withKey: 'list with the key, after an unexpected response',
} as const;

/**
 * Sends a request without a valid key. After an answer that a lockout may give, a list without a key and one with it
 * show whether equal requests are still answered as before. Undefined where the run is locked out, or no request gets a
 * response: then nothing more of the kind may be sent.
 */
export async function sendUnlessLockedOut(
  pacer: Pacer,
  { step, request }: LabelledRequest,
): Promise<Exchange | undefined> {
  if (pacer.isLockedOut) return undefined;
  const exchange = await sent(() => pacer.sendOutsideQuotaAndRetry(step, request));
  if (!mayBeLockout(exchange, request)) return exchange;
  const control = await sent(() =>
    pacer.sendOutsideQuotaAndRetry(lockoutSteps.withoutKey, unauthenticatedList()),
  );
  if ((statusOf(control) !== 401 || !wasKeyTried(pacer, exchange)) && hasQuotaLeft(pacer))
    await sent(() => pacer.sendWithKeyNow(lockoutSteps.withKey, listRequest()));
  return pacer.isLockedOut || (isLost(exchange) && isLost(control)) ? undefined : exchange;
}

/** Whether the key need not be tried, or was after an answer with this status: a lock of the key may reject it in the wrong place, too. */
function wasKeyTried({ session: { exchanges } }: Pacer, exchange: Exchange): boolean {
  if (isLost(exchange)) return true;
  const first = exchanges.find(
    (one) => one.caller === exchange.caller && statusOf(one) === statusOf(exchange),
  );
  return exchanges.some(({ step, n }) => step === lockoutSteps.withKey && n > (first?.n ?? 0));
}

const isLost = (exchange: Exchange): boolean => answerOf(exchange) === undefined;

/** An exchange, also where the transport takes the target for lost after it: everything else is tested, so the run goes on. */
async function sent(send: () => Promise<Exchange>): Promise<Exchange> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof TargetLostError) return error.exchange;
    throw error;
  }
}

/** Statuses by which firewalls and limiters reject whatever comes. */
const REJECTS_ANYTHING: ReadonlySet<number> = new Set([403, 418, 423, 503]);

/** Whether a lockout may answer so; at other paths than the specified one, a router answers much without any. */
function mayBeLockout(exchange: Exchange, { path }: ProbeRequest): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || REJECTS_ANYTHING.has(answer.status)) return true;
  // A 429 with the headers of the service is a limit of the service.
  if (answer.status === 429) return !hasRateHeaders(answer);
  if (path !== '/categories') return answer.status !== 404 && isHtml(answer);
  return answer.status !== 401 && (answer.status >= 400 || isHtml(answer));
}

const hasRateHeaders = ({ headers }: Answer): boolean =>
  RATE_HEADERS.some((name) => headerValues(headers, name).length > 0);

/** Whether one more request with the key can be sent at once and is surely below the limit. */
export function hasQuotaLeft(pacer: Pacer): boolean {
  const last = ofKey(pacer.session.exchanges).at(-1);
  const remaining = last === undefined ? undefined : readingOf(last)?.remaining;
  return !pacer.isRateLimited && !pacer.isKeyStopped && remaining !== 0;
}
