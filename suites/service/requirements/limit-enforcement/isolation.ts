import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import {
  accepted,
  exchangeName,
  isRateLimited,
  receivedText,
} from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, notTested, pass } from '../../../../kernel/findings/judgement.ts';
import type { Limits } from '../../../../spec/plans.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { isStored, storedText } from '../../evidence/repeated.ts';
import { perhapsAnotherClient, sharedUse } from '../../evidence/uses.ts';
import type { ControlRound } from '../../probes/other-callers.ts';
import { CONTROL_ROUNDS, otherCaller } from '../../probes/other-callers.ts';

/** Requests by which two sums may differ although one limit was exhausted twice: what flows back into a bucket meanwhile. */
const FLOW = 2;

type Round = NonNullable<ReturnType<typeof roundOf>>;

/** A 429 alone proves nothing: the other key may have other clients. Two control rounds do: BOUNDS.md, "Two control rounds". */
export function isolatesCallers(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.otherKey) {
    return notTested('This needs a second key, of another caller (--other-key-env).');
  }
  const [first] = evidence.step('other-caller', otherCaller.steps.whileExhausted);
  if (first === undefined) return inconclusive(evidence.whyNothing('other-caller'));
  if (isStored(first))
    return inconclusive(`The other caller reached no limiter: ${storedText(first)}.`, [first]);
  if (accepted(first))
    return pass('The other caller was answered while the key under test was rate-limited.', [first]);
  if (!isRateLimited(first))
    return inconclusive(`The other caller received ${receivedText(first)}.`, [first]);
  const [one, two] = CONTROL_ROUNDS.map((steps) => roundOf(evidence, steps));
  const answered = [one, two].find((round) => round !== undefined && accepted(round.exhausted));
  if (answered !== undefined) return answeredLater(first, answered);
  if (one === undefined || two === undefined) return undecided(evidence, first);
  return compared(evidence, first, one, two);
}

function answeredLater(first: Exchange, { limited, exhausted }: Round): Judgement {
  return pass(
    `The other caller received a 429 in ${exchangeName(first)}, but was answered in ${exchangeName(exhausted)} while the key under test was exhausted again (${exchangeName(limited)}), so that 429 was about its own use.`,
    [first, limited, exhausted],
  );
}

function compared(evidence: Evidence, first: Exchange, one: Round, two: Round): Judgement {
  const cited = [first, one.limited, one.exhausted, two.limited, two.exhausted];
  const counts = [one, two]
    .map(
      ({ before, allowed }) => `${countOf(allowed, 'accepted request')} after ${before} of the other caller`,
    )
    .join(', and ');
  const { limits } = evidence;
  const sameSum = Math.abs(one.before + one.allowed - two.before - two.allowed) <= FLOW;
  const follows = sameSum && exhaustsOne(one, limits) && exhaustsOne(two, limits);
  const both = isRateLimited(one.exhausted) && isRateLimited(two.exhausted);
  if (!follows || !both)
    return inconclusive(
      `The other caller received a 429 while the key under test was exhausted, but the quota of the key under test does not depend on the other caller’s requests (${counts}). Another client of the other key, or a further limit besides that of each key, would look the same.`,
      cited,
    );
  if (evidence.fact(sharedUse) !== undefined)
    return perhapsAnotherClient(
      `The two callers seem to share one quota (${counts}), but something else used the key under test during the run, too.`,
      cited,
    );
  return fail({
    expected: 'a quota for each caller that does not depend on requests of another caller',
    received: `${counts}, and then each time 429 for the other caller (${exchangeName(one.exhausted)} and ${exchangeName(two.exhausted)})`,
    reasoning:
      'The two sums are equal, so the two callers share one quota. If both keys belong to one customer, give a key of another customer.',
    exchanges: cited,
    shows: [two.limited, two.exhausted],
  });
}

/** Whether both callers together were allowed the plan's limit, and what flows back into a bucket meanwhile. */
function exhaustsOne(
  { before, allowed, milliseconds }: Round,
  { perMinute, minuteSeconds }: Limits,
): boolean {
  const flow = (perMinute * milliseconds) / (minuteSeconds * 1000);
  const beyond = before + allowed - perMinute;
  return beyond >= -1 && beyond <= flow + 1;
}

/** Why the control rounds decide nothing. */
function undecided(evidence: Evidence, first: Exchange): Judgement {
  const text = `The other caller received a 429, too, in ${exchangeName(first)}, and the control rounds are not complete, as where another client uses its key.`;
  return inconclusive(evidence.lacking(text, 'other-caller-again'), [first]);
}

/** How many requests of the other caller were accepted, and how many with the key up to its 429; undefined where it is not complete. */
function roundOf(evidence: Evidence, steps: ControlRound) {
  const others = evidence.by('other').filter(({ probe }) => probe === 'other-caller-again');
  const alone = others.filter(({ step }) => step === steps.otherCallerFirst);
  const exhausted = others.findLast(({ step }) => step === steps.otherCallerLast);
  const keyed = evidence.by('key');
  const begin = keyed.find(({ probe, step }) => probe === 'other-caller-again' && step === steps.baseline);
  if (begin === undefined || exhausted === undefined || !alone.every(accepted)) return undefined;
  const sent = keyed.filter(({ n }) => n >= begin.n && n < exhausted.n);
  const limited = sent.find(isRateLimited);
  // A request whose response was lost may have counted.
  if (limited === undefined || !sent.every((one) => accepted(one) || isRateLimited(one))) return undefined;
  const milliseconds = limited.received.mono - (alone[0] ?? begin).sent.mono;
  const allowed = sent.filter(accepted).length;
  return { before: alone.length, allowed, limited, milliseconds, exhausted };
}
