import { greatest } from '../../../exchanges/collections.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { statusOf } from '../../../exchanges/headers.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../exchanges/outcome-kinds.ts';
import type { Limits } from '../../../spec/plans.ts';
import { countOf } from '../../../words/text.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../../model/latency.ts';
import { whyLate } from '../completeness.ts';
import type { LoadEvidence, ScenarioEvidence } from '../evidence.ts';
import { exchangesOf } from '../evidence.ts';
import type { Expectation, LoadJudgement } from '../expectation.ts';
import { fail, inconclusive, pass } from '../expectation.ts';
import { countedWithLoudKey } from '../shared-count.ts';
import { judgeNo429 } from './within-limit.ts';

/** Latencies are compared where there are so many responses on both sides. */
const ENOUGH = 10;

/** Slower by this factor and by so many milliseconds is more than the usual variation of a network. */
const SLOWER = { factor: 1.5, byMs: 250 };

export const leavesOtherKeyAlone: Expectation = {
  id: 'NEIGHBOUR',
  expected:
    'One key’s traffic does not affect another: the other key gets no 429 and is answered as fast as before.',
  passRequires: 'every request on schedule',
  judge(evidence) {
    const loud = evidence.scenarios.find(isLoud);
    const quiet = evidence.scenarios.find((scenario) => !isLoud(scenario));
    if (loud === undefined || quiet === undefined) return inconclusive('The run had no two keys to compare.');
    return ofBoth(loud, quiet, evidence);
  },
};

const LOUD: ReadonlySet<string> = new Set(['burst', 'persist', 'polite']);
const isLoud = ({ steps }: ScenarioEvidence): boolean => steps.some(({ kind }) => LOUD.has(kind));

function ofBoth(loud: ScenarioEvidence, quiet: ScenarioEvidence, evidence: LoadEvidence): LoadJudgement {
  const since = loud.exchanges.find((one) => isRateLimited(one))?.received.mono;
  if (since === undefined)
    return inconclusive(`Key ${loud.key} was never rate-limited, so it did not exceed its limit.`);
  const beside = quiet.exchanges.filter(({ sent }) => sent.mono >= since);
  if (beside.length === 0)
    return inconclusive(`Key ${quiet.key} sent nothing after key ${loud.key} was rate-limited.`);
  const judged = judgeNo429(quiet, evidence.limits, knownBeyond(loud, quiet, evidence.limits));
  if (judged !== undefined && judged.verdict !== 'pass')
    return { ...judged, because: `Key ${quiet.key}, below its limit: ${judged.because}` };
  const lost = beside.find((one) => !accepted(one));
  if (lost !== undefined) return shutOut(loud.key, quiet, lost, since);
  const text = `Key ${quiet.key} had all ${countOf(beside.length, 'request')} accepted while key ${loud.key} was rate-limited`;
  const speed = speedOf(loud, quiet, evidence);
  if (speed === 'too few') return pass(`${text}; they are too few to compare latencies.`);
  return speed ?? pass(`${text}, and its latency was the same as otherwise.`);
}

/** A disposable key may be of the same account as the key under test; the key of another caller is not. */
function knownBeyond(loud: ScenarioEvidence, quiet: ScenarioEvidence, limits: Limits) {
  const counting = countedWithLoudKey(loud, quiet, limits);
  return {
    ...(counting === undefined ? {} : { counting }),
    ...(loud.key === 'disposable' ? { together: exchangesOf([loud, quiet]) } : {}),
  };
}

/** A key that was accepted before, and is rejected like a banned one. */
function shutOut(loudKey: string, quiet: ScenarioEvidence, lost: Exchange, since: number): LoadJudgement {
  const status = statusOf(lost);
  const text = `request ${lost.n} of key ${quiet.key} ${status === undefined ? 'got no response' : `was answered ${status}`}`;
  const before = quiet.exchanges.some((one) => one.received.mono < since && accepted(one));
  if (isKeyRejected(lost) && before && quiet.anotherClient === undefined)
    return fail(
      `Expected the other key to be unaffected, but ${text} although it was accepted before key ${loudKey} exceeded its limit.`,
    );
  return inconclusive(`While the other key was rate-limited, ${text}.`);
}

/** When the quiet key is compared: while the loud key sends, and for a window after it. */
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
 * What is wrong with the latency of the quiet key; undefined where nothing is. Compared by the median: one slow
 * response, or a few that one pause of the network delayed, prove nothing.
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
  const text = `the median latency of key ${quiet.key} was ${Math.round(found.during)} ms ${found.when}, and ${Math.round(found.alone)} ms otherwise`;
  return whyLate(evidence) === undefined
    ? fail(`Expected the latency of the other key to be unaffected, but ${text}.`)
    : inconclusive(`${text}.`);
}

/** The median latency of the quiet key within the span and outside of it, in milliseconds; undefined where there are too few responses. */
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
