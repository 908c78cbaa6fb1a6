import { capitalized, countOf } from '../../../kernel/basics/text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { whyLate } from '../completeness.ts';
import type { LoadEvidence } from '../evidence.ts';
import type { RunExpectation } from '../expectation.ts';
import type { RateStep } from '../rate-steps.ts';
import { hasHeld, rateSteps } from '../rate-steps.ts';
import { ENOUGH_RESPONSES, msText, UNCERTAIN } from '../slower.ts';

/**
 * The rate at which the target broke is the lowest one from which no higher one held: a step that was slow while
 * a higher rate held was not slow for its rate.
 */
export const holdsEveryRate: RunExpectation = {
  entry: entry('HOLDS'),
  whyItMatters: 'Customers who all keep their limits slow down or break the service together.',
  passRequires: 'every request on schedule',
  scope: 'all keys',
  phases: (evidence) => rateSteps(evidence).map(({ phase }) => phase),
  judge(evidence) {
    const steps = rateSteps(evidence);
    const last = steps.at(-1);
    if (last === undefined) return inconclusive('No request of a step was sent.');
    const lastHeld = steps.findLastIndex(hasHeld);
    const held = steps[lastHeld];
    const above = steps.slice(lastHeld + 1);
    // A step whose slowness may be chance or this machine's proves less than a higher one that was surely slow.
    const broken =
      above.find(({ outcome: { kind } }) => kind !== 'sent late' && kind !== 'uncertain') ?? above[0];
    if (broken === undefined) return heldAll(steps, last);
    const how = howOf(broken);
    if (held === undefined)
      return inconclusive(`At ${rateOf(broken)}, the lowest rate, ${how}: that is no matter of the rate.`);
    const text = `The target held ${rateOf(held)} and broke at ${rateOf(broken)}: ${how}`;
    const notTarget = whyNotTarget(broken, evidence);
    return notTarget === undefined
      ? fail({
          expected: 'responses without errors, and about as fast, up to the highest rate of the profile',
          received: `trouble at ${rateOf(broken)}, after ${rateOf(held)} held`,
          reasoning: `${capitalized(how)}.`,
        })
      : inconclusive(`${text}. ${notTarget}`);
  },
};

const rateOf = ({ phase }: RateStep): string => `${Number(phase.offeredPerSecond.toPrecision(3))} requests/s`;

/** What was wrong in a step that did not hold, in a clause. */
function howOf({ outcome }: RateStep): string {
  if (outcome.kind !== 'stopped') return 'text' in outcome ? outcome.text : 'nothing was wrong';
  const { by, text } = outcome.breakdown;
  return by === 'silent' ? `${text}, unless the network failed at that moment` : text;
}

function whyNotTarget({ outcome }: RateStep, evidence: LoadEvidence): string | undefined {
  if (outcome.kind === 'stopped')
    return outcome.breakdown.by === 'network' ? 'The network did not lead to the target.' : undefined;
  if (outcome.kind === 'uncertain') return UNCERTAIN;
  const late = whyLate(evidence);
  if (outcome.kind === 'sent late' || late !== undefined)
    return `${late ?? 'From the actual send times it was no slower.'} Run the profile on a machine that is not busy.`;
  return undefined;
}

function heldAll(steps: readonly RateStep[], last: RateStep): Judgement {
  const text = `The target held ${rateOf(last)}, the highest rate of the profile`;
  if (last.outcome.kind !== 'held')
    return inconclusive(
      `${text}, without errors. Its latency was not judged: that needs ${ENOUGH_RESPONSES} responses at the lowest rates and as many at the highest; use more keys.`,
    );
  const odd = steps.filter((one) => !hasHeld(one));
  const exceptions =
    odd.length === 0
      ? ''
      : ` ${countOf(odd.length, 'lower step')} had trouble (${odd.map(howOf).join('; ')}), which is no matter of the rate, because a higher one held.`;
  return pass(
    `${text}. The median latency was ${middleOf(steps[0])} at the lowest rate and ${middleOf(last)} at the highest.${exceptions}`,
  );
}

const middleOf = (step: RateStep | undefined): string => {
  const { p50 = null } = step?.phase ?? {};
  return msText(p50 ?? Number.NaN);
};
