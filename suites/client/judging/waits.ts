import { answerOf } from '../../../kernel/exchanges/headers.ts';
import { parseHttpDate } from '../../../kernel/exchanges/http-date.ts';
import { readRetryAfter } from '../../../kernel/exchanges/retry-after.ts';
import type { ClientHost } from '../model/journal.ts';
import type { ClientRequest } from './client-request.ts';
import { isLimited } from './client-request.ts';

/** A request may come this much before the end of a wait in seconds (milliseconds): clocks and timers are no finer. */
const SECONDS_TOLERANCE = 20;
/** The same for a wait until a date, for a client that reads the clock of this machine. */
const DATE_TOLERANCE = 50;
/** What the clock of another host may be ahead by (2 s), and the second that Date and HTTP-date leave out. */
const OTHER_CLOCK_TOLERANCE = 3000;

/** A wait that a 429 response announced. */
export interface AnnouncedWait {
  readonly limited: ClientRequest;
  readonly form: 'seconds' | 'date';
  /** From the response to the end of the wait, in milliseconds. */
  readonly milliseconds: number;
  /** As the header states it. */
  readonly text: string;
}

/** A request that came before the end of a wait. */
export interface EarlyRequest {
  readonly request: ClientRequest;
  readonly wait: AnnouncedWait;
  /** By how many milliseconds it came too early. */
  readonly early: number;
  /** `doubtful`: the clock of another host could explain it. */
  readonly kind: 'certain' | 'doubtful';
}

/** The wait that a response announced; undefined where it is no 429, or announces none that a client has to keep (0, a date in the past, nothing readable), or may not have been read. */
export function announcedWait(limited: ClientRequest): AnnouncedWait | undefined {
  const { response } = limited;
  if (response === undefined || limited.unread || !isLimited(limited)) return undefined;
  const after = readRetryAfter(answerOf(limited.exchange));
  if (after.kind !== 'seconds' && after.kind !== 'date') return undefined;
  const date = after.kind === 'date' ? parseHttpDate(after.text) : undefined;
  const milliseconds =
    after.kind === 'seconds' ? 1000 * after.seconds : 1000 * (date?.seconds ?? 0) - response.at.wall;
  return milliseconds > 0 ? { limited, form: after.kind, milliseconds, text: after.text } : undefined;
}

/**
 * By how many milliseconds a request came before the end of a wait; not positive where it came after it. The 429 was
 * stamped before it was written and the request when its head had been read, so the pause of the client is never
 * longer than this time. A date is compared on the clock of this machine, as it was at the response or as it is now,
 * whichever is later.
 */
export function earlyBy({ arrival }: ClientRequest, { limited, form, milliseconds }: AnnouncedWait): number {
  const from = limited.response?.at;
  if (from === undefined) return 0;
  const byMono = from.mono + milliseconds - arrival.at.mono;
  return form === 'seconds' ? byMono : Math.min(byMono, from.wall + milliseconds - arrival.at.wall);
}

/** The requests of one task that came before the end of a wait announced to the same key, each with the wait that it missed most. */
export function earlyRequests(
  requests: readonly ClientRequest[],
  where: ClientHost,
): readonly EarlyRequest[] {
  let waits: readonly AnnouncedWait[] = [];
  return requests.flatMap((request) => {
    waits = waits.filter((wait) => earlyBy(request, wait) > 0);
    const missed = waits
      .filter(({ limited }) => limited.keyed === request.keyed && isAfter(request, limited))
      .flatMap((wait) => earlyOf(request, wait, where))
      .sort((a, b) => b.early - a.early);
    const announced = announcedWait(request);
    if (announced !== undefined) waits = [...waits, announced];
    return missed.slice(0, 1);
  });
}

/** Whether a request came after a response was written. */
export const isAfter = ({ arrival }: ClientRequest, { response }: ClientRequest): boolean =>
  response !== undefined && arrival.at.mono > response.at.mono;

function earlyOf(request: ClientRequest, wait: AnnouncedWait, where: ClientHost): readonly EarlyRequest[] {
  const early = earlyBy(request, wait);
  if (early <= (wait.form === 'seconds' ? SECONDS_TOLERANCE : DATE_TOLERANCE)) return [];
  const certain = wait.form === 'seconds' || where === 'this host' || early > OTHER_CLOCK_TOLERANCE;
  return [{ request, wait, early, kind: certain ? 'certain' : 'doubtful' }];
}
