import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import {
  accepted,
  exchangeName,
  isRateLimited,
  unavailable,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, pass, unproven } from '../../../../kernel/findings/judgement.ts';
import { minuteQuota, mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import { exchangesOf } from '../../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../../spec/plans.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { uses } from '../../evidence/uses.ts';
import { endsUnavailable, UNAVAILABLE_ROUNDS, unavailableAgain } from '../../probes/unavailable-again.ts';

/** One repetition of the end of the quota, from a pause in which the quota came back. */
interface Round {
  /** Requests that were accepted before the first response that the service is unavailable. */
  readonly answered: number;
  /** That first response. */
  readonly ended: Exchange;
  /** Whether as many were accepted as the plan allows, and what flows back meanwhile. */
  readonly atLimit: boolean;
  /** What was accepted after a short rest: not as the rate of the plan gives it back, so, or so and less than was accepted before. */
  readonly back: 'otherwise' | 'as the rate gives' | 'fewer, as the rate gives';
}

/**
 * What a response proves that says the service is unavailable (502, 503 or 504), where the quota ended with it. A gateway
 * that limits requests may answer so, and an outage must never count against the target: it begins at its own time. It
 * is a limit where it came again after as many requests, each time after a pause in which requests were accepted, and
 * either that is the limit of the plan or what a rest of some intervals gives back follows the rate of the plan.
 */
export function whereUnavailable(evidence: Evidence, exchange: Exchange, fact: Fact): Judgement {
  const again = evidence.fact(uses).filter(({ first }) => first.probe === unavailableAgain.id);
  const limited = again.flatMap((use) => use.limited?.exchange ?? [])[0];
  if (limited !== undefined)
    return pass(
      `${exchangeName(exchange)} says that the service is unavailable; when the quota was exhausted again, the request beyond it returned 429.`,
      [exchange, limited],
    );
  const rounds = again.flatMap(({ series }) => roundOf(exchangesOf(series), evidence.run.limits) ?? []);
  const [one, two] = rounds;
  if (one === undefined || two === undefined || rounds.length < UNAVAILABLE_ROUNDS)
    return unproven(fact, evidence.lacking(MAY_BE_OUTAGE, unavailableAgain), [exchange]);
  const cited = [exchange, one.ended, two.ended];
  const counts = `it came again after ${one.answered} and after ${countOf(two.answered, 'accepted request')} (${exchangeName(one.ended)} and ${exchangeName(two.ended)}), each time from a rested key`;
  const isPlans = rounds.every(({ atLimit }) => atLimit);
  const alike = Math.abs(one.answered - two.answered) <= 1;
  const flowsBack =
    rounds.every(({ back }) => back !== 'otherwise') &&
    rounds.some(({ back }) => back === 'fewer, as the rate gives');
  if (!isPlans && !(alike && flowsBack))
    return unproven(fact, `${MAY_BE_OUTAGE} Repeated, ${counts}.`, cited);
  const why = isPlans
    ? 'That is the limit of the plan'
    : 'After a short rest as many requests were accepted as the rate of the plan gives back';
  return fail(
    { ...fact, reasoning: `Repeated, ${counts}. ${why}, so it is the limit and no outage.` },
    cited,
  );
}

const MAY_BE_OUTAGE =
  'The service may have been unavailable. A gateway that limits requests may answer so, too: nginx does, unless limit_req_status is 429.';

/** One round from its requests in their order; undefined where it did not end with such responses. */
function roundOf(exchanges: readonly Exchange[], limits: Limits): Round | undefined {
  const { afterRest } = unavailableAgain.steps;
  const own = exchanges.filter(({ probe }) => probe === unavailableAgain.id);
  const sent = own.filter(({ step }) => step !== afterRest);
  const ended = sent.at(sent.findLastIndex((one) => !unavailable(one)) + 1);
  const [first] = sent;
  const counted = sent.filter(accepted);
  const last = counted.at(-1);
  if (first === undefined || ended === undefined || last === undefined) return undefined;
  if (!endsUnavailable(sent) || sent.some(isRateLimited)) return undefined;
  const quota = minuteQuota(limits);
  const answered = counted.length;
  const flow = mostRefill(quota, ended.received.mono - first.sent.mono);
  return {
    answered,
    ended,
    atLimit: answered >= quota.limit - 1 && answered <= quota.limit + flow,
    back: givenBack(
      answered,
      last,
      own.filter(({ step }) => step === afterRest),
      limits,
    ),
  };
}

/** Compares what was accepted after a rest with a bucket at the rate of the plan that was empty but for a part of a request. */
function givenBack(
  answered: number,
  last: Exchange,
  after: readonly Exchange[],
  { perMinute, minuteSeconds }: Limits,
): Round['back'] {
  const end = after.at(-1);
  if (end === undefined || !unavailable(end) || !after.slice(0, -1).every(accepted)) return 'otherwise';
  const perMs = perMinute / (minuteSeconds * 1000);
  const flowed = Math.floor(perMs * ((after[0] ?? end).sent.mono - last.received.mono));
  const least = Math.max(1, Math.min(flowed, answered) - 1);
  const most = Math.ceil(perMs * (end.received.mono - last.sent.mono)) + 1;
  const count = after.length - 1;
  if (count < least || count > most) return 'otherwise';
  return most < answered ? 'fewer, as the rate gives' : 'as the rate gives';
}
