import { least, medianOfNumbers } from '../../../kernel/exchanges/collections.ts';
import { operationOf } from '../../../kernel/exchanges/exchange.ts';
import { readRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import type { StallLine } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { backoffAfterSeconds, backoffAfterZero } from '../scenarios/index.ts';
import type { ClientRequest } from './client-request.ts';
import { isLimited, stalledWithin } from './client-request.ts';
import { earlyOfOneTask } from './early.ts';
import type { ClientEvidence, ClientStart } from './evidence.ts';
import { completed } from './evidence.ts';
import type { SeriesReading } from './series.ts';
import { readSeries } from './series.ts';

/** What a client adds to the announced waits of one scenario. */
export interface OwnDelays {
  readonly scenario: Scenario;
  readonly reading: SeriesReading;
  /** The requests of the first run that the series is read from. */
  readonly requests: readonly ClientRequest[];
  /** What the client takes for any request, in milliseconds; 0 where it shows too few that nothing limits. */
  readonly usual: number;
  /** Whether constant pauses are as long as what the client leaves between any two requests: a shorter backoff would not show. */
  readonly isPaced: boolean;
  /** For how long this program did not run during the pauses of all runs, in milliseconds. */
  readonly stalled: number;
  /** Whether the one call that the client was given had several requests in flight: what lies between them is no delay of it. */
  readonly isCrowded: boolean;
  /** Whether a request of the scenario got 429 at all. */
  readonly limited: boolean;
  /** Whether the client waited for Retry-After at all; where it did not, the delays are the pauses themselves. */
  readonly honoured: boolean;
}

interface Pause {
  /** From the 429 to the next request, in milliseconds. */
  readonly milliseconds: number;
  /** The part of it that Retry-After announced. */
  readonly announced: number;
  /** The part of it in which this program did not run: a request that arrived meanwhile was stamped so much later, at most. */
  readonly stalled: number;
}

/** Own delays shorter than this (milliseconds) mean that the client did not wait for Retry-After. */
const EARLIEST = -20;

/** The delays of a client in the completed starts of a scenario. */
export function ownDelays(evidence: ClientEvidence, scenario: Scenario): OwnDelays {
  // A start in which nothing was sent shows no delay, and not that there is none. Where a 429 was not read, no delay follows it.
  const sent = evidence.of(scenario).filter((start) => completed(start) && start.requests.length > 0);
  const single = sent.filter(({ mostInFlight }) => mostInFlight <= 1);
  const starts = single.filter(({ requests }) => !requests.some((one) => one.unread && isLimited(one)));
  const pauses = starts.map((start) => pausesOf(seriesOf(start), evidence.stalls));
  const honoured = isHonoured(pauses.flat(), evidence);
  const pace = usualPause(evidence);
  const usual = Math.min(pace, least(pausesAfterLimits(evidence)));
  const reading = readPauses(pauses, honoured, usual);
  const all = pauses.flat().map(({ milliseconds }) => milliseconds);
  return {
    scenario,
    reading,
    usual,
    isPaced: reading.kind === 'flat' && isPace(medianOfNumbers(all), pace),
    requests: starts.slice(0, 1).flatMap(seriesOf),
    stalled: pauses.flat().reduce((total, { stalled }) => total + stalled, 0),
    isCrowded: single.length === 0 && sent.length > 0,
    limited: starts.some(({ requests }) => requests.some(isLimited)),
    honoured,
  };
}

/** The delays in these pauses. Growth has to show without what stalls of this machine may have added, too. */
function readPauses(runs: readonly (readonly Pause[])[], honoured: boolean, usual: number): SeriesReading {
  const own = ({ milliseconds, announced }: Pause): number => milliseconds - (honoured ? announced : 0);
  const reading = readSeries(
    runs.map((run) => run.map(own)),
    usual,
  );
  if (reading.kind !== 'grows') return reading;
  const least = readSeries(runs.map((run) => run.map((pause) => Math.max(0, own(pause) - pause.stalled))));
  return least.kind === 'grows' ? reading : { ...reading, kind: 'unclear' };
}

/** So many pauses show what is usual. */
const LEAST_PAUSES = 5;

/** Pauses are those between any two requests down to this share of them and this noise (milliseconds), and up to the factor by which constant ones may differ. */
const PACE = { least: 0.94, most: 1.25, noise: 40 } as const;
const isPace = (pause: number, pace: number): boolean =>
  pause >= PACE.least * pace - PACE.noise && pause <= PACE.most * pace;

/** From a success to the next request: a script starts a program for each, and a client that limits itself waits for its turn. 0 where it shows too few. */
function usualPause(evidence: ClientEvidence): number {
  const afterSuccess = evidence.ofOneTask.flatMap(({ requests }) =>
    requests.slice(1).flatMap(({ arrival }, at) => {
      const response = requests[at]?.response;
      return response !== undefined && response.status < 300 && arrival.at.mono > response.at.mono
        ? [arrival.at.mono - response.at.mono]
        : [];
    }),
  );
  return afterSuccess.length < LEAST_PAUSES ? 0 : medianOfNumbers(afterSuccess);
}

/** What the client adds to the announced waits of the series, in milliseconds. */
const pausesAfterLimits = (evidence: ClientEvidence): readonly number[] =>
  evidence
    .of(backoffAfterSeconds, backoffAfterZero)
    .flatMap((start) => pausesOf(seriesOf(start), evidence.stalls))
    .map(({ milliseconds, announced }) => Math.max(0, milliseconds - announced));

/**
 * Whether these pauses contain the announced wait. A client that came too early after a longer wait either keeps short
 * ones only, or reads no Retry-After, and its pauses are long enough by themselves. Retry-After 0 shows which: where the
 * delays do not grow after it, a growth that appears once a wait is subtracted is none.
 */
function isHonoured(pauses: readonly Pause[], evidence: ClientEvidence): boolean {
  if (pauses.some(({ milliseconds, announced }) => milliseconds - announced < EARLIEST)) return false;
  if (pauses.every(({ announced }) => announced === 0)) return true;
  const ignoresWaits = earlyOfOneTask(evidence).early.some(
    ({ request, wait }) => wait.form === 'seconds' && request.arrival.method === 'GET',
  );
  return !ignoresWaits || ownDelays(evidence, backoffAfterZero).reading.kind === 'grows';
}

/** The lists of a start up to the first response other than 429: a heartbeat on another path is no attempt of the call. */
function seriesOf({ requests }: ClientStart): readonly ClientRequest[] {
  const lists = requests.filter(({ exchange }) => /^GET .*\/categories$/.test(operationOf(exchange)));
  const last = lists.findIndex((request) => !isLimited(request));
  return last === -1 ? lists : lists.slice(0, last + 1);
}

/** The pauses between a 429 and the next request; the last, unfinished one is none. */
function pausesOf(series: readonly ClientRequest[], stalls: readonly StallLine[]): readonly Pause[] {
  return series.slice(1).flatMap(({ arrival }, at) => {
    const limited = series[at];
    if (limited?.response === undefined) return [];
    const [from, until] = [limited.response.at.mono, arrival.at.mono];
    const stalled = stalledWithin(from, until, stalls);
    return [{ milliseconds: until - from, announced: announcedMilliseconds(limited), stalled }];
  });
}

function announcedMilliseconds(limited: ClientRequest): number {
  const after = readRetryAfter(limited.exchange);
  return after.kind === 'seconds' ? 1000 * after.seconds : 0;
}
