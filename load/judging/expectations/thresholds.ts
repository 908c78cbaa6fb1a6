import { countOf } from '../../../kernel/basics/text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import type { Threshold } from '../../../kernel/findings/load.ts';
import type { ThresholdId } from '../../../kernel/findings/record.ts';
import { quantile } from '../../model/latency.ts';
import type { Operation, Quantity } from '../../model/profile.ts';
import { QUANTITIES } from '../../model/profile.ts';
import { whyIncomplete, whyLate } from '../completeness.ts';
import type { LoadEvidence, RunExpectation } from '../evidence.ts';
import type { Measured, Tally } from '../measured.ts';

const SHARES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

export const thresholdExpectations = (thresholds: readonly Threshold[]): readonly RunExpectation[] =>
  thresholds
    .flatMap((threshold) =>
      QUANTITIES.flatMap((quantity) => {
        const bound = threshold[quantity];
        return bound === undefined ? [] : [{ operation: threshold.operation, quantity, bound }];
      }),
    )
    .map(({ operation, quantity, bound }, i) => expectationOf(i + 1, operation, quantity, bound));

/** The expectation of `--latency-ms`. @param thresholdMs the highest 99th percentile latency, in milliseconds. */
export const latencyWithin = (thresholdMs: number): RunExpectation => ({
  ...thresholdOf(
    'LATENCY',
    `The 99th percentile latency, from the scheduled send time, does not exceed ${thresholdMs} ms.`,
  ),
  passRequires: 'every request on schedule',
  scope: 'counts',
  judge: ({ measured }) => judgeLatency(measured, undefined, { share: 'p99', bound: thresholdMs }),
});

const thresholdOf = (id: ThresholdId, sentence: string): Pick<RunExpectation, 'entry' | 'whyItMatters'> => ({
  entry: { id, level: 'MUST', chapter: 'Load', sentence },
  whyItMatters: 'You set this threshold; the specification promises no speed.',
});

function expectationOf(
  position: number,
  operation: Threshold['operation'],
  quantity: Quantity,
  bound: number,
): RunExpectation {
  const what = operation === undefined ? 'all requests' : `requests that ${operation}`;
  const judge = (tally: Tally, evidence: LoadEvidence): Judgement => {
    switch (quantity) {
      case 'errorRate':
        return judgeErrors(tally, bound);
      case 'minimumRate':
        return judgeRate(tally, bound, evidence);
      default:
        return judgeLatency(evidence.measured, operation, { share: quantity, bound });
    }
  };
  return {
    ...thresholdOf(`THRESHOLD-${position}`, `${EXPECTED[quantity](bound)}, of ${what} (your threshold).`),
    passRequires: quantity === 'errorRate' ? 'every request' : 'every request on schedule',
    scope: 'counts',
    judge(evidence) {
      const own = evidence.measured.tallies[operation ?? 'all'];
      return own.requests === 0 ? inconclusive(`The run has none of ${what}.`) : judge(own, evidence);
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

/** How many responses a percentile needs: of fewer it is the slowest one, and one slow response is no percentile. */
const responsesFor = (share: keyof typeof SHARES): number => Math.round(1 / (1 - SHARES[share]));

/** What is slow only from the intended send time was sent late by this machine. */
function judgeLatency(
  measured: Measured,
  operation: Operation | undefined,
  { share, bound }: { readonly share: keyof typeof SHARES; readonly bound: number },
): Judgement {
  const answered = measured.latencies('intended', operation);
  if (answered.length === 0) return inconclusive('No response came after the first.');
  const needed = responsesFor(share);
  const intended = quantile(answered, SHARES[share]);
  if (answered.length < needed) {
    const slowest = `The slowest of ${countOf(answered.length, 'response')} took ${intended.toFixed(1)} ms; the threshold of the ${share} is ${bound} ms`;
    return intended <= bound
      ? pass(`${slowest}.`)
      : inconclusive(
          `${slowest}. A ${share} needs ${needed} responses: send more requests or use more keys.`,
        );
  }
  const text = `The ${share} of ${countOf(answered.length, 'response')} is ${intended.toFixed(1)} ms; the threshold is ${bound} ms`;
  if (intended <= bound) return pass(`${text}.`);
  const sent = quantile(measured.latencies('sent', operation), SHARES[share]);
  return sent > bound
    ? fail({
        expected: `a ${share} of at most ${bound} ms`,
        received: `${intended.toFixed(1)} ms in ${countOf(answered.length, 'response')}`,
      })
    : inconclusive(
        `${text}, but only ${sent.toFixed(1)} ms from the actual send time: this machine sent requests late.`,
      );
}

function judgeErrors({ requests, failed }: Tally, bound: number): Judgement {
  const share = failed / requests;
  const text = `${failed} of ${countOf(requests, 'request')} got a 5xx or no response (${percentText(share)}).`;
  return share <= bound
    ? pass(text)
    : fail({
        expected: `at most ${percentText(bound)} of requests with a 5xx or no response`,
        received: `${failed} of ${requests} (${percentText(share)})`,
      });
}

/** A rate that this machine did not offer says nothing about the target. */
function judgeRate(tally: Tally, bound: number, evidence: LoadEvidence): Judgement {
  const { requests, accepted, firstSent, lastReceived } = tally;
  const seconds = (lastReceived - firstSent) / 1000;
  if (!(seconds > 0)) return inconclusive('The run is too short for a rate.');
  const rate = accepted / seconds;
  const text = `${accepted} of ${countOf(requests, 'request')} were accepted in ${seconds.toFixed(1)} s, which is ${rateText(rate)} in a second`;
  if (rate >= bound) return pass(`${text}.`);
  const trouble = whyIncomplete(evidence) ?? whyLate(evidence);
  if (trouble !== undefined) return inconclusive(`${text}. ${trouble}`);
  const offered = plannedRate(tally);
  return offered < bound
    ? inconclusive(
        `${text}; the profile plans only ${rateText(offered)} in a second, so the target could not reach it.`,
      )
    : fail({
        expected: `at least ${bound} accepted requests in a second`,
        received: `${rateText(rate)} (${accepted} of ${countOf(requests, 'request')} in ${seconds.toFixed(1)} s)`,
      });
}

/** Planned requests in a second; infinite where the responses decide when requests are sent. */
const plannedRate = ({ requests, planned, firstPlanned, lastPlanned }: Tally): number =>
  planned < requests / 2 ? Number.POSITIVE_INFINITY : (1000 * requests) / (lastPlanned - firstPlanned);

const rateText = (perSecond: number): string => String(Number(perSecond.toPrecision(3)));
const percentText = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;
