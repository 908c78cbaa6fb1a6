import { capitalized, countOf, quoted, secondsText } from '../../../kernel/basics/text.ts';
import { firstFound, least } from '../../../kernel/exchanges/collections.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import { entry } from '../../../spec/register.ts';
import { IDLE_CONNECTION } from '../../model/key-list.ts';
import { whyIncomplete, whyLate } from '../completeness.ts';
import type { LoadEvidence, RequestTally, RunExpectation } from '../evidence.ts';
import type { RateStep } from '../retries.ts';
import { hasHeld, rateSteps } from '../retries.ts';
import { ENOUGH_RESPONSES, msText, UNCERTAIN } from '../slower.ts';

/** Strict clients reject what lenient ones read; only certify records the bytes. */
const CERTIFY_FIRST =
  'Certify says what is wrong with it and whether other clients read it (HTTP-4, MEDIA-1).';

/** After so long without a response, in milliseconds, a request goes over a connection that was idle meanwhile. */
const IDLE_MS = 1000;

function whyLost(tallies: readonly RequestTally[]): string {
  const quietMs = least(tallies.map(({ quietBeforeLost }) => quietBeforeLost));
  return quietMs < IDLE_MS
    ? 'The network may have lost them.'
    : `Each was sent ${secondsText(quietMs)} or more after the last response, so probably over a ${IDLE_CONNECTION}: a NAT, a load balancer or the target may have dropped it without a sign.`;
}

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export const noServerErrors: RunExpectation = {
  entry: entry('NO-5XX'),
  whyItMatters: 'A client cannot tell whether a request that ended so was carried out.',
  passRequires: 'every request',
  scope: 'counts',
  judge({ scenarios }) {
    const tallies = scenarios.map(({ tally }) => tally);
    const requests = tallies.reduce((sum, tally) => sum + tally.requests, 0);
    const all = countOf(requests, 'request');
    const failed = (kind: 'serverErrors' | 'malformed' | 'lost') => {
      const first = firstFound(tallies, (tally) => tally[kind].first);
      const count = tallies.reduce((sum, tally) => sum + tally[kind].count, 0);
      const detail = first?.outcome.kind === 'no-response' ? quoted(first.outcome.detail) : '';
      return (
        first && { first, many: `${count} of ${all}`, example: `the first (request ${first.n})`, detail }
      );
    };
    const error = failed('serverErrors');
    if (error !== undefined)
      return fail({
        expected: 'no 5xx',
        received: `a 5xx for ${error.many}, ${error.example} ${statusOf(error.first)}`,
      });
    const malformed = failed('malformed');
    if (malformed !== undefined)
      return inconclusive(
        `${malformed.many} got a malformed response, which k6 cannot read, ${malformed.example}: ${malformed.detail}. ${CERTIFY_FIRST}`,
      );
    const lost = failed('lost');
    if (lost !== undefined)
      return inconclusive(
        `${lost.many} got no response, ${lost.example}: ${lost.detail}. ${whyLost(tallies)}`,
      );
    if (requests === 0) return inconclusive('No request was sent.');
    return pass(`Each of ${all} was answered, none with a 5xx.`);
  },
};

/** Never fails: requests that were not sent, or were late, are caused by the load generator. */
export const sentOnSchedule: RunExpectation = {
  entry: entry('SENT'),
  whyItMatters: 'What was not sent shows nothing about the target.',
  passRequires: 'every request on schedule',
  scope: 'counts',
  judge(evidence) {
    const requests = evidence.scenarios.reduce((sum, { tally }) => sum + tally.requests, 0);
    if (requests === 0) return inconclusive(whyIncomplete(evidence) ?? 'No request was sent.');
    return pass(`Each of ${countOf(requests, 'planned request')} was sent on schedule.`);
  },
};

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
