import { accepted, isRateLimited } from '../../kernel/exchanges/outcome-kinds.ts';
import type { Reading } from '../../kernel/rate-limits/series/reading.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import type { ScenarioEvidence } from './evidence.ts';

/** So many requests of the loud key must show in Remaining of the quiet one: fewer may be another client. */
const LEAST_SHOWN = 10;

/** In so many pairs of responses without a request of the loud key Remaining must fall by nothing else. */
const LEAST_QUIET_PAIRS = 5;

/** What two responses of the quiet key show in a row. */
interface Pair {
  /** By how much Remaining fell, less the request of the second response itself; below zero where it rose. */
  readonly fell: number;
  /** Requests of the loud key that were surely accepted between the two decisions, and those that may have been. */
  readonly surely: number;
  readonly perhaps: number;
  /** The most that may have flowed back meanwhile. */
  readonly flow: number;
}

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
  const shown = Math.max(0, ...pairs.map(({ fell }) => fell));
  return shown < LEAST_SHOWN ? undefined : shown;
}

/** Whether no two responses of the quiet key contradict one count of both keys. */
export const mayBeOneCount = (loud: ScenarioEvidence, quiet: ScenarioEvidence): boolean =>
  pairsOf(loud, quiet).every(fitsOneCount);

/** Where Remaining rose, a window may have begun anew. */
const fitsOneCount = ({ fell, surely, perhaps, flow }: Pair): boolean =>
  fell < 0 || (fell <= perhaps && fell >= surely - flow);

/** The responses of the quiet key up to its first 429, in pairs that do not overlap. */
function pairsOf(
  { exchanges: ofLoud }: ScenarioEvidence,
  { exchanges, limits: { perMinute, minuteSeconds } }: ScenarioEvidence,
): readonly Pair[] {
  const loud = ofLoud.filter(accepted);
  const limitedAt = exchanges.findIndex(isRateLimited);
  const readings = exchanges
    .slice(0, limitedAt === -1 ? exchanges.length : limitedAt)
    .map((one) => readingOf(one));
  return readings.flatMap((to, at) => {
    const from = readings[at - 1];
    if (from === undefined || to === undefined || !isComparable(from, to, perMinute)) return [];
    const [a, b] = [from.exchange, to.exchange];
    const between = (start: number, end: number): number =>
      loud.filter(({ sent, received }) => sent.mono >= start && received.mono <= end).length;
    const perhaps = loud.filter(
      ({ sent, received }) => received.mono > a.sent.mono && sent.mono < b.received.mono,
    );
    const milliseconds = b.received.mono - a.sent.mono;
    return [
      {
        fell: from.remaining - to.remaining - 1,
        surely: between(a.received.mono, b.sent.mono),
        perhaps: perhaps.length,
        flow: Math.ceil((perMinute * milliseconds) / (minuteSeconds * 1000)) + 1,
      },
    ];
  });
}

const isComparable = (from: Reading, to: Reading, limit: number): boolean =>
  from.limit === limit && to.limit === limit && from.exchange.received.mono <= to.exchange.sent.mono;
