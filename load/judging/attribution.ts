import { greatest, least } from '../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../kernel/exchanges/outcome-kinds.ts';
import type { OpenCause } from '../../kernel/rate-limits/attribution.ts';
import { causeOf429 } from '../../kernel/rate-limits/attribution.ts';
import { showsUntouched, showsUse } from '../../kernel/rate-limits/bounds/windows.ts';
import { explainDiscrepancy } from '../../kernel/rate-limits/explanation.ts';
import { minuteQuota } from '../../kernel/rate-limits/quota.ts';
import type { Series } from '../../kernel/rate-limits/series.ts';
import {
  allTransitions,
  fallBeyondUse,
  readingOf,
  seriesOf,
  transitionsBefore429,
  unaccountedGain,
} from '../../kernel/rate-limits/series.ts';
import { OPEN_BY_WAIT } from '../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Step } from '../model/profile.ts';
import type { ScenarioEvidence, Together } from './evidence.ts';
import { unshownLimitText } from './fold.ts';

/** Requests with a schedule leave a gap before each of them, all through the run. */
const SCHEDULED: ReadonlySet<string> = new Set<Step['kind']>(['paced', 'scheduled']);

/** Another client that exhausts a quota at once, as a burst of `certify` or of this program does, hardly sends more requests in a millisecond. */
const FASTEST_PER_MS = 1;

/** Between the requests of a burst another client would have to hit the right moment; after so long a pause any moment is the right one, in milliseconds. */
const PAUSE_MS = 500;

/**
 * Whether another client of the key may have exhausted, between two requests of this run, the quota that the earlier
 * one of them showed, so that no response shows its use before the 429. A second run with the same key does that.
 */
function mayHaveUsedAllUnseen(
  exchanges: readonly Exchange[],
  limited: Exchange,
  { perMinute }: Limits,
): boolean {
  const last = exchanges
    .filter(({ sent }) => sent.mono < limited.received.mono)
    .flatMap((one) => readingOf(one) ?? [])
    .findLast(({ limit, remaining }) => limit === perMinute && remaining > 0);
  if (last === undefined) return false;
  const unseenMs = limited.received.mono - last.exchange.sent.mono;
  const leastMs = SCHEDULED.has(limited.probe) ? 0 : PAUSE_MS;
  return unseenMs >= leastMs && last.remaining <= FASTEST_PER_MS * unseenMs;
}

const OPEN_CAUSES: Readonly<Record<OpenCause, string>> = {
  ...OPEN_BY_WAIT,
  'use before the run':
    'The key was in use when the run began, so earlier requests of the key may be the cause: run the profile two windows after the last use of its keys.',
  'a wait that is not over': 'It came before the wait that an earlier 429 announced was over.',
  'own requests': 'Under a conforming limiter the run’s own earlier requests may be the cause.',
  'another client':
    'Since a response showed quota for it, another client had the time to use that quota: if no other client uses the keys, state that with --exclusive-key.',
};

export const openText = (because: OpenCause, { connection }: Exchange): string =>
  because === 'next request' && connection.fresh
    ? `${OPEN_CAUSES[because]} It came over a new connection: a firewall may limit how fast connections are opened.`
    : OPEN_CAUSES[because];

/** Why a 429 whose cause is not open counts against the target. */
export const NON_CONFORMING = 'No conforming limiter of the plan rate-limits it for what was sent before.';

/** What is known beyond a scenario about the 429 responses of its key. */
export interface KnownBeyond {
  /** Everything that can count against the key; without it, what the scenario itself shows. */
  readonly counting?: readonly Exchange[] | undefined;
  /** Whether another key of the run explains them before a limit does that no header shows. */
  readonly withAnotherKey?: boolean;
  /** The requests of every key that may be of the same caller. */
  readonly together?: Together;
}

/**
 * Why the cause of a 429 of a scenario stays open, in a sentence; undefined where no conforming limiter of the plan could
 * have caused it, so that it is attributed to the target.
 */
export function whyCauseOpen(
  scenario: ScenarioEvidence,
  limited: Exchange,
  { counting, withAnotherKey = false }: KnownBeyond = {},
): string | undefined {
  if (counting === undefined && scenario.anotherClient !== undefined) return scenario.anotherClient;
  const { limits } = scenario;
  // What was sent before the run is the nearest reason, whatever wait the response announces.
  if (limited === scenario.exchanges[0]) return OPEN_CAUSES['use before the run'];
  const cause = causeOf429(scenario, limited, limits, counting);
  if (cause !== 'target' && cause !== 'another client') return openText(cause, limited);
  const excused = cause === 'another client' || mayHaveUsedAllUnseen(scenario.exchanges, limited, limits);
  if (!scenario.exclusive && excused) return OPEN_CAUSES['another client'];
  return withAnotherKey ? undefined : unshownLimitText(scenario, limited);
}

const PERHAPS = 'another client may be using this key.';

