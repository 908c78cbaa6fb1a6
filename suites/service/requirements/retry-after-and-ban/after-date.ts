import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { answerOf } from '../../../../kernel/exchanges/headers.ts';
import { dateHeaderSeconds } from '../../../../kernel/exchanges/http-date.ts';
import { accepted } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import { readRetryAfter } from '../../../../kernel/exchanges/retry-after.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { inconclusive, pass, unproven, warn } from '../../../../kernel/findings/judgement.ts';

/** RETRY-3, whether a request after Retry-After is accepted, and RETRY-4, whether the wait is exact to the second. */
export interface Retried {
  readonly obeyed: Judgement;
  readonly exact: Judgement;
}

/**
 * What the request after a 429 shows whose Retry-After is a date and that has no `Date`, so that the wait in seconds
 * is unknown. A request that is accepted when the date has come, by the `Date` of its own response or by our clock
 * where the target shows none, was not rate-limited again. Nothing speaks against the target here: our clock may
 * differ from its own.
 */
export function afterDate(limited: Exchange, first: Exchange | undefined): Retried | undefined {
  const after = readRetryAfter(answerOf(limited));
  if (after.kind !== 'date' || first === undefined || !accepted(first)) return undefined;
  const clock = dateHeaderSeconds(answerOf(first)) ?? first.sent.wall / 1000;
  if (clock < after.at) return undefined;
  const cited = [limited, first];
  const obeyed = pass(
    `At the date that Retry-After announced, or later, ${exchangeName(first)} was not rate-limited again. The 429 has no Date, so the wait in seconds is unknown.`,
    cited,
  );
  const unknown = `The 429 in ${exchangeName(limited)} has no Date, so how long its Retry-After waits is unknown.`;
  return { obeyed, exact: inconclusive(unknown, cited) };
}

/** Retry-After and Reset are each rounded to a second, in seconds. */
const ROUNDING = 2;

/**
 * What waiting in vain until a date proves: the service writes it, and a gateway may write the Date that it is compared
 * with. Reset is of the service, too: a date before it is wrong by the service's own clock (undefined).
 */
export function byAnotherClock(
  limited: Exchange,
  first: Exchange,
  fact: Fact,
  cited: readonly Exchange[],
): Judgement | undefined {
  const after = readRetryAfter(answerOf(limited));
  const { reset = 0 } = rateHeadersOf(limited);
  if (after.kind !== 'date' || after.at + ROUNDING < reset) return undefined;
  return first.sent.wall / 1000 < after.at
    ? unproven(
        fact,
        'By the clock of the machine that ran the test that date had not come: a gateway may have written the Date that it was compared with.',
        cited,
      )
    : warn(
        {
          ...fact,
          reasoning:
            'The date agrees with Reset, so the clock of the service may be behind, and Date the one of a gateway. Clients that compare the two wait too short.',
        },
        cited,
      );
}
