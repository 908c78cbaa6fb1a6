import { greatest } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../exchanges/retry-after.ts';
import { countOf, quoted, secondsText } from '../../words/text.ts';
import type { ScenarioEvidence } from './evidence.ts';
import type { LoadJudgement } from './expectation.ts';
import { fail, inconclusive, pass } from './expectation.ts';

/** What Retry-After of a 429 asks for, in seconds; undefined where it is absent or unusable. */
export function askedSeconds(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const after = answer === undefined ? undefined : readRetryAfter(answer);
  return after?.kind === 'seconds' || after?.kind === 'date' ? after.seconds : undefined;
}

/** What is wrong with the Retry-After of a 429, in one sentence; undefined where nothing is. */
export function retryAfterProblem(exchange: Exchange): string | undefined {
  const answer = answerOf(exchange);
  const after = answer === undefined ? undefined : readRetryAfter(answer);
  if (after?.kind === 'absent')
    return `Expected a Retry-After on every 429, but that of request ${exchange.n} has none.`;
  if (after?.kind !== 'malformed') return undefined;
  return `Expected whole seconds or an HTTP-date, but Retry-After of request ${exchange.n} is ${quoted(after.text)}.`;
}

/** When the wait that a 429 asks for is over, milliseconds on our clock. */
function askedUntil(limited: Exchange): number | undefined {
  const asked = askedSeconds(limited);
  return asked === undefined ? undefined : limited.received.mono + asked * 1000;
}

/** What was refused, and the two requests after that. */
export interface Retry {
  /** Every 429 whose wait was waited out. */
  readonly limitedExchanges: readonly Exchange[];
  readonly first: Exchange | undefined;
  readonly second: Exchange | undefined;
}

/**
 * Whether Retry-After told the truth. One more refusal may be what was rounded
 * down, or the memory of a sliding counter; two of them, each after its own
 * wait, are nobody's rounding.
 */
export function judgeRetry(
  scenario: ScenarioEvidence,
  { limitedExchanges, first, second }: Retry,
): LoadJudgement {
  const waits = limitedExchanges.map(askedUntil);
  const until = waits.includes(undefined) ? undefined : greatest(waits.map((wait) => wait ?? 0));
  if (until === undefined) return inconclusive('A 429 has no usable Retry-After to wait for.');
  if (first === undefined) return inconclusive('Nothing was sent after Retry-After had passed.');
  if (first.sent.mono < until)
    return inconclusive(`Request ${first.n} was sent before Retry-After had passed.`);
  const waited = secondsText(
    first.sent.mono - greatest(limitedExchanges.map(({ received }) => received.mono)),
  );
  if (accepted(first))
    return pass(`Request ${first.n} was accepted ${waited} after the last 429, as Retry-After asked.`);
  if (!isRateLimited(first)) {
    const status = statusOf(first);
    const what = status === undefined ? 'got no answer' : `was answered ${status}`;
    return inconclusive(`Request ${first.n}, sent after Retry-After, ${what}.`);
  }
  const text = `request ${first.n}, sent ${waited} after the last 429 as Retry-After asked, was answered 429 again`;
  if (scenario.disturbance !== undefined)
    return inconclusive(`Perhaps too short: ${text}. ${scenario.disturbance}`);
  return judgeSecond(first, second, text);
}

function judgeSecond(first: Exchange, second: Exchange | undefined, text: string): LoadJudgement {
  if (second === undefined || statusOf(second) === undefined)
    return inconclusive(`Perhaps too short: ${text}, and was not tried once more.`);
  const again = Math.max(askedSeconds(first) ?? 1, 1);
  if (!isRateLimited(second))
    return inconclusive(
      `Too short by one wait: ${text}; request ${second.n} after it was not. It may have been rounded down.`,
    );
  if (second.sent.mono < first.received.mono + again * 1000)
    return inconclusive(
      `Perhaps too short: ${text}; request ${second.n} was sent before the second wait had passed.`,
    );
  return fail(
    `Expected no refusal after Retry-After, but ${text}, and so was request ${second.n} after its own wait of ${countOf(again, 'second')}.`,
  );
}

/** Whether a key did all that is asked of it: nothing was sent between a 429 and the end of its wait. */
export function keptToRetryAfter(exchanges: readonly Exchange[]): boolean {
  return exchanges.filter(isRateLimited).every((limited) => {
    const until = askedUntil(limited) ?? limited.received.mono;
    return exchanges.every(({ sent }) => sent.mono < limited.received.mono || sent.mono >= until);
  });
}
