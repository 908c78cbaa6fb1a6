import { greatest, least } from '../../../exchanges/collections.ts';
import { countOf } from '../../../words/text.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../../model/latency.ts';
import type { Sample } from '../../model/sample.ts';
import type { Quantity, Threshold } from '../../model/thresholds.ts';
import { QUANTITIES } from '../../model/thresholds.ts';
import { whyIncomplete, whyLate } from '../completeness.ts';
import type { LoadEvidence } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';

const SHARES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** The expectations of a user's thresholds: one for each quantity, numbered in their order. */
export const thresholdExpectations = (thresholds: readonly Threshold[]): readonly Expectation[] =>
  thresholds
    .flatMap((threshold) =>
      QUANTITIES.flatMap((quantity) => {
        const bound = threshold[quantity];
        return bound === undefined ? [] : [{ threshold, quantity, bound }];
      }),
    )
    .map((one, i) => expectationOf(one, i + 1));

/** One quantity of a threshold. */
interface Bound {
  readonly threshold: Threshold;
  readonly quantity: Quantity;
  readonly bound: number;
}

function expectationOf({ threshold: { operation }, quantity, bound }: Bound, position: number): Expectation {
  const what = operation === undefined ? 'all requests' : `requests that ${operation}`;
  const judge = (samples: readonly Sample[], evidence: LoadEvidence): LoadJudgement => {
    switch (quantity) {
      case 'errorRate':
        return judgeErrors(samples, bound);
      case 'minimumRate':
        return judgeRate(samples, bound, evidence);
      default:
        return judgeLatency(samples, quantity, bound);
    }
  };
  return {
    id: `THRESHOLD-${position}`,
    expected: `${EXPECTED[quantity](bound)}, of ${what} (your threshold).`,
    passRequires: quantity === 'errorRate' ? 'every request' : 'every request on schedule',
    judge(evidence) {
      const all = evidence.scenarios.flatMap(({ samples }) => samples);
      const own = all.filter((one) => operation === undefined || one.operation === operation);
      return own.length === 0 ? inconclusive(`The run has none of ${what}.`) : judge(own, evidence);
    },
  };
}

const latencyText = (quantity: string) => (bound: number) =>
  `The ${quantity} of latency, from the intended send time, does not exceed ${bound} ms`;

const EXPECTED: Readonly<Record<Quantity, (bound: number) => string>> = {
  p50: latencyText('p50'),
  p95: latencyText('p95'),
  p99: latencyText('p99'),
  errorRate: (bound) => `At most ${percentText(bound)} get a 5xx or no response`,
  minimumRate: (bound) => `At least ${bound} are accepted in a second`,
};

/** What is slow only from the intended send time was sent late by this machine. */
function judgeLatency(
  samples: readonly Sample[],
  quantity: keyof typeof SHARES,
  bound: number,
): LoadJudgement {
  const answered = latencySamples(samples);
  if (answered.length === 0) return inconclusive('No response came after the first.');
  const at = (measure: (sample: Sample) => number): number =>
    quantile(ascending(answered.map(measure)), SHARES[quantity]);
  const intended = at(latencyMs);
  const text = `The ${quantity} of ${countOf(answered.length, 'response')} is ${intended.toFixed(1)} ms`;
  if (intended <= bound) return pass(`${text}.`);
  const sent = at((sample) => sample.received - sample.sent);
  return sent > bound
    ? fail(`${text}.`)
    : inconclusive(
        `${text}, but only ${sent.toFixed(1)} ms from the actual send time: this machine sent requests late.`,
      );
}

function judgeErrors(samples: readonly Sample[], bound: number): LoadJudgement {
  const failed = samples.filter(
    ({ outcome }) => outcome.kind === 'no-response' || outcome.status >= 500,
  ).length;
  const share = failed / samples.length;
  const text = `${failed} of ${countOf(samples.length, 'request')} got a 5xx or no response (${percentText(share)}).`;
  return share <= bound ? pass(text) : fail(text);
}

/** A rate that this machine did not offer says nothing about the target. */
function judgeRate(samples: readonly Sample[], bound: number, evidence: LoadEvidence): LoadJudgement {
  const seconds =
    (greatest(samples.map(({ received }) => received)) - least(samples.map(({ sent }) => sent))) / 1000;
  if (!(seconds > 0)) return inconclusive('The run is too short for a rate.');
  const accepted = samples.filter(
    ({ outcome }) => outcome.kind === 'answer' && isSuccess(outcome.status),
  ).length;
  const rate = accepted / seconds;
  const text = `${accepted} of ${countOf(samples.length, 'request')} were accepted in ${seconds.toFixed(1)} s, which is ${rateText(rate)} in a second`;
  if (rate >= bound) return pass(`${text}.`);
  const trouble = whyIncomplete(evidence) ?? whyLate(evidence);
  if (trouble !== undefined) return inconclusive(`${text}. ${trouble}`);
  const offered = plannedRate(samples);
  return offered !== undefined && offered < bound
    ? inconclusive(
        `${text}; the profile plans only ${rateText(offered)} in a second, so the target could not reach it.`,
      )
    : fail(`${text}.`);
}

/** Planned requests in a second; undefined where the responses decide when requests are sent. */
function plannedRate(samples: readonly Sample[]): number | undefined {
  const planned = samples.flatMap((one) => one.planned ?? []);
  const seconds = (greatest(planned) - least(planned)) / 1000;
  return planned.length < 2 || planned.length < samples.length / 2 || !(seconds > 0)
    ? undefined
    : samples.length / seconds;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const rateText = (perSecond: number): string => String(Number(perSecond.toPrecision(3)));
const percentText = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;
