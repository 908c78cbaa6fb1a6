import { least, medianOfNumbers } from '../../../kernel/exchanges/collections.ts';
import { operationOf } from '../../../kernel/exchanges/exchange.ts';
import { readRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import type { StallLine } from '../model/journal.ts';
import type { Scenario } from '../model/scenario.ts';
import { backoffAfterSeconds, backoffAfterZero } from '../scenarios/index.ts';
import type { ClientRequest } from './client-request.ts';
import { isLimited, stalledWithin } from './client-request.ts';
import { announcedWait, earlyOfOneTask, mayBeUnderWay } from './early.ts';
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
  const [first] = starts;
  return {
    scenario,
    reading,
    usual,
    isPaced: reading.kind === 'flat' && isPace(medianOfNumbers(all), pace),
    requests: first === undefined ? [] : seriesOf(first),
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

/** What several tasks with one key sent while one of them had to wait. */
export interface ParallelReading {
  readonly limited: ClientRequest;
  /** The wait that its 429 announced. Later ones state the seconds left, rounded up, and are not compared with. */
  readonly seconds: number;
  readonly tasks: number;
  readonly mostInFlight: number;
  /** Requests while every other task was without a response: only the rate-limited task, a timer, or a task that the client was not given can have sent them. */
  readonly whileHeld: readonly ClientRequest[];
  /** Such requests of a client with more tasks than it was given: another of them may have sent each before the 429 was read. */
  readonly crossing: readonly ClientRequest[];
  /** Requests before the end of the wait that another task may have sent. */
  readonly released: readonly ClientRequest[];
  /** How long the responses of the other tasks were held while this program ran, in milliseconds; undefined where they were not. */
  readonly heldFor: number | undefined;
  readonly later: ClientRequest | undefined;
}

/** A request on another connection may have been on its way this long when the 429 was written, and may come this much before the end (milliseconds). */
const TOLERANCE = 20;
/** The other responses are stamped before they are written; a request this much before them is no consequence of them (milliseconds). */
const BEFORE_RELEASE = 10;

/** Undefined where no task was rate-limited. @param keepsToOneTask whether it never has more requests in flight than it was given tasks where that is one. */
export function readParallel(
  { requests, played, mostInFlight }: ClientStart,
  stalls: readonly StallLine[],
  keepsToOneTask: boolean,
): ParallelReading | undefined {
  const limited = requests.find(isLimited);
  const from = limited?.response?.at.mono;
  const wait = limited === undefined ? undefined : announcedWait(limited);
  if (limited === undefined || from === undefined || wait === undefined) return undefined;
  const tasks = played?.work.concurrency ?? 1;
  const held = requests.filter(
    (one) =>
      one !== limited &&
      one.arrival.at.mono <= from &&
      (one.response?.at.mono ?? Number.POSITIVE_INFINITY) > from,
  );
  // Only where every task waits for a response does a request show who sent it; one without a response may have been given up.
  const allHeld =
    tasks > 1 && held.length >= tasks - 1 && held.every(({ response }) => response !== undefined);
  const release = least(held.flatMap(({ response }) => response?.at.mono ?? []));
  const heldUntil = allHeld ? release - BEFORE_RELEASE : from;
  const until = from + wait.milliseconds;
  // On the connection of the 429 nothing can have been on its way.
  const isAfter = ({ connection, at }: ClientRequest['arrival']): boolean =>
    connection.id === limited.arrival.connection.id
      ? at.mono > from
      : sentAfter(at.mono, stalls) > from + TOLERANCE;
  const early = requests.filter(
    ({ arrival, keyed }) =>
      keyed === limited.keyed && isAfter(arrival) && arrival.at.mono < until - TOLERANCE,
  );
  const beforeRelease = early.filter(({ arrival: { at } }) => at.mono < heldUntil);
  // Where the others were not held, another task may have sent any of them.
  const crossing =
    keepsToOneTask && mostInFlight <= tasks
      ? []
      : (allHeld ? beforeRelease : early).filter((one) => mayBeUnderWay(one, limited));
  return {
    limited,
    seconds: wait.milliseconds / 1000,
    tasks,
    mostInFlight,
    whileHeld: beforeRelease.filter((one) => !crossing.includes(one)),
    crossing,
    released: early.filter((one) => one.arrival.at.mono >= heldUntil && !crossing.includes(one)),
    heldFor: allHeld ? release - from - stalledWithin(from, release, stalls) : undefined,
    later: requests.find(({ arrival: { at } }) => at.mono >= until - TOLERANCE),
  };
}

/** A request is read within this time (milliseconds) after a stall if it waited during the stall. */
const READ_AFTER_STALL = 100;

/** After which moment a request that was read at this one was sent: one that was read right after a stall may have waited since its beginning. */
const sentAfter = (read: number, stalls: readonly StallLine[]): number =>
  stalls
    .filter(({ at }) => at.mono <= read && read - at.mono <= READ_AFTER_STALL)
    .reduce((sent, { at, milliseconds }) => Math.min(sent, at.mono - milliseconds - TOLERANCE), read);
