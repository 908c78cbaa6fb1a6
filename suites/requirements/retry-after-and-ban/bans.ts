import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../exchanges/outcome-kinds.ts';
import { apparentWaitUnit, literalWaitSeconds } from '../../../exchanges/retry-after.ts';
import { perhapsAnotherClient, sharedUse } from '../../evidence/another-client.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { fail, inconclusive, notTested, pass } from '../../evidence/judgement.ts';
import type { Observable } from '../../evidence/requirement.ts';
import { ban, PERSISTENT_REQUESTS } from '../../probes/ban.ts';

const NEEDS_SACRIFICE = 'It needs a key that may be lost (--disposable-key-env).';

/** The first of the requests that went on although the key was refused that shows a ban. */
function banned(evidence: Evidence): Exchange | undefined {
  const before = evidence.step(ban, ban.steps.exhaustQuota);
  return evidence.step(ban, ban.steps.persist).find((exchange, i, all) => {
    const status = statusOf(exchange);
    // Lost answers may be the network's doing; a ban drops every further request.
    const later = all.slice(i);
    if (status === undefined) return later.length > 1 && later.every((one) => statusOf(one) === undefined);
    if (isKeyRejected(exchange)) return true;
    return (
      status === 429 &&
      (literalWaitSeconds(answerOf(exchange)) ?? 0) > usualWait([...before, ...all.slice(0, i + 1)]) + 2
    );
  });
}

/** What the first refusal since the last request that was accepted asks to wait: each that flows back begins another wait. */
function usualWait(asked: readonly Exchange[]): number {
  const limited = asked.slice(asked.findLastIndex(accepted) + 1).find(isRateLimited);
  return (limited === undefined ? undefined : literalWaitSeconds(answerOf(limited))) ?? 0;
}

/** BAN-1: whether a ban ends. */
export function isTemporary(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.disposableKey) return notTested(NEEDS_SACRIFICE);
  if (evidence.step(ban, ban.steps.persist).length === 0) return inconclusive(evidence.whyNothing(ban));
  const first = banned(evidence);
  const tries = evidence.step(ban, ban.steps.afterWait);
  const lifted = tries.find(accepted);
  if (lifted !== undefined) {
    const what =
      first === undefined
        ? `${PERSISTENT_REQUESTS} requests beyond the limit brought no ban`
        : 'The ban was lifted';
    return pass(`${what}, and ${exchangeName(lifted)} was accepted.`, [lifted]);
  }
  const last = tries.at(-1);
  if (last === undefined) return inconclusive(evidence.whyNothing(ban));
  const told =
    tries.length > 1 &&
    tries.every(
      (exchange) =>
        literalWaitSeconds(answerOf(exchange)) !== undefined &&
        apparentWaitUnit(answerOf(exchange)) === undefined,
    );
  const text = `Expected a temporary ban, but ${exchangeName(last)} ${outcomeText(last)} although the key had waited as it was told`;
  return told
    ? fail(`${text} twice.`, [...(first === undefined ? [] : [first]), ...tries])
    : inconclusive(`${text}; it was not told for how long, so the ban may still end.`, tries);
}

/** BAN-2: whether a ban spares other callers. */
export function sparesOthers(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.disposableKey) return notTested(NEEDS_SACRIFICE);
  const neighbour = evidence.exchanges.findLast(({ step }) => step === ban.steps.keyUnderTest);
  if (neighbour === undefined) return inconclusive(evidence.whyNothing(ban));
  if (accepted(neighbour))
    return pass('The examined key was answered while another key was persistent.', [neighbour]);
  const first = banned(evidence);
  if (first === undefined)
    return inconclusive(`${exchangeName(neighbour)} ${outcomeText(neighbour)}, but no ban was seen.`, [
      neighbour,
    ]);
  if (evidence.fact(sharedUse) !== undefined || lostBefore(evidence, neighbour)) {
    const text = `${exchangeName(neighbour)} ${outcomeText(neighbour)}, but another client may be using this key and may have exhausted its quota, or have had it banned.`;
    return perhapsAnotherClient(text, [first, neighbour]);
  }
  if (statusOf(neighbour) === undefined)
    return inconclusive(
      `${exchangeName(neighbour)} ${outcomeText(neighbour)}, which the network may have done.`,
      [neighbour],
    );
  return fail(
    `Expected only the persistent key to be banned, but the examined key was refused, too: ${exchangeName(neighbour)} ${outcomeText(neighbour)}.`,
    [first, neighbour],
  );
}

/** Whether the examined key was banned already before another one was persistent. */
const lostBefore = (evidence: Evidence, neighbour: Exchange): boolean =>
  [...evidence.lost].some(({ probe, n }) => probe !== ban.id && n < neighbour.n);

/** What the specification leaves open about bans. */
export const openBans: readonly Observable[] = [
  {
    id: 'BAN-3',
    probes: [ban],
    observe(evidence) {
      if (!evidence.run.inputs.disposableKey) return { value: `Not asked. ${NEEDS_SACRIFICE}` };
      const persistent = evidence.step(ban, ban.steps.persist);
      const first = banned(evidence);
      if (first === undefined)
        return {
          value: `No ban in ${persistent.length} requests beyond the limit.`,
          exchanges: persistent.slice(0, 2),
        };
      const after = persistent.indexOf(first) + 1;
      return {
        value: `A ban after ${after} further requests: ${exchangeName(first)} ${outcomeText(first)}, Retry-After ${literalWaitSeconds(answerOf(first)) ?? 'absent'}.`,
        exchanges: [first],
      };
    },
  },
];
