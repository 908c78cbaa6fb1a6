import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf } from '../../../exchanges/headers.ts';
import { dateHeaderSeconds } from '../../../exchanges/http-date.ts';
import { accepted } from '../../../exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../../exchanges/retry-after.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { inconclusive, pass } from '../../evidence/judgement.ts';

/** RETRY-3, whether a request after Retry-After is accepted, and RETRY-4, whether the wait is exact to the second. */
export interface Retried {
  readonly obeyed: Judgement;
  readonly exact: Judgement;
}

/**
 * What the request after a 429 shows whose Retry-After is a date and that has
 * no `Date`, so that the wait in seconds is unknown. A request that is accepted
 * when the date has come, by the `Date` of its own response or by our clock
 * where the target shows none, was not rate-limited again. Nothing speaks
 * against the target here: our clock may differ from its own.
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
