import { secondsText } from '../../../kernel/basics/text.ts';
import { greatest, least } from '../../../kernel/exchanges/collections.ts';
import type { ClientRequest } from './client-request.ts';
import type { AnnouncedWait, EarlyRequest } from './waits.ts';

/** What sets the waits that a client did not keep apart from those that it kept. */
interface Compared {
  readonly early: readonly EarlyRequest[];
  readonly missed: readonly AnnouncedWait[];
  readonly kept: readonly AnnouncedWait[];
}

/**
 * What the early requests of a client have in common, as a sentence with a space before it: it points to the cause. Empty
 * where nothing sets them apart.
 * @param waits every announced wait that a request followed.
 */
export function earlyPattern(early: readonly EarlyRequest[], waits: readonly AnnouncedWait[]): string {
  const limited = new Set(early.map(({ wait }) => wait.limited));
  const missed = waits.filter((wait) => limited.has(wait.limited));
  const kept = waits.filter((wait) => !limited.has(wait.limited));
  if (missed.length === 0 || kept.length === 0) return '';
  const compared = { early, missed, kept };
  const causes = [countedFromRequest, creationsAlone, datesAlone, longAlone, secondsAlone];
  return causes.map((cause) => cause(compared)).find((text) => text !== undefined) ?? '';
}

/** A wait that is counted from the request may end so much (milliseconds) before the response is through. */
const ROUNDED = 50;
/** A response that took less than this (milliseconds) shows nothing of it. */
const SLOW = 200;

function countedFromRequest({ early }: Compared): string | undefined {
  const fits = early.every(({ early: by, wait: { limited } }) => {
    const took = tookOf(limited);
    return took >= SLOW && by <= took + ROUNDED && by >= took / 2;
  });
  return early.length > 1 && fits
    ? ' Each request was early by about as long as its 429 response took, as by a client that counts the wait from the moment at which it sends.'
    : undefined;
}

const tookOf = ({ arrival, response }: ClientRequest): number =>
  response === undefined ? 0 : response.at.mono - arrival.at.mono;

const inForm = (waits: readonly AnnouncedWait[], wanted: AnnouncedWait['form']): readonly AnnouncedWait[] =>
  waits.filter(({ form }) => form === wanted);
const longestOf = (waits: readonly AnnouncedWait[]): number =>
  greatest(waits.map(({ milliseconds }) => milliseconds));

const datesAlone = ({ missed, kept }: Compared): string | undefined =>
  inForm(missed, 'seconds').length === 0 && inForm(kept, 'seconds').length > 0
    ? ' Waits in seconds were kept, and only HTTP-dates were not, as by a client that does not read dates, or takes them for times in its own time zone.'
    : undefined;

const secondsAlone = ({ missed, kept }: Compared): string | undefined =>
  inForm(missed, 'date').length === 0 &&
  inForm(kept, 'date').length > 0 &&
  longestOf(missed) > longestOf(inForm(kept, 'seconds'))
    ? ' HTTP-dates were kept, and the longest waits in seconds were not, as by a client that reads the seconds as another unit, or not at all.'
    : undefined;

function creationsAlone({ missed, kept }: Compared): string | undefined {
  const isCreation = ({ limited }: AnnouncedWait): boolean => limited.arrival.method === 'POST';
  return missed.every(isCreation) && !kept.some(isCreation)
    ? ' Waits after a list were kept, and none after a creation, as by a client that retries creations by another rule; or, where the names of the headers were in lower case, one that does not find `Retry-After` then.'
    : undefined;
}

function longAlone({ missed, kept }: Compared): string | undefined {
  const longestKept = longestOf(kept);
  return least(missed.map(({ milliseconds }) => milliseconds)) > longestKept
    ? ` It kept waits of up to ${secondsText(longestKept)} and no longer one: a fixed or capped delay.`
    : undefined;
}
