import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { ofKey } from '../../../kernel/rate-limits/series.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { listRequest } from './category-requests.ts';
import { exhaustQuota, sendPastLimit } from './exhaust-quota.ts';
import { preflight, startAfterTwoWindows } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import { drawn } from './probe.ts';

/** Responses in a row that say that the service is unavailable: a single one may be an accident of a gateway. */
export const UNAVAILABLE_IN_A_ROW = 3;

/** For how many intervals of the plan's rate the key rests at the end of each of the two rounds: a bucket gives as many requests back. */
const RESTS = [4, 8] as const;

/** A gateway may limit so, and an outage looks the same once. A limit shows again after as many requests. */
export const unavailableAgain = {
  id: 'unavailable-again',
  description: 'the end of the quota again, where it was 502, 503 or 504 and no 429',
  steps: {
    ...preflight.steps,
    ...exhaustQuota.steps,
    afterRest: 'after a short rest, where the service was unavailable',
  },
  async run(pacer, inputs) {
    if (!endedUnavailable(pacer)) return;
    for (const [round, rest] of RESTS.entries()) {
      if (!(await sendRound(pacer, inputs, round, rest))) return;
    }
  },
} as const satisfies Probe;

/** Whether the responses to the last requests that exhausted the quota had such a status, and no request with the key got a 429. */
function endedUnavailable({ session, isKeyStopped }: Pacer): boolean {
  const keyed = ofKey(session.exchanges);
  const exhausting = keyed.filter(({ probe }) => probe === exhaustQuota.id || probe === unavailableAgain.id);
  return !isKeyStopped && !keyed.some(isRateLimited) && endsUnavailable(exhausting);
}

export const endsUnavailable = (exchanges: readonly Exchange[]): boolean =>
  exchanges.slice(-UNAVAILABLE_IN_A_ROW).filter(unavailable).length === UNAVAILABLE_IN_A_ROW;

/** Sends one round; false where a further one would show nothing more. */
async function sendRound(pacer: Pacer, inputs: RunInputs, round: number, rest: number): Promise<boolean> {
  const { minuteSeconds, perMinute } = pacer.limits;
  const because = 'the service was unavailable at the end of the quota; a limit ends again at the same point';
  await pacer.session.wait((drawn(inputs.tag, round + 1, 8) / 8) * minuteSeconds, because);
  if (!(await startAfterTwoWindows(pacer, because))) return false;
  await sendPastLimit(pacer, inputs);
  if (!endedUnavailable(pacer)) return false;
  await pacer.session.wait(
    ((rest + 1 / 2) * minuteSeconds) / perMinute,
    'a bucket gives back as many requests in this time as the rate of the plan does',
  );
  for (let sent = 0; sent < 2 * rest + UNAVAILABLE_IN_A_ROW; sent += 1) {
    if (
      unavailable(await pacer.sendWithKeyNow(unavailableAgain.steps.afterRest, listRequest({ route: 'new' })))
    )
      break;
  }
  return true;
}
