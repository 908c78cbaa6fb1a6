import { countOf, quoted, secondsText } from '../../../kernel/basics/text.ts';
import { firstFound } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { announcedWaitSeconds, readRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import type { Retry, RetryOutcome } from '../../../kernel/rate-limits/waits.ts';
import { retryOutcome, waitedOutEvery429 } from '../../../kernel/rate-limits/waits.ts';
import { NON_CONFORMING, whyCauseOpen } from '../attribution.ts';
import type { ScenarioEvidence } from '../evidence.ts';

const NO_429 = 'No 429 came, so there was nothing to wait for.';

export function acceptsAfterRetryAfter(scenario: ScenarioEvidence): Judgement | undefined {
  const wait = scenario.steps.findIndex(({ kind }) => kind === 'await retry-after');
  if (wait === -1) return undefined;
  const limitedExchanges = scenario.exchanges.filter((one) => Number(one.step) < wait && isRateLimited(one));
  const [limited, ...further] = limitedExchanges;
  if (limited === undefined) return inconclusive(NO_429);
  const [first, second] = scenario.exchanges.filter((one) => Number(one.step) > wait);
  return judgeRetry(scenario, { limited: [limited, ...further], first, second });
}

/** The share of its limit that a client which waits for Retry-After gets accepted at the least. */
const GOODPUT_SHARE = 0.9;

export function goodputOfWaitingClient(scenario: ScenarioEvidence): Judgement | undefined {
  const { limits } = scenario;
  const polite = scenario.exchanges.filter(({ probe }) => probe === 'polite');
  const limitedExchanges = polite.filter(isRateLimited);
  if (polite.length === 0) return undefined;
  if (limitedExchanges.length === 0) return inconclusive(NO_429);
  for (const limited of limitedExchanges) {
    const next = polite.indexOf(limited) + 1;
    if (polite[next] === undefined) continue;
    const judged = judgeRetry(scenario, {
      limited: [limited],
      first: polite[next],
      second: polite[next + 1],
    });
    if (judged.verdict === 'fail') return judged;
  }
  const got = polite.filter(accepted).length;
  const dueMs = polite.reduce((sum, one, i) => sum + causedByTargetMs(one, polite[i + 1]), 0);
  const due = Math.floor((GOODPUT_SHARE * limits.perMinute * dueMs) / (limits.minuteSeconds * 1000));
  const share = `90 % of the limit in the ${secondsText(dueMs)} that the target took to respond or announced as waits are ${due}`;
  const text = `${got} requests were accepted, with ${countOf(limitedExchanges.length, 'wait')}; ${share}`;
  if (got >= due) return pass(`${text}.`);
  const nonConforming = limitedExchanges.find((one) => whyCauseOpen(scenario, one) === undefined);
  if (nonConforming !== undefined)
    return fail({
      expected: `at least ${due} accepted requests`,
      received: `${got}, with ${countOf(limitedExchanges.length, 'wait')}`,
      reasoning: `${share}. Request ${nonConforming.n} returned 429: ${NON_CONFORMING}`,
    });
  return inconclusive(`${text}. But a conforming limiter may announce a wait that is longer than necessary.`);
}

/** Retry-After is whole seconds, rounded up. */
const ROUNDING_MS = 1000;

/**
 * How much of the time from one request to the next the target causes: its response time, and the wait that it
 * announces, less what rounding may add. The random backoff is the client's.
 */
function causedByTargetMs(exchange: Exchange, next: Exchange | undefined): number {
  const answerMs = exchange.received.mono - exchange.sent.mono;
  if (next === undefined || !isRateLimited(exchange)) return answerMs;
  const announcedMs = Math.max(0, (announcedWaitSeconds(exchange) ?? 0) * 1000 - ROUNDING_MS);
  return answerMs + Math.min(announcedMs, next.sent.mono - exchange.received.mono);
}

export function noBanOfWaitingClient(scenario: ScenarioEvidence): Judgement | undefined {
  const { key, exchanges } = scenario;
  if (key === 'disposable' || exchanges.length === 0) return undefined;
  const banned = exchanges.find(isKeyRejected);
  const before = banned === undefined ? exchanges : decidedBefore(banned, exchanges);
  const limitedExchanges = before.filter(isRateLimited);
  if (banned === undefined) {
    return limitedExchanges.length === 0
      ? inconclusive(`${NO_429} No ban came either.`)
      : pass(
          `After ${countOf(limitedExchanges.length, '429 response')} the key was still accepted or rate-limited, never rejected.`,
        );
  }
  const text = `request ${banned.n} returned ${statusOf(banned)}`;
  if (!before.some(accepted))
    return inconclusive(`No request was accepted before ${text}: the key may not be valid.`);
  if (scenario.anotherClient !== undefined)
    return inconclusive(`The key may be banned: ${text}. ${scenario.anotherClient}`);
  const excuse = excuseOf(banned, before, limitedExchanges);
  if (excuse !== undefined) return inconclusive(`The key may be banned: ${text}. But the key ${excuse}.`);
  return fail({
    expected: 'no ban of a key that waits for Retry-After',
    received: `${statusOf(banned)} for request ${banned.n} after ${countOf(limitedExchanges.length, '429 response')}, each followed by its wait`,
  });
}

/** Why the target may treat the key as one that keeps sending after a 429, if it may. */
function excuseOf(
  banned: Exchange,
  before: readonly Exchange[],
  limitedExchanges: readonly Exchange[],
): string | undefined {
  if (limitedExchanges.length === 0) return 'had not been rate-limited before';
  if (!waitedOutEvery429([...before, banned])) return 'had not waited for Retry-After';
  return apart([...limitedExchanges, banned])
    ? undefined
    : 'had more than one request under way beyond its limit';
}

/** What the target may have decided before the ban: requests under way at the same time may overtake each other. */
const decidedBefore = (banned: Exchange, all: readonly Exchange[]): readonly Exchange[] =>
  all.filter((one) => !isKeyRejected(one) && one.sent.mono < banned.received.mono);

/** Whether each was sent after the response to the one before: a target cannot know that a client which sends several at once has not seen the first 429. */
function apart(exchanges: readonly Exchange[]): boolean {
  return exchanges.every((one, i) => one.sent.mono >= (exchanges[i - 1]?.received.mono ?? 0));
}

/** What is wrong with the Retry-After of the first of these 429 responses with a wrong one; undefined where none has. */
export const retryAfterProblemIn = (limited: readonly Exchange[]): Fact | undefined =>
  firstFound(limited, retryAfterProblem);

function retryAfterProblem(exchange: Exchange): Fact | undefined {
  const answer = answerOf(exchange);
  const after = readRetryAfter(exchange);
  if (answer !== undefined && after.kind === 'absent')
    return { expected: 'a Retry-After on every 429', received: `none on the 429 of request ${exchange.n}` };
  if (after.kind !== 'malformed') return undefined;
  return {
    expected: 'whole seconds or an HTTP-date in Retry-After',
    received: `${quoted(after.text)} on the 429 of request ${exchange.n}`,
  };
}

function judgeRetry(scenario: ScenarioEvidence, retry: Retry): Judgement {
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
      return accepted(found.first)
        ? pass(
            `Request ${found.first.n} was accepted ${secondsText(found.afterMs)} after the last 429, as Retry-After announced.`,
          )
        : inconclusive(`Request ${found.first.n}, sent after Retry-After, ${statusText(found.first)}.`);
    case 'rate-limited again':
      return judgeLimitedAgain(scenario, found);
  }
}

function judgeOtherUnit(found: RetryOutcome & { readonly kind: 'in another unit' }): Judgement {
  const { limited, unit, first, afterMs, confirmed } = found;
  const text = `Retry-After of request ${limited.n} looks like ${unit.name}; request ${first.n}, sent ${secondsText(afterMs)} after the last 429, ${statusText(first)}`;
  return confirmed
    ? pass(`${text}. Certify says more about the unit (RETRY-2).`)
    : inconclusive(`${text}, but in seconds the wait was not over.`);
}

/** What came in answer to a request, behind its name. */
export const statusText = (exchange: Exchange): string => {
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
    case 'open':
      return inconclusive(
        `${perhaps}, and the next request was not answered, or came before that second wait was over.`,
      );
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
