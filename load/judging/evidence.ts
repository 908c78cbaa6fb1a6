import { greatest } from '../../kernel/exchanges/collections.ts';
import type { Exchange, Instant, Request } from '../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited as isLimitedExchange } from '../../kernel/exchanges/outcome-kinds.ts';
import type { Stated } from '../../kernel/findings/finding.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import type { LoadRecord, ThresholdId } from '../../kernel/findings/record.ts';
import type { Series } from '../../kernel/rate-limits/series.ts';
import { readingOf } from '../../kernel/rate-limits/series.ts';
import type { Limits } from '../../spec/plans.ts';
import type { ExpectationId } from '../../spec/register.ts';
import { ascending, latencyMs, latencySamples, nearestMedian, quantile } from '../model/latency.ts';
import type { Scenario } from '../model/profile.ts';
import type { Sample, SampleOutcome, ScenarioEvent } from '../model/sample.ts';
import { answerOf, isAccepted, isError, isMalformed, isRateLimited } from '../model/sample.ts';
import type { Measured } from './measured.ts';

export interface ScenarioEvidence extends Scenario {
  readonly plan: string;
  readonly planned: number;
  /** In the order of sending. Of a long run, those that `oneOf` of the evidence keeps. */
  readonly samples: readonly Sample[];
  /** The same requests as `kernel/rate-limits` reads them; empty once a key of a long run was judged. */
  readonly exchanges: readonly Exchange[];
  /** Stretches of use without a pause of a window; empty as well. */
  readonly series: readonly Series[];
  readonly stopped: Extract<ScenarioEvent, { kind: 'stopped' }> | undefined;
  /** Whether the user states that no other client uses the key: then every unexpected 429 counts against the target. */
  readonly exclusive: boolean;
  /** What shows another client of the key, in one sentence; undefined where nothing does, or where the user excludes one. */
  readonly anotherClient: string | undefined;
  /** What is wrong with the clocks of its requests, in one sentence; undefined where they kept time. */
  readonly clocks: string | undefined;
  readonly tally: ReturnType<typeof tallyOf>;
  readonly breakdown: Breakdown | undefined;
  readonly drift: ReturnType<typeof counterDrift>;
  /** When the first request of each step was due, milliseconds since the Unix epoch, and how many there were; by its position. */
  readonly stepsDue: ReadonlyMap<number, { readonly first: number; readonly requests: number }>;
}

export interface Breakdown {
  /** When the first of the requests was sent that were served no more, milliseconds since the Unix epoch. */
  readonly since: number;
  /**
   * Whose doing it is: `target` returns 5xx or closes connections; `silent` gives no response any more, as an
   * overloaded target does, or a network that fails at that moment; `network` could not even be reached.
   */
  readonly by: 'target' | 'silent' | 'network';
  /** The step in which the requests were sent that were answered no more: its position in the scenario. */
  readonly step: number;
  /** In a clause: `the target stopped responding (…)`. */
  readonly text: string;
}

/** Requests that failed in one way: how many, and the first of them. */
const failuresOf = (found: readonly Exchange[]) => ({ count: found.length, first: found[0] });

export function tallyOf(exchanges: readonly Exchange[]) {
  const unanswered = (isMalformed: boolean): readonly Exchange[] =>
    exchanges.filter(
      ({ outcome }) => outcome.kind === 'no-response' && (outcome.cause === 'malformed') === isMalformed,
    );
  return {
    requests: exchanges.length,
    accepted: exchanges.filter(accepted).length,
    rateLimited: exchanges.filter(isLimitedExchange).length,
    serverErrors: failuresOf(exchanges.filter((one) => (statusOf(one) ?? 0) >= 500)),
    /** Responses that came and that k6 could not read. */
    malformed: failuresOf(unanswered(true)),
    lost: failuresOf(unanswered(false)),
  };
}

export interface LoadEvidence {
  readonly scenarios: readonly ScenarioEvidence[];
  readonly ended: LoadRecord['ended'];
  readonly measured: Measured;
  /** One of so many requests of each key is in `samples`; 1 where all are. */
  readonly oneOf: number;
}

export const exchangesOf = (scenarios: readonly ScenarioEvidence[]): readonly Exchange[] =>
  scenarios.flatMap(({ exchanges }) => exchanges);

/** One thing that must hold for a profile to pass. Its judge is pure: no clock, no network, no environment. */
export type Expectation = KeyExpectation | RunExpectation;

interface Expected {
  /** What the register states, or a user. */
  readonly entry: Stated & { readonly id: ExpectationId | ThresholdId };
  readonly whyItMatters: string;
  /**
   * What a pass requires of the run itself: a run that sent too few requests or was cut short makes it inconclusive,
   * and so do late requests where the schedule matters. What is proven against the target stays proven.
   */
  readonly passRequires: 'every request' | 'every request on schedule';
}

/** An expectation that is judged on one key after the other, so that only one has to be in memory. */
export interface KeyExpectation extends Expected {
  readonly scope: 'each key';
  /** Undefined where the key did not do what is judged. */
  judge(scenario: ScenarioEvidence): Judgement | undefined;
  /** Judges a key that failed once more, with what the other keys sent. */
  reconsider?(scenario: ScenarioEvidence, together: Together): Judgement | undefined;
}

export interface RunExpectation extends Expected {
  /** `all keys`: their samples are compared, of a long run a part of them. `counts`: the counts or the percentiles, which are exact. */
  readonly scope: 'all keys' | 'counts';
  judge(evidence: LoadEvidence): Judgement;
  phases?(evidence: LoadEvidence): readonly LoadPhase[];
}

