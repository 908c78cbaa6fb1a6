import type { Exchange } from '../../../exchanges/exchange.ts';
import { statusOf } from '../../../exchanges/headers.ts';
import { accepted, refused } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count, seconds } from '../../../suites/evidence/quote.ts';
import { blame } from '../attribution.ts';
import type { LaneEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, judgeLanes, pass } from '../expectation.ts';
import { askedSeconds, judgeRetry, keptToRetryAfter } from '../retried.ts';

const NO_REFUSAL = 'No 429 came, so there was nothing to wait for.';

export const recovery: Expectation = {
  id: 'RECOVERY',
  expects: 'A request after Retry-After is accepted.',
  rests: 'on every request',
  judge: ({ lanes }) =>
    judgeLanes(
      lanes.filter(({ steps }) => steps.some(({ kind }) => kind === 'wait out')),
      judgeRecovery,
      'No key waited for anything.',
    ),
};

function judgeRecovery(lane: LaneEvidence): LoadJudgement | undefined {
  const wait = lane.steps.findIndex(({ kind }) => kind === 'wait out');
  const refusals = lane.exchanges.filter((one) => Number(one.step) < wait && refused(one));
  if (refusals.length === 0) return inconclusive(NO_REFUSAL);
  const [first, second] = lane.exchanges.filter((one) => Number(one.step) > wait);
  return judgeRetry(lane, { refusals, first, second });
}

/** What of its limit a client that waits as told gets through at the least. */
const GOODPUT_SHARE = 0.9;

export const goodput: Expectation = {
  id: 'GOODPUT',
  expects:
    'A client that waits as told gets nine tenths of its limit through, and every wait earns an answer.',
  rests: 'on every request',
  judge: ({ lanes, limits }) =>
    judgeLanes(
      lanes.filter(({ steps }) => steps.some(({ kind }) => kind === 'polite')),
      (lane) => judgeGoodput(lane, limits),
      'No key waited as it was told.',
    ),
};

function judgeGoodput(lane: LaneEvidence, limits: Limits): LoadJudgement | undefined {
  const polite = lane.exchanges.filter(({ probe }) => probe === 'polite');
  const refusals = polite.filter(refused);
  if (polite.length === 0) return undefined;
  if (refusals.length === 0) return inconclusive(NO_REFUSAL);
  for (const refusal of refusals) {
    const next = polite.indexOf(refusal) + 1;
    if (polite[next] === undefined) continue;
    const judged = judgeRetry(lane, { refusals: [refusal], first: polite[next], second: polite[next + 1] });
    if (judged.verdict === 'fail') return judged;
  }
  const got = polite.filter(accepted).length;
  const dueMs = polite.reduce((sum, one, i) => sum + ownedMs(one, polite[i + 1]), 0);
  const due = Math.floor((GOODPUT_SHARE * limits.perMinute * dueMs) / (limits.minuteSeconds * 1000));
  const text = `${got} requests got through in ${seconds(dueMs)} that were the target’s, with ${count(refusals.length, 'wait')}; nine tenths of the limit are ${due}`;
  if (got >= due) return pass(`${text}.`);
  const unlawful = refusals.map((one) => ({ one, ...blame(lane, one, limits) })).find((one) => one.unlawful);
  if (unlawful !== undefined)
    return fail(`${text}. Request ${unlawful.one.n} was answered 429: ${unlawful.text}`);
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
  if (next === undefined || !refused(exchange)) return answerMs;
  const askedMs = Math.max(0, (askedSeconds(exchange) ?? 0) * 1000 - ROUNDING_MS);
  return answerMs + Math.min(askedMs, next.sent.mono - exchange.received.mono);
}

export const noBan: Expectation = {
  id: 'NO-BAN',
  expects: 'A key that keeps to Retry-After is not banned.',
  rests: 'on every request',
  judge: ({ lanes }) =>
    judgeLanes(
      lanes.filter(({ key }) => key !== 'sacrificial'),
      judgeNoBan,
      'Not one request was sent.',
    ),
};

function judgeNoBan(lane: LaneEvidence): LoadJudgement | undefined {
  const { exchanges } = lane;
  if (exchanges.length === 0) return undefined;
  const banned = exchanges.find(isBan);
  const before = banned === undefined ? exchanges : decidedBefore(banned, exchanges);
  const refusals = before.filter(refused);
  if (banned === undefined) {
    return refusals.length === 0
      ? inconclusive(`${NO_REFUSAL} No ban came either.`)
      : pass(`After ${count(refusals.length, 'refusal')} the key was still answered.`);
  }
  const text = `request ${banned.n} was answered ${statusOf(banned)}`;
  if (!before.some(accepted))
    return inconclusive(`No request was accepted before ${text}: the key may not be valid.`);
  if (lane.disturbance !== undefined) return inconclusive(`Perhaps a ban: ${text}. ${lane.disturbance}`);
  const excuse = excuseOf(banned, before, refusals);
  if (excuse !== undefined) return inconclusive(`Perhaps a ban: ${text}. But the key ${excuse}.`);
  return fail(
    `Expected no ban of a key that waits as it is told, but ${text} after ${count(refusals.length, 'refusal')} whose Retry-After was kept.`,
  );
}

/** Why the target may have taken the key for one that keeps sending, if it may. */
function excuseOf(
  banned: Exchange,
  before: readonly Exchange[],
  refusals: readonly Exchange[],
): string | undefined {
  if (refusals.length === 0) return 'had not been refused before';
  if (!keptToRetryAfter([...before, banned])) return 'had not kept to Retry-After';
  return apart([...refusals, banned]) ? undefined : 'had more than one request under way beyond its limit';
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
