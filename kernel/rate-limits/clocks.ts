import { greatest, least } from '../exchanges/collections.ts';
import type { Exchange, Instant } from '../exchanges/exchange.ts';
import { dateHeaderSeconds, isUndated, rateHeadersOf } from '../exchanges/rate-headers.ts';

/** What the three clocks of a recorded run show: the wall clock and the monotonic clock of the machine that ran it, and the `Date` of the target. */
export type ClockProblem =
  /** The monotonic clock stood still for so many milliseconds while the wall clock went on, and no Date shows that the wall clock was set. */
  | { readonly kind: 'suspended'; readonly between: readonly [Exchange, Exchange]; readonly byMs: number }
  /** Date went on or back by so many milliseconds more than both clocks of this machine. */
  | { readonly kind: 'set'; readonly between: readonly [Exchange, Exchange]; readonly byMs: number };

/** The wall clock is corrected little by little; a difference above this between two moments of a run is none of that, in milliseconds. */
const CORRECTION_MS = 1000;

/** A Date that is the same for longer is no clock, in milliseconds: many servers update it once a second. */
const STANDING_MS = 5000;

/** Whether the clocks of a run kept time: BOUNDS.md, "Clocks". @param skewSeconds how far the clocks of one service may differ. */
export function clockProblem(exchanges: readonly Exchange[], skewSeconds: number): ClockProblem | undefined {
  const stretches = stretchesOf(exchanges, skewSeconds);
  return suspensionOf(exchanges, stretches, skewSeconds) ?? settingOf(stretches, skewSeconds);
}

/** Whether one clock could have written every Date of a run. A gateway or an instance may set a Date of its own. */
export const hasOneDate = (exchanges: readonly Exchange[], skewSeconds: number): boolean =>
  stretchesOf(exchanges, skewSeconds).length <= 1;

/** The exchanges as they can be judged: where Date stands still, it shows no time, so they have none. */
export function withUsableDates(exchanges: readonly Exchange[]): readonly Exchange[] {
  return isDateStanding(exchanges) ? exchanges.map(withoutDate) : exchanges;
}

function withoutDate(exchange: Exchange): Exchange {
  const { outcome } = exchange;
  if (outcome.kind !== 'answer') return exchange;
  const headers = outcome.headers.filter(([name]) => name.toLowerCase() !== 'date');
  return { ...exchange, outcome: { ...outcome, headers } };
}

/** Responses in a row that one clock explains, and how far that clock is ahead of the monotonic clock of this machine, in seconds: between these. */
interface Stretch {
  readonly first: Exchange;
  readonly last: Exchange;
  readonly least: number;
  readonly most: number;
}

/** The stretches of a run in which one clock explains every Date. */
function stretchesOf(exchanges: readonly Exchange[], skewSeconds: number): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const next of datedOf(exchanges)) {
    const current = found.at(-1);
    if (current === undefined || areApart(current, next, skewSeconds)) {
      found.push(next);
      continue;
    }
    found[found.length - 1] = {
      first: current.first,
      last: next.last,
      least: Math.max(next.least, current.least),
      most: Math.min(next.most, current.most),
    };
  }
  return found;
}

const areApart = (one: Stretch, other: Stretch, skewSeconds: number): boolean =>
  Math.max(one.least, other.least) - Math.min(one.most, other.most) > skewSeconds;

/** Where the clock of Date was set. A clock that comes back to what it was is that of another instance, or of a cache. */
function settingOf(stretches: readonly Stretch[], skewSeconds: number): ClockProblem | undefined {
  const [before, after] = stretches;
  const comesBack = stretches.some((one, i) =>
    stretches.slice(i + 2).some((later) => !areApart(one, later, skewSeconds)),
  );
  if (before === undefined || after === undefined || comesBack) return undefined;
  const bySeconds = after.least > before.most ? after.least - before.least : after.most - before.most;
  return { kind: 'set', between: [before.last, after.first], byMs: bySeconds * 1000 };
}

/** The responses with a Date, in the order of sending. One that shows the same Date and quota as another one may be stored, and is left out. */
function datedOf(exchanges: readonly Exchange[]): readonly Stretch[] {
  const shown = new Set<string>();
  const found: Stretch[] = [];
  for (const exchange of exchanges.toSorted((a, b) => a.sent.mono - b.sent.mono)) {
    const date = dateHeaderSeconds(exchange);
    if (date === undefined) continue;
    const { limit, remaining, reset } = rateHeadersOf(exchange);
    const text = `${date} ${limit} ${remaining} ${reset}`;
    if (shown.has(text)) continue;
    shown.add(text);
    const { sent, received } = exchange;
    found.push({
      first: exchange,
      last: exchange,
      least: date - received.mono / 1000,
      most: date + 1 - sent.mono / 1000,
    });
  }
  return found;
}

/** Whether every Date is the same, for longer than any clock shows the same second. */
export function isDateStanding(exchanges: readonly Exchange[]): boolean {
  const dated = exchanges.filter((one) => !isUndated(one));
  if (new Set(dated.map(dateHeaderSeconds)).size !== 1) return false;
  const spanMs =
    greatest(dated.map(({ sent }) => sent.mono)) - least(dated.map(({ received }) => received.mono));
  return spanMs > STANDING_MS;
}

/** Where the wall clock gained on the monotonic one. Date tells a suspended machine, with which it gains as well, from a wall clock that was set. */
function suspensionOf(
  exchanges: readonly Exchange[],
  stretches: readonly Stretch[],
  skewSeconds: number,
): ClockProblem | undefined {
  const ahead = exchanges.flatMap(({ sent, received }) => [aheadMs(sent), aheadMs(received)]);
  if (greatest(ahead) - least(ahead) <= CORRECTION_MS) return undefined;
  const moments = exchanges
    .flatMap((exchange) => [exchange.sent, exchange.received].map((at) => ({ exchange, at })))
    .sort((a, b) => a.at.mono - b.at.mono);
  for (const [i, next] of moments.entries()) {
    const last = moments[i - 1];
    if (last === undefined) continue;
    const byMs = aheadMs(next.at) - aheadMs(last.at);
    if (byMs <= CORRECTION_MS) continue;
    const isWallSet = stretches.length === 1 && byMs > 2 * skewSeconds * 1000;
    if (!isWallSet) return { kind: 'suspended', between: [last.exchange, next.exchange], byMs };
  }
  return undefined;
}

const aheadMs = ({ wall, mono }: Instant): number => wall - mono;
