import type { Limits } from '../../../spec/plans.ts';
import { count } from '../../../suites/judging/quote.ts';
import { accepted, refused } from '../../../suites/limits/series.ts';
import { greatest } from '../../../suites/model/extremes.ts';
import { statusOf } from '../../../suites/model/headers.ts';
import { ascending, latencyMs, quantile } from '../../model/latency.ts';
import type { LaneEvidence, LoadEvidence } from '../evidence.ts';
import { exchangesOf } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';
import { ownCount } from '../sharing.ts';
import { missedSchedule } from '../wholeness.ts';
import { judgeRefusals } from './within-limit.ts';

/** A neighbour's latency is compared where there are so many answers on both sides. */
const ENOUGH = 10;

/** Slower by this factor and by so many milliseconds is more than a network's mood. */
const SLOWER = { factor: 1.5, byMs: 250 };

export const neighbour: Expectation = {
  id: 'NEIGHBOUR',
  expects: 'What one key does leaves the other alone: no 429, and no slower.',
  rests: 'on every request and its time',
  judge(evidence) {
    const loud = evidence.lanes.find(isLoud);
    const quiet = evidence.lanes.find((lane) => !isLoud(lane));
    if (loud === undefined || quiet === undefined) return inconclusive('There were not two keys to compare.');
    return ofBoth(loud, quiet, evidence);
  },
};

const LOUD: ReadonlySet<string> = new Set(['burst', 'persist', 'polite']);
const isLoud = ({ steps }: LaneEvidence): boolean => steps.some(({ kind }) => LOUD.has(kind));

function ofBoth(loud: LaneEvidence, quiet: LaneEvidence, evidence: LoadEvidence): LoadJudgement {
  const since = loud.exchanges.find((one) => refused(one))?.received.mono;
  if (since === undefined) return inconclusive(`Key ${loud.key} was never refused, so it disturbed nobody.`);
  const beside = quiet.exchanges.filter(({ sent }) => sent.mono >= since);
  if (beside.length === 0)
    return inconclusive(`Key ${quiet.key} sent nothing any more when key ${loud.key} was refused.`);
  const judged = judgeRefusals(quiet, evidence.limits, beyond(loud, quiet, evidence.limits));
  if (judged !== undefined && judged.verdict !== 'pass')
    return { ...judged, because: `Key ${quiet.key}, below its limit: ${judged.because}` };
  const lost = beside.find((one) => !accepted(one));
  if (lost !== undefined) return shutOut(quiet, lost.n, statusOf(lost), since);
  return (
    slower(loud, quiet, evidence) ??
    pass(
      `Key ${quiet.key} had all ${count(beside.length, 'request')} accepted while key ${loud.key} was refused.`,
    )
  );
}

/** A key that may be lost may be of the same account as the one under test; the key of another caller is not. */
function beyond(loud: LaneEvidence, quiet: LaneEvidence, limits: Limits) {
  const counting = ownCount(loud, quiet, limits);
  return {
    ...(counting === undefined ? {} : { counting }),
    ...(loud.key === 'sacrificial' ? { together: exchangesOf([loud, quiet]) } : {}),
  };
}

/** A neighbour that was accepted before, and is turned away like a banned one. */
function shutOut(quiet: LaneEvidence, n: number, status: number | undefined, since: number): LoadJudgement {
  const text = `request ${n} of key ${quiet.key} ${status === undefined ? 'got no answer' : `was answered ${status}`}`;
  const before = quiet.exchanges.some((one) => one.received.mono < since && accepted(one));
  if ((status === 401 || status === 403) && before && quiet.disturbance === undefined)
    return fail(
      `Expected the neighbour to be left alone, but ${text} although it was accepted before the other key went too far.`,
    );
  return inconclusive(`While the other key was refused, ${text}.`);
}

function slower(loud: LaneEvidence, quiet: LaneEvidence, evidence: LoadEvidence): LoadJudgement | undefined {
  const from = loud.samples.find(({ kind }) => LOUD.has(kind))?.sent ?? 0;
  const until = greatest(loud.samples.map(({ received }) => received));
  const latencies = (beside: boolean): readonly number[] =>
    ascending(
      quiet.samples
        .filter(
          ({ outcome, sent }) => outcome.kind === 'answer' && (sent >= from && sent <= until) === beside,
        )
        .map(latencyMs),
    );
  const [during, alone] = [latencies(true), latencies(false)];
  if (during.length < ENOUGH || alone.length < ENOUGH) return undefined;
  const [p95, solo] = [quantile(during, 0.95), quantile(alone, 0.95)];
  if (p95 <= Math.max(solo * SLOWER.factor, solo + SLOWER.byMs)) return undefined;
  const text = `95 of 100 answers of key ${quiet.key} took up to ${Math.round(p95)} ms while the other key sent, and ${Math.round(solo)} ms otherwise`;
  return missedSchedule(evidence) === undefined
    ? fail(`Expected the neighbour to be no slower, but ${text}.`)
    : inconclusive(`${text}.`);
}
