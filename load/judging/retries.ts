import { countOf, quoted, secondsText } from '../../kernel/basics/text.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../kernel/exchanges/headers.ts';
import { accepted } from '../../kernel/exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../kernel/exchanges/retry-after.ts';
import type { Fact } from '../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../kernel/findings/judgement.ts';
import type { Retry, RetryOutcome } from '../../kernel/rate-limits/retries.ts';
import { retryOutcome } from '../../kernel/rate-limits/retries.ts';
import type { ScenarioEvidence } from './evidence.ts';

/** What is wrong with the Retry-After of a 429; undefined where nothing is. */
export function retryAfterProblem(exchange: Exchange): Fact | undefined {
  const answer = answerOf(exchange);
  const after = readRetryAfter(answer);
  if (answer !== undefined && after.kind === 'absent')
    return { expected: 'a Retry-After on every 429', received: `none on that of request ${exchange.n}` };
  if (after.kind !== 'malformed') return undefined;
  return {
    expected: 'whole seconds or an HTTP-date in Retry-After',
    received: `${quoted(after.text)} on that of request ${exchange.n}`,
  };
}

/** Whether a request is accepted after Retry-After. */
export function judgeRetry(scenario: ScenarioEvidence, retry: Retry): Judgement {
  const found = retryOutcome(retry);
  switch (found.kind) {
    case 'no usable Retry-After':
      return inconclusive(`The 429 of request ${found.limited.n} has no usable Retry-After to wait for.`);
    case 'not retried':
      return inconclusive('Nothing was sent after Retry-After had passed.');
    case 'retried too early':
      return inconclusive(`Request ${found.first.n} was sent before Retry-After had passed.`);
    case 'in another unit':
      return judgeOtherUnit(found);
    case 'not rate-limited':
      return judgeAccepted(found);
    case 'rate-limited again':
      return judgeLimitedAgain(scenario, found);
  }
}

function judgeOtherUnit({
  limited,
  unit,
  first,
  afterMs,
  result,
}: RetryOutcome & { readonly kind: 'in another unit' }): Judgement {
  const text = `Retry-After of request ${limited.n} looks like ${unit.name}; request ${first.n}, sent ${secondsText(afterMs)} after the last 429, ${statusText(first)}`;
  switch (result) {
    case 'accepted':
      return pass(`${text}. Certify says more about the unit (RETRY-2).`);
    case 'not accepted':
      return inconclusive(`${text}, but in seconds the wait was not over.`);
    case 'too early':
      return inconclusive(`${text}, before the wait was over in that unit.`);
  }
}

function judgeAccepted({ first, afterMs }: RetryOutcome & { readonly kind: 'not rate-limited' }): Judgement {
  return accepted(first)
    ? pass(
        `Request ${first.n} was accepted ${secondsText(afterMs)} after the last 429, as Retry-After announced.`,
      )
    : inconclusive(`Request ${first.n}, sent after Retry-After, ${statusText(first)}.`);
}

const statusText = (exchange: Exchange): string => {
  const status = statusOf(exchange);
  return status === undefined ? 'got no response' : `returned ${status}`;
};

function judgeLimitedAgain(
  scenario: ScenarioEvidence,
  found: RetryOutcome & { readonly kind: 'rate-limited again' },
): Judgement {
  const { first, afterMs } = found;
  const text = `request ${first.n}, sent ${secondsText(afterMs)} after the last 429 as Retry-After announced, returned 429 again`;
  const perhaps = `Retry-After may be too short: ${text}`;
  if (scenario.anotherClient !== undefined) return inconclusive(`${perhaps}. ${scenario.anotherClient}`);
  switch (found.result) {
    case 'not retried':
    case 'no response':
      return inconclusive(`${perhaps}, and no other response came.`);
    case 'too early':
      return inconclusive(`${perhaps}; request ${found.second.n} was sent before the second wait was over.`);
    case 'not rate-limited':
      return inconclusive(
        `Retry-After was too short by one wait: ${text}; request ${found.second.n} after it was not. It may have been rounded down.`,
      );
    case 'rate-limited twice':
      return fail({
        expected: 'no 429 after Retry-After',
        received: `a 429 for request ${first.n}, sent ${secondsText(afterMs)} after the last 429 as announced, and for request ${found.second.n} after its own wait of ${countOf(found.waitSeconds, 'second')}`,
      });
  }
}