/**
 * What shows another client of the key, in one sentence: Remaining that falls by more than was sent and that no fault
 * explains, or a limit that is in use after two windows in which this run sent nothing with the key.
 */
export function anotherClientShown(series: readonly Series[], limits: Limits): string | undefined {
  const quota = minuteQuota(limits);
  for (const [index, one] of series.entries()) {
    const first = one[0]?.exchanges[0];
    if (first === undefined) continue;
    const reading = readingOf(first);
    if (showsUse(reading, quota.limit) && restedBetween(series[index - 1], one, limits)) {
      return `After two windows without a request of this run Remaining was ${reading.remaining} of ${quota.limit}, not ${quota.limit - 1}: ${PERHAPS}`;
    }
    // A log that was in use before the run gives back in bulk.
    const untouched = showsUntouched(reading, quota.limit);
    if (!untouched && index === 0) continue;
    const found = explainDiscrepancy(one, quota, { others: [], everywhere: series, exclusive: false });
    if (found?.explanation.kind === 'fell beyond use') {
      const [from, to] = found.exchanges;
      return `Between request ${from?.n} and request ${to?.n} Remaining fell by more than was sent: ${PERHAPS}`;
    }
    const used = untouched ? usedInParallel(one, limits) : undefined;
    if (used !== undefined) return used;
  }
  return undefined;
}

/** Whether two windows lie between them, which even a sliding counter forgets. */
function restedBetween(before: Series | undefined, after: Series, limits: Limits): boolean {
  const end = before?.at(-1)?.received;
  const start = after[0]?.sent;
  return end !== undefined && start !== undefined && start - end >= 2 * limits.minuteSeconds * 1000;
}

/**
 * The same among requests that were sent at once, whose responses have no order: from an untouched limit, a response
 * shows more to be used than was sent until it came. What came after a 429 is left out, since some limiters count it.
 */
function usedInParallel(series: Series, { perMinute }: Limits): string | undefined {
  const exchanges = series.flatMap((step) => step.exchanges);
  const limitedAt = least(exchanges.filter(isRateLimited).map(({ received }) => received.mono));
  const served = exchanges.filter((one) => !isRateLimited(one));
  const readings = served
    .filter(({ sent }) => sent.mono < limitedAt)
    .flatMap((one) => readingOf(one) ?? [])
    .filter(({ limit }) => limit === perMinute)
    .sort((a, b) => a.exchange.received.mono - b.exchange.received.mono);
  let sent = 0;
  for (const { exchange, remaining } of readings) {
    while ((served[sent]?.sent.mono ?? Number.POSITIVE_INFINITY) <= exchange.received.mono) sent += 1;
    if (perMinute - remaining > sent)
      return `Request ${exchange.n} showed Remaining ${remaining} of ${perMinute}, where this run alone had used ${sent} at most: ${PERHAPS}`;
  }
  return undefined;
}

/** So many requests of the loud key must show in Remaining of the quiet one: fewer may be another client. */
const LEAST_SHOWN = 10;

/** In so many pairs of responses without a request of the loud key Remaining must fall by nothing else. */
const LEAST_QUIET_PAIRS = 5;

/**
 * How many requests of the loud key were counted against the quiet one; undefined where Remaining does not prove it.
 * Between any two responses of the quiet key Remaining fell by its own request and by what the other key had accepted
 * meanwhile, less what may have flowed back, and by nothing where the other key sent nothing. Another client of the
 * quiet key would have had to send as many requests at the same moments.
 */
export function countedAgainst(loud: ScenarioEvidence, quiet: ScenarioEvidence): number | undefined {
  const pairs = pairsOf(loud, quiet);
  const quietPairs = pairs.filter(({ perhaps }) => perhaps === 0);
  if (!pairs.every(fitsOneCount) || quietPairs.length < LEAST_QUIET_PAIRS) return undefined;
  const shown = greatest(pairs.map(({ fell }) => fell));
  return shown < LEAST_SHOWN ? undefined : shown;
}

/** Where Remaining rose, a window may have begun anew. */
const fitsOneCount = ({ fell, surely, perhaps, flow }: ReturnType<typeof pairsOf>[number]): boolean =>
  fell < 0 || (fell <= perhaps && fell >= surely - flow);

