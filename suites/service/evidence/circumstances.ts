import { countOf } from '../../../kernel/basics/text.ts';
import { least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { readingThatCovers } from '../../../kernel/rate-limits/attribution/early-429.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import { exchangesOf, stepsOf } from '../../../kernel/rate-limits/series/series.ts';
import type { Use } from '../probes/uses.ts';
import { isMissing } from './accounted.ts';
import type { Evidence } from './evidence.ts';
import { uses } from './uses.ts';

/** What the requests that were turned away have in common; `text` is a sentence. */
export interface Circumstances {
  readonly only: 'in flight' | 'over new connections';
  readonly text: string;
}

/** So many other requests that were served show that what the ones that were not have in common matters. */
const LEAST_OTHERS = 10;

/** A firewall that limits new connections turns several away, each after several others in a second. */
const NEW_CONNECTIONS = { leastTurned: 2, leastBefore: 5, withinMs: 1000 } as const;

/**
 * What the requests of the key have in common that were turned away although quota remained, and the others have not:
 * others were in flight, or the connection was new. A limit of requests in flight or of new connections is a cause of
 * its own, which the specification does not mention. Undefined where nothing is common to them.
 */
export function circumstances(evidence: Evidence): Circumstances | undefined {
  const keyed = evidence.by('key');
  const early = new Set(evidence.fact(uses).flatMap((use) => earlyIn(use, evidence)));
  const turned = keyed.filter((one) => isUnanswered(one) || early.has(one));
  const served = keyed.filter((one) => !turned.includes(one) && (statusOf(one) ?? 500) < 500);
  const [first] = turned;
  if (first === undefined) return undefined;
  const together = new Map(
    stepsOf(keyed).flatMap(({ exchanges }) => exchanges.map((one) => [one, exchanges.length] as const)),
  );
  const alone = served.filter((one) => together.get(one) === 1);
  const inFlight = turned.every((one) => together.get(one) !== 1) && alone.length >= LEAST_OTHERS;
  const others = overFewNewConnections(turned, served, evidence.exchanges) ?? 0;
  const overNew = `only over a new connection, when several others had been opened in the same second, and none of ${others} over a kept connection or when fewer had been opened: the service, or a firewall before it, may limit how fast connections are opened`;
  if (inFlight)
    return {
      only: 'in flight',
      text: `${turnedText(turned)} only while others were in flight (${together.get(first)} at the same time in ${exchangeName(first)}), and none of ${alone.length} that were sent one at a time: the service may limit how many requests are in flight.${others < LEAST_OTHERS ? '' : ` They came ${overNew} instead.`}`,
    };
  return others < LEAST_OTHERS
    ? undefined
    : { only: 'over new connections', text: `${turnedText(turned)} ${overNew}.` };
}

const turnedText = (turned: readonly Exchange[]): string =>
  `Although quota remained, ${countOf(turned.length, 'request was', 'requests were')} not served,`;

const isFresh = ({ connection }: Exchange): boolean => connection.fresh;

/**
 * How many requests were served over a kept connection, or over a new one when fewer had been opened in a second than
 * before any that was turned away; undefined where new connections are not what those have in common. A connection
 * that was turned away when it was new may stay open and be used again.
 */
function overFewNewConnections(
  turned: readonly Exchange[],
  served: readonly Exchange[],
  exchanges: readonly Exchange[],
): number | undefined {
  const opened = exchanges.filter(isFresh).map(({ sent }) => sent.mono);
  const before = ({ sent }: Exchange): number =>
    opened.filter((at) => at <= sent.mono && at > sent.mono - NEW_CONNECTIONS.withinMs).length - 1;
  const fresh = turned.filter(isFresh);
  const turnedIds = new Set(fresh.map(({ connection }) => connection.id));
  const fewest = least(fresh.map(before));
  const isOpen = turned.some(({ connection }) => !turnedIds.has(connection.id));
  if (turned.length < NEW_CONNECTIONS.leastTurned || isOpen || fewest < NEW_CONNECTIONS.leastBefore)
    return undefined;
  return served.filter((one) => !isFresh(one) || before(one) < fewest).length;
}

/** Whether a response was lost, or the service was unavailable. */
const isUnanswered = (exchange: Exchange): boolean =>
  !isMissing(exchange) && (statusOf(exchange) === undefined || unavailable(exchange));

/**
 * The 429 responses of a stretch that came before the end of the quota: they show themselves that requests remain or,
 * without usable headers, the response before shows enough for all that were in flight.
 */
function earlyIn({ series, limited }: Use, { run: { limits } }: Evidence): readonly Exchange[] {
  if (limited === undefined || limited.before.length >= limits.perMinute) return [];
  const covered = readingThatCovers(series, limited.step, limits) !== undefined;
  return exchangesOf(series)
    .filter(isRateLimited)
    .filter((one) => {
      const reading = readingOf(one);
      if (reading === undefined) return covered && limited.step.exchanges.includes(one);
      return reading.limit === limits.perMinute && reading.remaining > 0;
    });
}
