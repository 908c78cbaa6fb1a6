import { dateHeaderSeconds } from '../../exchanges/http-date.ts';
import { readRateHeaders } from '../../exchanges/rate-headers.ts';
import { announcedWaitSeconds } from '../../exchanges/retry-after.ts';
import { showsUntouched } from '../../rate-limits/untouched.ts';
import type { Limits } from '../../spec/plans.ts';
import { answerOf } from '../model/answer.ts';
import type { Sample } from '../model/sample.ts';

/** Something to wait for: until when, in milliseconds since the Unix epoch, and why. */
export interface Pause {
  readonly until: number;
  readonly because: string;
}

/** Reset and Date are whole seconds. */
const RESOLUTION_MS = 1000;

/** No guard takes more of a window than this part, or a short window would be nothing but guard. */
const PART_OF_WINDOW = 10;

const minuteMs = (limits: Limits): number => limits.minuteSeconds * 1000;

const roundTrip = ({ sent, received }: Sample): number => received - sent;

/**
 * How far to stay away from the edge of a window, in milliseconds: a second of
 * resolution and three round trips, but no more than a tenth of the window.
 */
export function guardMs(look: Sample, limits: Limits): number {
  const whole = RESOLUTION_MS + 3 * roundTrip(look);
  return Math.min(whole, Math.max(minuteMs(limits) / PART_OF_WINDOW, 3 * roundTrip(look)));
}

/**
 * Where a burst may begin so that nothing sent before weighs on it and no edge
 * of a window cuts it in two; undefined where that is now.
 *
 * A key that the look shows in use, or of whose minute it shows nothing, is left
 * alone for two windows: a sliding counter remembers the window before.
 * @param look the latest request of the lane.
 * @param lastsMs how long the burst may take.
 */
export function room(look: Sample, lastsMs: number, limits: Limits): Pause | undefined {
  const guard = guardMs(look, limits);
  const windowMs = minuteMs(limits);
  const used = useOf(look, limits);
  const forgotten = Math.max(look.received + 2 * windowMs, retryAt(look) ?? 0) + guard;
  const free = used === undefined ? look.received : forgotten;
  const edge = edgeOf(look, limits);
  const first = edge === undefined ? undefined : edgeNear(edge, free, lastsMs + guard, windowMs);
  if (first !== undefined) {
    return { until: first + guard, because: used ?? 'a window ends before the burst would' };
  }
  return used === undefined ? undefined : { until: free, because: used };
}

/** Why the key may have been used before, or undefined where the look shows that it was not. */
function useOf(look: Sample, limits: Limits): string | undefined {
  if (look.outcome.kind === 'no-response') return 'nothing is known of the limit: two windows pass';
  const { limit, remaining } = readRateHeaders(answerOf(look.outcome).headers);
  if (limit !== limits.perMinute || remaining === undefined) {
    return 'the headers do not tell of the minute: two windows pass';
  }
  if (showsUntouched({ limit, remaining }, limits.perMinute)) return undefined;
  return `the key was in use (Remaining ${remaining} of ${limit}): two windows pass`;
}

/** When the announced window ends, on our own clock: not before, and not after. */
interface Edge {
  readonly earliest: number;
  readonly latest: number;
}

function edgeOf({ outcome, sent, received }: Sample, limits: Limits): Edge | undefined {
  if (outcome.kind === 'no-response') return undefined;
  const answer = answerOf(outcome);
  const { limit, reset } = readRateHeaders(answer.headers);
  if (limit !== limits.perMinute || reset === undefined) return undefined;
  const [least, most] = aheadOfUs(dateHeaderSeconds(answer), sent, received);
  return { earliest: reset * 1000 - RESOLUTION_MS - most, latest: reset * 1000 - least };
}

/**
 * How far the target's clock is ahead of ours, in milliseconds, at least and at
 * most. A Date that fits our own clock to the second says that they are one.
 */
function aheadOfUs(date: number | undefined, sent: number, received: number): readonly [number, number] {
  if (date === undefined) return [0, 0];
  const [least, most] = [date * 1000 - received, date * 1000 + RESOLUTION_MS - sent];
  return least <= 0 && most >= 0 ? [0, 0] : [least, most];
}

/** The end of the window in which `from` lies, or of a later one, if it is not `clear` milliseconds away. */
function edgeNear(edge: Edge, from: number, clear: number, windowMs: number): number | undefined {
  const windows = Math.max(0, Math.ceil((from - edge.latest) / windowMs));
  const [earliest, latest] = [edge.earliest + windows * windowMs, edge.latest + windows * windowMs];
  return earliest - from < clear ? latest : undefined;
}

/** When the wait that a response announces by Retry-After is over, in milliseconds since the Unix epoch. */
export function retryAt({ outcome, received }: Sample): number | undefined {
  if (outcome.kind === 'no-response') return undefined;
  const seconds = announcedWaitSeconds(answerOf(outcome));
  return seconds === undefined ? undefined : received + seconds * 1000;
}
