import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { hasRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { ofKey, readingOf } from '../../../kernel/rate-limits/series.ts';
import { isHtml } from '../model/target-reading.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { TargetLostError } from '../pacing/transport.ts';
import type { Credential, InvalidCredential } from '../wire/keyring.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { LabelledRequest } from './category-requests.ts';
import { listRequest, unauthenticatedList } from './category-requests.ts';

/** The steps of a probe that looks whether the target has locked out the run. */
export const lockoutSteps = {
  withoutKey: 'list without a valid key, after an unexpected response',
  withKey: 'list with the key, after an unexpected response',
} as const;

/** Lists without a valid key and with the key show whether a lockout answered. Undefined where one did: nothing more may be sent. */
export async function sendUnlessLockedOut(
  pacer: Pacer,
  [step, request]: LabelledRequest,
): Promise<Exchange | undefined> {
  if (pacer.isLockedOut) return undefined;
  const exchange = await sent(() => pacer.sendOutsideQuotaAndRetry(step, request));
  if (!mayBeLockout(pacer, exchange, request)) return exchange;
  const earlier = unauthenticatedList(answeredBefore(pacer, request.credential.kind));
  const again = () => sent(() => pacer.sendOutsideQuotaAndRetry(lockoutSteps.withoutKey, earlier));
  const first = await again();
  const control = isLost(first) && !isLost(exchange) ? await again() : first;
  if ((statusOf(control) !== 401 || !wasKeyTried(pacer, exchange)) && hasQuotaLeft(pacer))
    await sent(() => pacer.sendWithKeyNow(lockoutSteps.withKey, listRequest()));
  return pacer.isLockedOut || (isLost(exchange) && isLost(control)) ? undefined : exchange;
}

/** Tokens that may be locked out with each other, and not with requests that have none; the last one sent first. */
const TOKENS = [
  'key with other last characters',
  'key with one character more',
  'key without its last character',
  'unknown key',
] as const satisfies readonly InvalidCredential[];

/** The credential most like this one whose list returned 401. */
function answeredBefore({ session }: Pacer, kind: Credential['kind']): InvalidCredential {
  const known = new Set(session.exchanges.filter((one) => statusOf(one) === 401).map((one) => one.step));
  const like = kind === 'none' ? undefined : [kind, ...TOKENS].find((one) => known.has(one));
  return (like as InvalidCredential | undefined) ?? 'none';
}

/** Whether the key need not be tried, or was after an answer with this status: a lock of the key may reject it in the wrong place, too. */
function wasKeyTried({ session: { exchanges } }: Pacer, exchange: Exchange): boolean {
  if (isLost(exchange)) return true;
  const isSame = (one: Exchange): boolean =>
    one.caller === exchange.caller && statusOf(one) === statusOf(exchange);
  const first = exchanges.find(isSame) ?? exchange;
  return exchanges.some((one) => one.step === lockoutSteps.withKey && !isLost(one) && one.n > first.n);
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
function mayBeLockout({ session }: Pacer, exchange: Exchange, { path }: ProbeRequest): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || REJECTS_ANYTHING.has(answer.status)) return true;
  // With the headers of the service, a 429 is a limit of the service and a 401 what is expected.
  if (answer.status === 429) return !hasRateHeaders(exchange);
  if (answer.status === 401)
    return (
      !hasRateHeaders(exchange) &&
      session.exchanges.some((one) => statusOf(one) === 401 && hasRateHeaders(one))
    );
  if (path !== '/categories') return answer.status !== 404 && isHtml(exchange);
  return answer.status >= 400 || isHtml(exchange);
}

/** Whether one more request with the key can be sent at once and is surely below the limit. */
export function hasQuotaLeft(pacer: Pacer): boolean {
  const last = ofKey(pacer.session.exchanges).slice(-1);
  const isExhausted = last.some((one) => readingOf(one)?.remaining === 0);
  return !pacer.isRateLimited && !pacer.isKeyStopped && !isExhausted;
}
