import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import { greatest } from '../../../kernel/exchanges/collections.ts';
import type { Exchange, Instant } from '../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../kernel/exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../../kernel/exchanges/rate-headers.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, warn } from '../../../kernel/findings/judgement.ts';
import type { ClientHost } from '../model/journal.ts';
import type { ClientRequest } from './client-request.ts';
import { isLimited, pauseAfter } from './client-request.ts';
import type { ClientEvidence } from './evidence.ts';

/** A request may come this much before the end of a wait in seconds (milliseconds): clocks and timers are no finer. */
const SECONDS_TOLERANCE = 20;
/** The same for a wait until a date, for a client that reads the clock of this machine. */
const DATE_TOLERANCE = 50;
/** What the clock of another host may be ahead by (2 s), and the second that Date and HTTP-date leave out. */
const OTHER_CLOCK_TOLERANCE = 3000;

export interface AnnouncedWait {
  readonly limited: ClientRequest;
  /** When the 429 was written. */
  readonly from: Instant;
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
  /** Whether not even the clock of another host could explain it. */
  readonly isCertain: boolean;
}

/** The wait that a response announced; undefined where it is no 429, or announces none that a client has to keep (0, a date in the past, nothing readable), or may not have been read. */
export function announcedWait(limited: ClientRequest): AnnouncedWait | undefined {
  const { response } = limited;
  if (response === undefined || limited.unread || !isLimited(limited)) return undefined;
  const after = readRetryAfter(limited.exchange);
  if (after.kind !== 'seconds' && after.kind !== 'date') return undefined;
  const milliseconds = after.kind === 'seconds' ? 1000 * after.seconds : 1000 * after.at - response.at.wall;
  return milliseconds > 0
    ? { limited, from: response.at, form: after.kind, milliseconds, text: after.text }
    : undefined;
}

