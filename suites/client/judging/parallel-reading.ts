import { least } from '../../../kernel/exchanges/collections.ts';
import type { StallLine } from '../model/journal.ts';
import type { ClientRequest } from './client-request.ts';
import { isLimited } from './client-request.ts';
import { mayBeUnderWay } from './early-of-one-task.ts';
import type { ClientStart } from './evidence.ts';
import { stalledWithin } from './stalls.ts';
import { announcedWait } from './waits.ts';

/** What several tasks with one key sent while one of them had to wait. */
export interface ParallelReading {
  /** The first request that was rate-limited. */
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
  /** The first request after the wait. */
  readonly later: ClientRequest | undefined;
}

/** A request on another connection may have been on its way this long when the 429 was written, and may come this much before the end (milliseconds). */
const TOLERANCE = 20;
/** The other responses are stamped before they are written; a request this much before them is no consequence of them (milliseconds). */
const BEFORE_RELEASE = 10;

/**
 * Reads a start in which one of several tasks was rate-limited; undefined where none was.
 * @param keepsToItsTasks whether the client is known to have no more tasks than it was given.
 */
export function readParallel(
  { requests, played, mostInFlight }: ClientStart,
  stalls: readonly StallLine[],
  keepsToItsTasks: boolean,
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
  const crossing = keepsToItsTasks
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
