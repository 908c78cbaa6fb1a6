import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import {
  accepted,
  exchangeName,
  isKeyRejected,
  isRateLimited,
  receivedText,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import { apparentWaitUnit, literalWaitSeconds } from '../../../../kernel/exchanges/rate-headers.ts';
import { factText } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, notTested, pass, unproven } from '../../../../kernel/findings/judgement.ts';
import type { Evidence, Observable } from '../../evidence/evidence.ts';
import { perhapsAnotherClient } from '../../evidence/uses.ts';
import { ban, PERSISTENT_REQUESTS } from '../../probes/ban.ts';

const NEEDS_DISPOSABLE_KEY = 'This needs a disposable key, which may get banned (--disposable-key-env).';

/** The first request that shows a ban, among those that went on after the 429. */
function banned(evidence: Evidence): Exchange | undefined {
  const before = evidence.step('ban', ban.steps.exhaustQuota);
  return evidence.step('ban', ban.steps.persist).find((exchange, i, all) => {
    const status = statusOf(exchange);
    // The network may lose responses; a ban drops every further request.
    const later = all.slice(i);
    if (status === undefined) return later.length > 1 && later.every((one) => statusOf(one) === undefined);
    if (isKeyRejected(exchange)) return true;
    return (
      status === 429 &&
      (literalWaitSeconds(exchange) ?? 0) > usualWait([...before, ...all.slice(0, i + 1)]) + 2
    );
  });
}

/** The wait of the first 429 since the last accepted request: each accepted request begins another wait. */
function usualWait(sent: readonly Exchange[]): number {
  const limited = sent.slice(sent.findLastIndex(accepted) + 1).find(isRateLimited);
  return (limited === undefined ? undefined : literalWaitSeconds(limited)) ?? 0;
}

export function isTemporary(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.disposableKey) return notTested(NEEDS_DISPOSABLE_KEY);
  if (evidence.step('ban', ban.steps.persist).length === 0) return inconclusive(evidence.whyNothing('ban'));
  const first = banned(evidence);
  const tries = evidence.step('ban', ban.steps.afterWait);
  const lifted = tries.find(accepted);
  if (lifted !== undefined) {
    const what =
      first === undefined
        ? `${PERSISTENT_REQUESTS} requests beyond the limit caused no ban`
        : 'The ban ended';
    return pass(`${what}, and ${exchangeName(lifted)} was accepted.`, [lifted]);
  }
  const last = tries.at(-1);
  if (last === undefined) return inconclusive(evidence.whyNothing('ban'));
  const announced =
    tries.length > 1 &&
    tries.every(
      (exchange) => literalWaitSeconds(exchange) !== undefined && apparentWaitUnit(exchange) === undefined,
    );
  const fact = {
    expected: 'a temporary ban, so that the key is accepted after the announced wait',
    received: receivedText(last),
    exchanges: tries,
  };
  if (!evidence.by('disposable').some(accepted))
    return unproven(
      fact,
      'This run had no request with the key accepted, so the reason may lie before it, or in another client of the key.',
    );
  return announced
    ? fail({
        ...fact,
        reasoning: 'The key had waited as announced twice.',
        exchanges: [...(first === undefined ? [] : [first]), ...tries],
      })
    : unproven(fact, 'The responses do not announce how long the ban lasts, so it may still end.');
}

export function sparesOthers(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.disposableKey) return notTested(NEEDS_DISPOSABLE_KEY);
  const neighbour = evidence.exchanges.findLast(({ step }) => step === ban.steps.keyUnderTest);
  if (neighbour === undefined) return inconclusive(evidence.whyNothing('ban'));
  if (accepted(neighbour))
    return pass('The key under test was answered while another key kept sending after its 429.', [neighbour]);
  const first = banned(evidence);
  const fact = {
    expected: 'a response to the key under test while another key is banned',
    received: receivedText(neighbour),
    exchanges: [neighbour],
  };
  if (first === undefined) return unproven(fact, 'No ban was observed, so it may have another reason.');
  const exchanges = [first, neighbour];
  if (statusOf(neighbour) === undefined) return unproven(fact, 'The network may be the reason.');
  // No reading of Remaining excludes another client here: whoever was banned before sends on unseen.
  if (!evidence.exclusive || lostBefore(evidence, neighbour)) {
    const doubt =
      'Another client may be using this key, and may have exhausted its quota or caused a ban of it.';
    return perhapsAnotherClient(`${factText(fact)} ${doubt}`, exchanges);
  }
  return fail({ ...fact, reasoning: 'The ban of one key affects another.', exchanges });
}

/** Whether the key under test was already banned before another key kept sending. */
const lostBefore = (evidence: Evidence, neighbour: Exchange): boolean =>
  [...evidence.lost].some(({ probe, n }) => probe !== 'ban' && n < neighbour.n);

export const openBans: Observable = {
  id: 'BAN-3',
  probes: ['ban'],
  observe(evidence) {
    if (!evidence.run.inputs.disposableKey) return { value: `Not tested. ${NEEDS_DISPOSABLE_KEY}` };
    const persistent = evidence.step('ban', ban.steps.persist);
    const first = banned(evidence);
    if (first === undefined)
      return {
        value: `No ban in ${countOf(persistent.length, 'request')} beyond the limit.`,
        exchanges: persistent.slice(0, 2),
      };
    const after = persistent.indexOf(first) + 1;
    return {
      value: `A ban after ${after} further requests: ${receivedText(first)}, Retry-After ${literalWaitSeconds(first) ?? 'absent'}.`,
      exchanges: [first],
    };
  },
};
