import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { apparentWaitUnit, literalWaitSeconds } from '../../../kernel/exchanges/retry-after.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { endOfWait } from '../../../kernel/rate-limits/retries.ts';
import { entry } from '../../../spec/register.ts';
import type { ScenarioEvidence } from '../evidence.ts';
import type { KeyExpectation } from '../expectation.ts';

/**
 * "A client that keeps sending requests after receiving 429 may have its API key temporarily banned": how long a ban
 * lasts is open, unless the target announces it.
 */
export const banEndsAsAnnounced: KeyExpectation = {
  entry: entry('BAN-ENDS'),
  whyItMatters: 'A client that is banned cannot know when it may send again.',
  passRequires: 'every request',
  scope: 'each key',
  judge: judgeEnd,
  nothingJudged: 'No key kept sending after 429.',
};

function judgeEnd(scenario: ScenarioEvidence): Judgement | undefined {
  const persist = scenario.steps.findIndex(({ kind }) => kind === 'persist');
  const persisted = scenario.exchanges.filter((one) => persist !== -1 && Number(one.step) === persist);
  const last = persisted.at(-1);
  if (last === undefined) return undefined;
  const tries = scenario.exchanges.filter((one) => Number(one.step) > persist);
  const lifted = tries.find(accepted);
  const seen = banText(persisted);
  if (lifted !== undefined) {
    const afterMs = lifted.sent.mono - last.received.mono;
    return pass(
      `${seen}; request ${lifted.n} was accepted ${secondsText(afterMs)} after the last of ${countOf(persisted.length, 'request')} beyond the limit.`,
    );
  }
  const [first, second] = tries;
  if (first === undefined || second === undefined)
    return inconclusive(`${seen}. Whether the key is accepted again was not tried twice.`);
  return judgeRejected(scenario, seen, [last, first, second]);
}

/** What the key got while it kept sending, in a clause. */
function banText(persisted: readonly Exchange[]): string {
  const banned = persisted.find((one) => isKeyRejected(one) || statusOf(one) === undefined);
  if (banned === undefined) return 'The key that kept sending got 429 and no other sign of a ban';
  const status = statusOf(banned);
  return `The key that kept sending was banned: request ${banned.n} ${status === undefined ? 'got no response' : `returned ${status}`}`;
}

/** @param last the last request beyond the limit, before the two tries. */
function judgeRejected(
  { exchanges, anotherClient }: ScenarioEvidence,
  seen: string,
  [last, first, second]: readonly [last: Exchange, first: Exchange, second: Exchange],
): Judgement {
  const answers = `request ${first.n} returned ${statusOf(first) ?? 'nothing'} and request ${second.n} ${statusOf(second) ?? 'nothing'}`;
  const perhaps = `${seen}; later ${answers}`;
  if (![first, second].every((one) => isKeyRejected(one) || isRateLimited(one)))
    return inconclusive(`${perhaps}, which says nothing about the key.`);
  if (![last, first, second].every(announcesEnd))
    return inconclusive(
      `${perhaps}. Not all of these responses announce when the key is accepted again, and the specification leaves open how long a ban lasts.`,
    );
  if (![first, second].every((one) => waitedFor(one, exchanges)))
    return inconclusive(`${perhaps}, before every announced wait was over.`);
  if (anotherClient !== undefined) return inconclusive(`${perhaps}. ${anotherClient}`);
  const seconds = literalWaitSeconds(answerOf(first)) ?? 0;
  return fail({
    expected: 'a key that is accepted after the announced wait',
    received: `${statusOf(first)} for request ${first.n} and ${statusOf(second)} for request ${second.n}, each sent after Retry-After had passed, the second after a wait of its own of ${countOf(seconds, 'second')}`,
    reasoning: `${seen}.`,
  });
}

/** Whether a response announces in seconds when to try again; another unit shows at its own Reset. */
const announcesEnd = (exchange: Exchange): boolean =>
  literalWaitSeconds(answerOf(exchange)) !== undefined && apparentWaitUnit(answerOf(exchange)) === undefined;

/** Whether a request was sent after every wait that was announced before. */
const waitedFor = (one: Exchange, exchanges: readonly Exchange[]): boolean =>
  exchanges.every((earlier) => earlier.n >= one.n || (endOfWait(earlier) ?? 0) <= one.sent.mono);