/** The requests of all keys of a run, which may belong to one account. */
export interface Together {
  readonly exchanges: readonly Exchange[];
  /** Whether these are all of them, or a part that shows when the others sent. */
  readonly complete: boolean;
}

/**
 * A sample as the exchange that `kernel/rate-limits` reads. Each scenario is judged by itself, so its key is the one
 * under test. k6 keeps no bodies, and of a connection only whether it was opened for the request.
 */
export function exchangeOf(sample: Sample): Exchange {
  const { n, kind, step, operation, sent, received, opened = false, outcome } = sample;
  return {
    kind: 'exchange',
    n,
    probe: kind,
    step: String(step),
    caller: 'key',
    connection: { id: 1, fresh: opened },
    request: REQUESTS[operation],
    sent: instant(sent),
    received: instant(received),
    outcome: outcomeOf(outcome),
  };
}

/** The headers of a 401 or 403 state nothing about the quota of the key, but when to try again. */
function outcomeOf(outcome: SampleOutcome): Exchange['outcome'] {
  if (outcome.kind === 'no-response') {
    const cause = isMalformed(outcome.error) ? 'malformed' : 'reset';
    return { kind: 'no-response', cause, detail: outcome.error };
  }
  const answer = answerOf(outcome);
  if (answer.status !== 401 && answer.status !== 403) return answer;
  return { ...answer, headers: answer.headers.filter(([name]) => name === 'Retry-After') };
}

const instant = (milliseconds: number): Instant => ({ wall: milliseconds, mono: milliseconds });

const REQUESTS: Readonly<Record<Sample['operation'], Request>> = {
  list: { method: 'GET', target: '/v1/categories', headers: [], body: null },
  create: { method: 'POST', target: '/v1/categories', headers: [], body: null },
};

/** From one moment, which is not part of it, to another, which is; milliseconds since the Unix epoch. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** When a request was due: its planned send time, else when it was sent; milliseconds since the Unix epoch. */
export const dueAt = ({ planned, sent }: Sample): number => planned ?? sent;

interface PhaseSamples {
  /** Those that were due in it. */
  readonly samples: readonly Sample[];
  /** All of the run, in any order. */
  readonly all: readonly Sample[];
  readonly span: Span;
  /** Of how many requests one was kept: with more than one, counts and rates are estimates. */
  readonly oneOf: number;
}

/** The figures of a phase of a run. A target that falls behind shows a lower rate of responses than was offered. */
export function phaseOf(
  name: string,
  { samples, all, span: { from, until }, oneOf }: PhaseSamples,
): LoadPhase {
  const latencies = ascending(latencySamples(samples).map(latencyMs));
  const seconds = Math.max(0.001, (until - from) / 1000);
  const accepted = samples.filter(isAccepted);
  const arrived = Math.max(until, greatest(accepted.map(({ received }) => received)));
  const offered = all.filter((one) => dueAt(one) > from && dueAt(one) <= until);
  return {
    name,
    seconds: Number(seconds.toFixed(3)),
    requests: oneOf * samples.length,
    offeredPerSecond: oneOf * rate(offered.length, seconds),
    acceptedPerSecond: oneOf * rate(accepted.length, (arrived - from) / 1000),
    p50: latencies.length === 0 ? null : quantile(latencies, 0.5),
    p99: latencies.length === 0 ? null : quantile(latencies, 0.99),
    errors: oneOf * samples.filter(isError).length,
    rateLimited: oneOf * samples.filter(isRateLimited).length,
    result: '',
  };
}

const rate = (count: number, seconds: number): number =>
  Number((count / Math.max(0.001, seconds)).toPrecision(4));

/** Windows that are not compared: until then, a limiter may still remember what came before. */
const SETTLING = 2;

const FEWEST_WINDOWS = 2;

/** The lowest Remaining of two windows may differ by this much where requests fall to either side of their border. */
const USUAL_DIFFERENCE = 2;

/**
 * Compares what Remaining came down to early and late in a run: under a constant load every conforming limiter repeats
 * itself, after two windows. Undefined of fewer than six whole windows with a Remaining of the minute.
 * @returns the medians of the first and of the last third of the windows, and whether they differ by more than the border
 * of a window explains.
 */
export function counterDrift(exchanges: readonly Exchange[], limits: Limits) {
  const windowMs = limits.minuteSeconds * 1000;
  const start = exchanges[0]?.sent.mono ?? 0;
  const windows = Math.floor(((exchanges.at(-1)?.received.mono ?? 0) - start) / windowMs);
  const lows = lowestByWindow(exchanges, limits, start)
    .slice(SETTLING, windows)
    .filter((low) => low !== undefined);
  const third = Math.floor(lows.length / 3);
  if (third < FEWEST_WINDOWS) return undefined;
  const [early, late] = [nearestMedian(lows.slice(0, third)), nearestMedian(lows.slice(-third))];
  return { early, late, drifted: Math.abs(late - early) > USUAL_DIFFERENCE + limits.perMinute / 20 };
}

/** The lowest Remaining of the minute in each window from the start; undefined where no response states one. */
function lowestByWindow(
  exchanges: readonly Exchange[],
  { perMinute, minuteSeconds }: Limits,
  start: number,
): readonly (number | undefined)[] {
  const lows: (number | undefined)[] = [];
  for (const exchange of exchanges) {
    const reading = readingOf(exchange);
    if (reading?.limit !== perMinute) continue;
    const window = Math.floor((exchange.sent.mono - start) / (minuteSeconds * 1000));
    lows[window] = Math.min(lows[window] ?? perMinute, reading.remaining);
  }
  return Array.from(lows);
}
