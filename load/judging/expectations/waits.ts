import type { Exchange } from '../../../exchanges/exchange.ts';
import { statusOf } from '../../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count, seconds } from '../../../suites/evidence/quote.ts';
import { attribute } from '../attribution.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeScenarios, pass } from '../expectation.ts';
import { askedSeconds, judgeRetry, keptToRetryAfter } from '../retried.ts';

const NO_REFUSAL = 'No 429 came, so there was nothing to wait for.';

export const recovery: Expectation = {
  id: 'RECOVERY',
  expects: 'A request after Retry-After is accepted.',
  rests: 'on every request',
  judge: ({ scenarios }) =>
    judgeScenarios(
      scenarios.filter(({ steps }) => steps.some(({ kind }) => kind === 'await retry-after')),
      judgeRecovery,
      'No key waited for anything.',
    ),
};

function judgeRecovery(scenario: ScenarioEvidence): LoadJudgement | undefined {
  const wait = scenario.steps.findIndex(({ kind }) => kind === 'await retry-after');
  const limitedExchanges = scenario.exchanges.filter((one) => Number(one.step) < wait && isRateLimited(one));
  if (limitedExchanges.length === 0) return inconclusive(NO_REFUSAL);
  const [first, second] = scenario.exchanges.filter((one) => Number(one.step) > wait);
  return judgeRetry(scenario, { limitedExchanges, first, second });
}

/** What of its limit a client that waits as told gets through at the least. */
const GOODPUT_SHARE = 0.9;

export const goodput: Expectation = {
  id: 'GOODPUT',
  expects:
    'A client that waits as announced gets nine tenths of its limit through, and each wait is followed by an accepted request.',
  rests: 'on every request',
  judge: ({ scenarios, limits }) =>
    judgeScenarios(
      scenarios.filter(({ steps }) => steps.some(({ kind }) => kind === 'polite')),
      (scenario) => judgeGoodput(scenario, limits),
      'No key waited as it was told.',
    ),
};

function judgeGoodput(scenario: ScenarioEvidence, limits: Limits): LoadJudgement | undefined {
  const polite = scenario.exchanges.filter(({ probe }) => probe === 'polite');
  const limitedExchanges = polite.filter(isRateLimited);
  if (polite.length === 0) return undefined;
  if (limitedExchanges.length === 0) return inconclusive(NO_REFUSAL);
  for (const limited of limitedExchanges) {
    const next = polite.indexOf(limited) + 1;
    if (polite[next] === undefined) continue;
    const judged = judgeRetry(scenario, {
      limitedExchanges: [limited],
      first: polite[next],
      second: polite[next + 1],
    });
    if (judged.verdict === 'fail') return judged;
  }
  const got = polite.filter(accepted).length;
  const dueMs = polite.reduce((sum, one, i) => sum + ownedMs(one, polite[i + 1]), 0);
  const due = Math.floor((GOODPUT_SHARE * limits.perMinute * dueMs) / (limits.minuteSeconds * 1000));
  const text = `${got} requests got through in ${seconds(dueMs)} that were the target’s, with ${count(limitedExchanges.length, 'wait')}; nine tenths of the limit are ${due}`;
  if (got >= due) return pass(`${text}.`);
  const nonConforming = limitedExchanges
    .map((one) => ({ one, ...attribute(scenario, one, limits) }))
    .find((one) => one.nonConforming);
  if (nonConforming !== undefined)
    return fail(`${text}. Request ${nonConforming.one.n} was answered 429: ${nonConforming.text}`);
  return inconclusive(`${text}. But a lawful limiter may make a client wait for longer than it must.`);
}

/** Retry-After is whole seconds, rounded up. */
const ROUNDING_MS = 1000;

/**
 * How much of the time from one request to the next is the target's: until it
 * answered, and what it asked to wait for, less what rounding may add. The jitter is ours.
 */
function ownedMs(exchange: Exchange, next: Exchange | undefined): number {
  const answerMs = exchange.received.mono - exchange.sent.mono;
  if (next === undefined || !isRateLimited(exchange)) return answerMs;
  const askedMs = Math.max(0, (askedSeconds(exchange) ?? 0) * 1000 - ROUNDING_MS);
  return answerMs + Math.min(askedMs, next.sent.mono - exchange.received.mono);
}

export const noBan: Expectation = {
  id: 'NO-BAN',
  expects: 'A key that respects Retry-After is not banned.',
  rests: 'on every request',
  judge: ({ scenarios }) =>
    judgeScenarios(
      scenarios.filter(({ key }) => key !== 'disposable'),
      judgeNoBan,
      'Not one request was sent.',
    ),
};

function judgeNoBan(scenario: ScenarioEvidence): LoadJudgement | undefined {
  const { exchanges } = scenario;
  if (exchanges.length === 0) return undefined;
  const banned = exchanges.find(isBan);
  const before = banned === undefined ? exchanges : decidedBefore(banned, exchanges);
  const limitedExchanges = before.filter(isRateLimited);
  if (banned === undefined) {
    return limitedExchanges.length === 0
      ? inconclusive(`${NO_REFUSAL} No ban came either.`)
      : pass(`After ${count(limitedExchanges.length, 'refusal')} the key was still answered.`);
  }
  const text = `request ${banned.n} was answered ${statusOf(banned)}`;
  if (!before.some(accepted))
    return inconclusive(`No request was accepted before ${text}: the key may not be valid.`);
  if (scenario.disturbance !== undefined)
    return inconclusive(`Perhaps a ban: ${text}. ${scenario.disturbance}`);
  const excuse = excuseOf(banned, before, limitedExchanges);
  if (excuse !== undefined) return inconclusive(`Perhaps a ban: ${text}. But the key ${excuse}.`);
  return fail(
    `Expected no ban of a key that waits as it is told, but ${text} after ${count(limitedExchanges.length, 'refusal')} whose Retry-After was kept.`,
  );
}

/** Why the target may have taken the key for one that keeps sending, if it may. */
function excuseOf(
  banned: Exchange,
  before: readonly Exchange[],
  limitedExchanges: readonly Exchange[],
): string | undefined {
  if (limitedExchanges.length === 0) return 'had not been refused before';
  if (!keptToRetryAfter([...before, banned])) return 'had not kept to Retry-After';
  return apart([...limitedExchanges, banned])
    ? undefined
    : 'had more than one request under way beyond its limit';
}

const isBan = (one: Exchange): boolean => statusOf(one) === 401 || statusOf(one) === 403;

/** What the target may have decided before it banned: requests under way at the same time may overtake each other. */
const decidedBefore = (banned: Exchange, all: readonly Exchange[]): readonly Exchange[] =>
  all.filter((one) => !isBan(one) && one.sent.mono < banned.received.mono);

/** Whether each was sent after the one before it was answered: a target cannot know that a client which sends several at once did not see the first refusal. */
function apart(exchanges: readonly Exchange[]): boolean {
  const inTime = [...exchanges].sort((a, b) => a.sent.mono - b.sent.mono);
  return inTime.every((one, i) => one.sent.mono >= (inTime[i - 1]?.received.mono ?? 0));
}
