import { greatest } from '../../../exchanges/extremes.ts';
import { statusOf } from '../../../exchanges/headers.ts';
import { accepted, isRateLimited } from '../../../rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import { count } from '../../../suites/evidence/quote.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../../model/latency.ts';
import type { LoadEvidence, ScenarioEvidence } from '../evidence.ts';
import { exchangesOf } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';
import { ownCount } from '../sharing.ts';
import { missedSchedule } from '../wholeness.ts';
import { judgeNo429 } from './within-limit.ts';

/** A neighbour's latency is compared where there are so many answers on both sides. */
const ENOUGH = 10;

/** Slower by this factor and by so many milliseconds is more than a network's mood. */
const SLOWER = { factor: 1.5, byMs: 250 };

export const neighbour: Expectation = {
  id: 'NEIGHBOUR',
  expects: 'The requests of one key do not affect another key: no 429, and no added latency.',
  rests: 'on every request and its time',
  judge(evidence) {
    const loud = evidence.scenarios.find(isLoud);
    const quiet = evidence.scenarios.find((scenario) => !isLoud(scenario));
    if (loud === undefined || quiet === undefined) return inconclusive('There were not two keys to compare.');
    return ofBoth(loud, quiet, evidence);
  },
};

const LOUD: ReadonlySet<string> = new Set(['burst', 'persist', 'polite']);
const isLoud = ({ steps }: ScenarioEvidence): boolean => steps.some(({ kind }) => LOUD.has(kind));

function ofBoth(loud: ScenarioEvidence, quiet: ScenarioEvidence, evidence: LoadEvidence): LoadJudgement {
  const since = loud.exchanges.find((one) => isRateLimited(one))?.received.mono;
  if (since === undefined) return inconclusive(`Key ${loud.key} was never refused, so it disturbed nobody.`);
  const beside = quiet.exchanges.filter(({ sent }) => sent.mono >= since);
  if (beside.length === 0)
    return inconclusive(`Key ${quiet.key} sent nothing any more when key ${loud.key} was refused.`);
  const judged = judgeNo429(quiet, evidence.limits, beyond(loud, quiet, evidence.limits));
  if (judged !== undefined && judged.verdict !== 'pass')
    return { ...judged, because: `Key ${quiet.key}, below its limit: ${judged.because}` };
  const lost = beside.find((one) => !accepted(one));
  if (lost !== undefined) return shutOut(quiet, lost.n, statusOf(lost), since);
  const text = `Key ${quiet.key} had all ${count(beside.length, 'request')} accepted while key ${loud.key} was refused`;
  const speed = speedOf(loud, quiet, evidence);
  if (speed === 'too few') return pass(`${text}; they are too few to compare how fast.`);
  return speed ?? pass(`${text}, as fast as otherwise.`);
}

/** A key that may be lost may be of the same account as the one under test; the key of another caller is not. */
function beyond(loud: ScenarioEvidence, quiet: ScenarioEvidence, limits: Limits) {
  const counting = ownCount(loud, quiet, limits);
  return {
    ...(counting === undefined ? {} : { counting }),
    ...(loud.key === 'disposable' ? { together: exchangesOf([loud, quiet]) } : {}),
  };
}

/** A neighbour that was accepted before, and is turned away like a banned one. */
function shutOut(
  quiet: ScenarioEvidence,
  n: number,
  status: number | undefined,
  since: number,
): LoadJudgement {
  const text = `request ${n} of key ${quiet.key} ${status === undefined ? 'got no answer' : `was answered ${status}`}`;
  const before = quiet.exchanges.some((one) => one.received.mono < since && accepted(one));
  if ((status === 401 || status === 403) && before && quiet.disturbance === undefined)
    return fail(
      `Expected the neighbour to be left alone, but ${text} although it was accepted before the other key went too far.`,
    );
  return inconclusive(`While the other key was refused, ${text}.`);
}

/** Where the neighbour of a key that goes too far is looked at: while that key sends, and for a window after it. */
const spansOf = (loud: ScenarioEvidence, { minuteSeconds }: Limits): readonly Beside[] => {
  const from = loud.samples.find(({ kind }) => LOUD.has(kind))?.sent ?? 0;
  const until = greatest(loud.samples.map(({ received }) => received));
  return [
    { from, until, when: 'while the other key sent' },
    { from, until: until + minuteSeconds * 1000, when: 'while the other key sent and for a window after it' },
  ];
};

/** Milliseconds since the Unix epoch, and the same in words. */
interface Beside {
  readonly from: number;
  readonly until: number;
  readonly when: string;
}

/**
 * What is wrong with how fast the quiet key was answered; undefined where nothing is. By the middle of the
 * answers: a single slow one, or a few that one pause of the network held up, accuse nobody.
 */
function speedOf(
  loud: ScenarioEvidence,
  quiet: ScenarioEvidence,
  evidence: LoadEvidence,
): LoadJudgement | 'too few' | undefined {
  const compared = spansOf(loud, evidence.limits).flatMap((span) => comparison(quiet, span) ?? []);
  const found = compared.find(
    ({ during, alone }) => during > Math.max(alone * SLOWER.factor, alone + SLOWER.byMs),
  );
  if (found === undefined) return compared.length === 0 ? 'too few' : undefined;
  const text = `half of the answers of key ${quiet.key} took ${Math.round(found.during)} ms or longer ${found.when}, and ${Math.round(found.alone)} ms otherwise`;
  return missedSchedule(evidence) === undefined
    ? fail(`Expected the neighbour to be no slower, but ${text}.`)
    : inconclusive(`${text}.`);
}

/** The middle latency of the quiet key within the span and outside of it, in milliseconds; undefined where there are too few answers. */
function comparison(
  { samples }: ScenarioEvidence,
  { from, until, when }: Beside,
): { readonly when: string; readonly during: number; readonly alone: number } | undefined {
  const latencies = (within: boolean): readonly number[] =>
    ascending(
      latencySamples(samples)
        .filter(({ sent }) => (sent >= from && sent <= until) === within)
        .map(latencyMs),
    );
  const [during, alone] = [latencies(true), latencies(false)];
  if (during.length < ENOUGH || alone.length < ENOUGH) return undefined;
  return { when, during: quantile(during, 0.5), alone: quantile(alone, 0.5) };
}