/** Not positive where it came after it. The pause of the client is never longer than this. A date has the later of two clocks. */
function earlyBy({ arrival }: ClientRequest, { from, form, milliseconds }: AnnouncedWait): number {
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

export const isAfter = ({ arrival }: ClientRequest, { response }: ClientRequest): boolean =>
  response !== undefined && arrival.at.mono > response.at.mono;

function earlyOf(request: ClientRequest, wait: AnnouncedWait, where: ClientHost): readonly EarlyRequest[] {
  const early = earlyBy(request, wait);
  if (early <= (wait.form === 'seconds' ? SECONDS_TOLERANCE : DATE_TOLERANCE)) return [];
  const isCertain = wait.form === 'seconds' || where === 'this host' || early > OTHER_CLOCK_TOLERANCE;
  return [{ request, wait, early, isCertain }];
}

/** For so long (milliseconds) a request may be under way on a busy machine: 1.2 s was measured with 40 clients on two cores. */
export const LONGEST_CROSSING = 1500;

/**
 * What came too early in the starts in which a client had one task. `early`: nothing else was under way, so the client
 * sent each although it had to wait. `crossing`: it had several tasks although it was given one, and another of them may
 * have sent each before the 429 was read.
 */
export function earlyOfOneTask(
  evidence: ClientEvidence,
): Readonly<Record<'early' | 'crossing', readonly EarlyRequest[]>> {
  const all = evidence.ofOneTask.flatMap(({ requests }) =>
    earlyRequests(requests, evidence.run.client.where),
  );
  const mayCross = ({ request, wait }: EarlyRequest): boolean =>
    !evidence.keepsToOneTask && mayBeUnderWay(request, wait.limited);
  return { early: all.filter((one) => !mayCross(one)), crossing: all.filter(mayCross) };
}

/** What a verdict on a client rests on that was not started for this test. */
const ONE_TASK =
  ' The client never had two requests in flight, so it is taken to have one task. If it has several that each wait for themselves, one plausible reading permits this.';

/** Why an early request of a client on another host is a warning. */
const OTHER_CLOCK =
  ' The client runs on another host, whose clock may be ahead: with a date this proves nothing.';

/**
 * What the early requests of one task prove; undefined where there are none. The certain ones decide, and all of them
 * where none is certain.
 * @param expected of the client during a wait. @param why whole sentences about the first of them and all.
 */
export function judgeEarly(
  evidence: ClientEvidence,
  expected: (wait: AnnouncedWait) => string,
  why: (first: EarlyRequest, early: readonly EarlyRequest[]) => string,
): Judgement | undefined {
  const { early, crossing } = earlyOfOneTask(evidence);
  const certain = early.filter(({ isCertain }) => isCertain);
  const decisive = certain.length > 0 ? certain : early;
  const [first] = decisive;
  if (first === undefined)
    return crossing.length === 0 ? undefined : inconclusive(crossingText(crossing), citedOf(crossing));
  const assumed = evidence.isCommand ? '' : ONE_TASK;
  const doubt = first.isCertain ? '' : OTHER_CLOCK;
  return (first.isCertain ? fail : warn)({
    expected: expected(first.wait),
    received: earlyText(first),
    reasoning: `${moreText(decisive.length - 1, 'request')} ${why(first, early)}${assumed}${doubt}`.trim(),
    exchanges: citedOf(decisive),
  });
}

const MOST_CITED = 3;

const citedOf = (early: readonly EarlyRequest[]): readonly Exchange[] => [
  ...new Set(
    early.slice(0, MOST_CITED).flatMap(({ wait, request }) => [wait.limited.exchange, request.exchange]),
  ),
];

/** Whether a request came so soon after a 429, on another connection, that another task may have sent it before. */
export const mayBeUnderWay = (request: ClientRequest, limited: ClientRequest): boolean =>
  request.arrival.connection.id !== limited.arrival.connection.id &&
  pauseAfter(limited, request) <= LONGEST_CROSSING;

/** Why these requests prove nothing, as a sentence. */
export const crossingText = (crossing: readonly unknown[]): string =>
  `The client sends with more tasks than it was given. ${countOf(crossing.length, 'request')} came less than ${LONGEST_CROSSING / 1000} s after a 429 response on another connection, and may have been sent before it was read. Test it again on a machine that does less at the same time, or let the client keep to \`PETSTORE_CONCURRENCY\`.`;

/** Points to the cause, with a space before it; empty where nothing sets them apart. @param waits every wait that a request followed. */
export function earlyPattern(early: readonly EarlyRequest[], waits: readonly AnnouncedWait[]): string {
  const limited = new Set(early.map(({ wait }) => wait.limited));
  const missed = waits.filter((wait) => limited.has(wait.limited));
  const kept = waits.filter((wait) => !limited.has(wait.limited));
  if (missed.length === 0 || kept.length === 0) return '';
  const [keptSeconds, keptDates] = [inForm(kept, 'seconds'), inForm(kept, 'date')];
  const longestKept = longestOf(kept);
  if (early.length > 1 && early.every(isCountedFromRequest))
    return ' Each request was early by about as long as its 429 response took, as by a client that counts the wait from the moment at which it sends.';
  if (missed.every(isOfCreation) && !kept.some(isOfCreation))
    return ' Waits after a list were kept, and none after a creation, as by a client that retries creations by another rule; or, where the names of the headers were in lower case, one that does not find `Retry-After` then.';
  if (inForm(missed, 'seconds').length === 0 && keptSeconds.length > 0)
    return ' Waits in seconds were kept, and only HTTP-dates were not, as by a client that does not read dates, or takes them for times in its own time zone.';
  if (missed.every(({ milliseconds }) => milliseconds > longestKept))
    return ` It kept waits of up to ${secondsText(longestKept)}, and none that was longer: a fixed or capped delay.`;
  return inForm(missed, 'date').length === 0 &&
    keptDates.length > 0 &&
    longestOf(missed) > longestOf(keptSeconds)
    ? ' HTTP-dates were kept, and the longest waits in seconds were not, as by a client that reads the seconds as another unit, or not at all.'
    : '';
}

/** A wait that is counted from the request may end so much (milliseconds) before the response is through. */
const ROUNDED = 50;
/** A response that took less than this (milliseconds) shows nothing of it. */
const SLOW = 200;

function isCountedFromRequest({ early, wait: { limited, from } }: EarlyRequest): boolean {
  const took = from.mono - limited.arrival.at.mono;
  return took >= SLOW && early <= took + ROUNDED && early >= took / 2;
}

const isOfCreation = ({ limited }: AnnouncedWait): boolean => limited.arrival.method === 'POST';

const inForm = (waits: readonly AnnouncedWait[], wanted: AnnouncedWait['form']): readonly AnnouncedWait[] =>
  waits.filter(({ form }) => form === wanted);

const longestOf = (waits: readonly AnnouncedWait[]): number =>
  greatest(waits.map(({ milliseconds }) => milliseconds));

/** Delays in the sentence of a finding: `0.30, 0.60 and 1.21 s`. */
export function delaysText(delays: readonly number[]): string {
  const texts = delays.map((delay) => (Math.max(0, delay) / 1000).toFixed(2));
  const last = texts.pop() ?? '';
  return `${texts.length === 0 ? last : `${texts.join(', ')} and ${last}`} s`;
}

/** A request with the scenario that it belongs to: `exchange 3 (GET /v1/categories) of wait-seconds`. */
export const requestName = ({ exchange }: ClientRequest): string =>
  `${exchangeName(exchange)} of \`${exchange.probe}\``;

/** What a 429 announced: `a wait of 3.00 s (Retry-After: 3) in exchange 1 (…) of …`. */
export const waitText = ({ limited, milliseconds, text }: AnnouncedWait): string =>
  `a wait of ${secondsText(milliseconds)} (\`Retry-After: ${text}\`) in ${requestName(limited)}`;

/** An early request: `exchange 2 (…) 1.01 s after the 429 response, 1.99 s before the end of the wait`. */
const earlyText = ({ request, wait, early }: EarlyRequest): string =>
  `${exchangeName(request.exchange)} ${secondsText(pauseAfter(wait.limited, request))} after the 429 response, ${secondsText(early)} before the end of the wait`;

/** By how much a request came after the end of a wait, in milliseconds. */
export const lateBy = (request: ClientRequest, wait: AnnouncedWait): number => -earlyBy(request, wait);

/** How often something shows besides the example that a finding gives, as a sentence. */
export const moreText = (count: number, noun: string): string =>
  count === 0 ? '' : ` The same shows in ${countOf(count, `other ${noun}`)}.`;