/** What two responses of the quiet key show in a row: those up to its first 429, in pairs that do not overlap. */
function pairsOf(
  { exchanges: ofLoud }: ScenarioEvidence,
  { exchanges, limits: { perMinute, minuteSeconds } }: ScenarioEvidence,
) {
  const loud = ofLoud.filter(accepted);
  const limitedAt = exchanges.findIndex(isRateLimited);
  const readings = exchanges
    .slice(0, limitedAt === -1 ? exchanges.length : limitedAt)
    .map((one) => readingOf(one));
  return readings.flatMap((to, at) => {
    const from = readings[at - 1];
    if (from?.limit !== perMinute || to?.limit !== perMinute) return [];
    const [a, b] = [from.exchange, to.exchange];
    if (a.received.mono > b.sent.mono) return [];
    const between = (start: number, end: number): number =>
      loud.filter(({ sent, received }) => sent.mono >= start && received.mono <= end).length;
    const perhaps = loud.filter(
      ({ sent, received }) => received.mono > a.sent.mono && sent.mono < b.received.mono,
    );
    const milliseconds = b.received.mono - a.sent.mono;
    return [
      {
        /** By how much Remaining fell, less the request of the second response itself; below zero where it rose. */
        fell: from.remaining - to.remaining - 1,
        /** Requests of the loud key that were surely accepted between the two decisions, and those that may have been. */
        surely: between(a.received.mono, b.sent.mono),
        perhaps: perhaps.length,
        /** The most that may have flowed back meanwhile. */
        flow: Math.ceil((perMinute * milliseconds) / (minuteSeconds * 1000)) + 1,
      },
    ];
  });
}

// Whether two keys of a run share one count. A conforming service may count the
// keys of one account together, and that looks like a third client of either key.

/** So many responses in a row, with requests of other keys between them, tell one count from two. */
const LEAST_OBSERVATIONS = 5;

/**
 * Whether a key surely has a count of its own: from an untouched limit on, its Remaining fell by exactly what it sent
 * while requests of other keys were accepted, and never by more up to its first 429. A limiter that gives back as much
 * as the others use does not do so from the first request on.
 */
export function hasOwnCount(scenario: ScenarioEvidence, all: readonly Exchange[]): boolean {
  const { limits } = scenario;
  const [first] = scenario.exchanges;
  const changes = scenario.series.flatMap((series) => transitionsBefore429(series, limits.perMinute));
  const firstGain = changes.findIndex((change) => unaccountedGain(change) > 0);
  const exact = firstGain === -1 ? changes : changes.slice(0, firstGain);
  const last = exact.at(-1)?.to.exchange;
  if (first === undefined || last === undefined) return false;
  if (!showsUntouched(readingOf(first), limits.perMinute)) return false;
  const neverBeyondUse = changes.every((change) => fallBeyondUse(change) === 0);
  const own = new Set(scenario.exchanges);
  const others = all.filter(
    (one) =>
      !own.has(one) &&
      accepted(one) &&
      one.sent.mono >= first.received.mono &&
      one.received.mono <= last.sent.mono,
  );
  return neverBeyondUse && exact.length >= LEAST_OBSERVATIONS && others.length >= LEAST_OBSERVATIONS;
}

/**
 * What counts against the quiet key where its Remaining falls by more than it sent, and one count of both keys explains
 * every reading, and each fall: then the loud key of this run shows there, and no third client. If nothing was used
 * when the run began, its own requests alone may count. Undefined where that is not so.
 */
export function countedWithLoudKey(
  loud: ScenarioEvidence,
  quiet: ScenarioEvidence,
): readonly Exchange[] | undefined {
  const { limits } = quiet;
  if (explainsReadings(quiet.series, limits) || !pairsOf(loud, quiet).every(fitsOneCount)) return undefined;
  const both = seriesOf([...loud.exchanges, ...quiet.exchanges], limits);
  const firstStep = both[0]?.[0]?.exchanges ?? [];
  const untouched = firstStep.some((one) => showsUntouched(readingOf(one), limits.perMinute));
  return untouched && explainsReadings(both, limits) ? quiet.exchanges : undefined;
}

const explainsReadings = (series: readonly Series[], limits: Limits): boolean =>
  anotherClientShown(series, limits) === undefined &&
  series.every((one) => allTransitions(one, limits.perMinute).every((change) => fallBeyondUse(change) === 0));

/** How probable a coincidence may be that is held against the target. */
const MOST_PROBABLE = 1e-6;

/**
 * The keys whose 429 responses begin with the first one of the loud key, unless that may be chance: then the loud key
 * explains them before limits do that no header shows. Those of the keys themselves, such as their days, may end at
 * any of their requests.
 */
export function limitedTogether(
  loud: ScenarioEvidence,
  others: readonly ScenarioEvidence[],
): readonly ScenarioEvidence[] {
  const together = others.filter((quiet) => beginsWith(loud, quiet));
  const chance = together.reduce((product, { exchanges }) => product / exchanges.length, 1);
  return chance <= MOST_PROBABLE ? together : [];
}

/**
 * Whether the first 429 of a key came to the first request that followed the first 429 of the loud key, or crossed it.
 * Over a new connection, a firewall that counts those of this machine may have sent it.
 */
function beginsWith(loud: ScenarioEvidence, quiet: ScenarioEvidence): boolean {
  const since = loud.exchanges.find(isRateLimited);
  const first = quiet.exchanges.find(isRateLimited);
  if (since === undefined || first === undefined || first.connection.fresh) return false;
  const next = quiet.exchanges.find(({ sent }) => sent.mono >= since.received.mono);
  return first.received.mono > since.sent.mono && first.n <= (next?.n ?? first.n);
}
