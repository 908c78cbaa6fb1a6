import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import type { OpenCause } from '../../kernel/rate-limits/attribution/attribution.ts';
import { causeOf429 } from '../../kernel/rate-limits/attribution/attribution.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import { OPEN_BY_WAIT } from '../../kernel/rate-limits/wait-scale.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Step } from '../model/profile.ts';
import type { ScenarioEvidence } from './evidence.ts';
import { unshownLimitText } from './unshown-limit.ts';

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

/** What caused a 429: the target, against the plan (`nonConforming`), or that is open; and why. */
export interface Attribution {
  readonly nonConforming: boolean;
  /** One sentence. */
  readonly text: string;
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

/** Why the cause of a 429 stays open, in a sentence or two. */
export const openText = (because: OpenCause, { connection }: Exchange): string =>
  because === 'next request' && connection.fresh
    ? `${OPEN_CAUSES[because]} It came over a new connection: a firewall may limit how fast connections are opened.`
    : OPEN_CAUSES[because];

const NON_CONFORMING: Attribution = {
  nonConforming: true,
  text: 'No conforming limiter of the plan rate-limits it for what was sent before.',
};

/** What is known beyond a scenario about the 429 responses of its key. */
export interface KnownBeyond {
  /** Everything that can count against the key; without it, what the scenario itself shows. */
  readonly counting?: readonly Exchange[];
  /** Whether another key of the run explains them before a limit does that no header shows. */
  readonly withAnotherKey?: boolean;
}

/**
 * Attributes a 429 of a scenario. Only what no conforming limiter of the plan
 * could have caused is attributed to the target.
 */
export function attribute(
  scenario: ScenarioEvidence,
  limited: Exchange,
  { counting, withAnotherKey = false }: KnownBeyond = {},
): Attribution {
  if (counting === undefined && scenario.anotherClient !== undefined)
    return { nonConforming: false, text: scenario.anotherClient };
  const { limits } = scenario;
  // What was sent before the run is the nearest reason, whatever wait the response announces.
  if (limited === scenario.exchanges[0])
    return { nonConforming: false, text: OPEN_CAUSES['use before the run'] };
  const cause = causeOf429(scenario, limited, limits, counting);
  const because = cause.kind === 'open' ? cause.because : 'another client';
  if (because !== 'another client') return { nonConforming: false, text: openText(because, limited) };
  const excused = cause.kind === 'open' || mayHaveUsedAllUnseen(scenario.exchanges, limited, limits);
  if (!scenario.exclusive && excused) return { nonConforming: false, text: OPEN_CAUSES['another client'] };
  const unshown = withAnotherKey ? undefined : unshownLimitText(scenario, limited);
  return unshown === undefined ? NON_CONFORMING : { nonConforming: false, text: unshown };
}
