import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { DecisionSpan } from '../../rate-limits/attribution/possible-429.ts';
import { couldBeRateLimited, decisionSpanOf } from '../../rate-limits/attribution/possible-429.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { showsUntouched } from '../../rate-limits/untouched.ts';
import { waitScale, waitSeconds429 } from '../../rate-limits/wait-scale.ts';
import type { Limits } from '../../spec/plans.ts';

import type { ScenarioEvidence } from './evidence.ts';

/** Whose doing a 429 is: the target's, against the plan; or nobody can say, and why. */
export interface Attribution {
  readonly nonConforming: boolean;
  /** One sentence. */
  readonly text: string;
}

/**
 * Weighs a 429 of a lane. Only what no lawful limiter of the plan could have done is laid at the target's door.
 * @param counting what can count against the key; without it, what the lane itself shows.
 */
export function attribute(
  scenario: ScenarioEvidence,
  limited: Exchange,
  limits: Limits,
  counting?: readonly Exchange[],
): Attribution {
  if (counting === undefined && scenario.disturbance !== undefined) return unclear(scenario.disturbance);
  switch (waitScale(limited, limits)) {
    case 'next request':
      return byPortions(scenario, limited, limits, counting);
    case 'longer':
      return unclear('Its wait is so long that another limit (a day, a penalty) must be the reason.');
    case 'unknown':
      return unclear('It does not say how long to wait, so the reason may be another limit.');
    case 'window':
      return byCount(scenario, limited, limits, counting ?? knownSince(scenario.exchanges, limited, limits));
  }
}

const unclear = (text: string): Attribution => ({ nonConforming: false, text });

/** A client that leaves the plan's own interval between its requests is refused by no bucket, however small. */
function byPortions(
  scenario: ScenarioEvidence,
  limited: Exchange,
  limits: Limits,
  counting: readonly Exchange[] | undefined,
): Attribution {
  const known = counting ?? knownSince(scenario.exchanges, limited, limits);
  return known === undefined ||
    couldBeRateLimited(
      decisionSpanOf(limited),
      known.filter((one) => one !== limited),
      limits,
      1,
    )
    ? unclear('Its wait is so short that the limit may be enforced in smaller portions.')
    : byCount(scenario, limited, limits, known);
}

function byCount(
  scenario: ScenarioEvidence,
  limited: Exchange,
  limits: Limits,
  known: readonly Exchange[] | undefined,
): Attribution {
  if (known === undefined)
    return unclear('The key was in use when the run began, so what was used before it may be the reason.');
  const { span, before } = circumstances(scenario, limited, known);
  if (known.some((earlier) => isToldToWait(earlier, limited)))
    return unclear('It came before the wait had passed that an earlier 429 asked for.');
  if (couldBeRateLimited(span, before, limits))
    return unclear('What the run itself had sent before it may be the reason under a lawful limiter.');
  if (usedUnseen(scenario.exchanges, limited, limits))
    return unclear('Since an answer left room for it, somebody else had the time to use that up.');
  return {
    nonConforming: true,
    text: 'No lawful limiter of the plan refuses it for what was sent before it.',
  };
}

/** A run that is silent for so much of a window knows little of what others did meanwhile. */
const LONG_SILENCE = 1 / 10;

/** Another client of the key hardly sends faster than this many times what the plan gives. */
const HASTE = 2;

/** Whether another client may have used up, while this run was silent, what the answer before had said was left. */
function usedUnseen(exchanges: readonly Exchange[], limited: Exchange, limits: Limits): boolean {
  const last = exchanges
    .filter(({ sent }) => sent.mono < limited.received.mono)
    .flatMap((one) => readingOf(one) ?? [])
    .findLast(({ limit, remaining }) => limit === limits.perMinute && remaining > 0);
  if (last === undefined) return false;
  const windows = (limited.received.mono - last.exchange.sent.mono) / (limits.minuteSeconds * 1000);
  return windows > LONG_SILENCE && last.remaining <= HASTE * limits.perMinute * windows;
}

/**
 * Where no 429 came before it, one of those that were under way together was
 * the first, and nothing but requests that were not refused came before that
 * one, whichever it was.
 */
function circumstances(
  { series }: ScenarioEvidence,
  limited: Exchange,
  known: readonly Exchange[],
): { readonly span: DecisionSpan; readonly before: readonly Exchange[] } {
  const together = series
    .flat()
    .find(({ exchanges }) => exchanges.includes(limited))
    ?.exchanges.filter(isRateLimited) ?? [limited];
  const from = least(together.map(({ sent }) => sent.mono));
  const earlier = known.some((one) => isRateLimited(one) && !together.includes(one) && one.sent.mono < from);
  if (earlier) {
    return { span: decisionSpanOf(limited), before: known.filter((one) => one !== limited) };
  }
  const to = greatest(together.map(({ received }) => received.mono));
  return { span: { from, to }, before: known.filter((one) => !isRateLimited(one)) };
}

/** Whether an earlier 429 asked for a wait that is not over; a second for what was rounded down. */
function isToldToWait(earlier: Exchange, limited: Exchange): boolean {
  if (!isRateLimited(earlier) || earlier.received.mono > limited.sent.mono) return false;
  const seconds = waitSeconds429(earlier);
  return seconds === undefined || limited.sent.mono < earlier.received.mono + (seconds + 1) * 1000;
}

/**
 * What counts against the key at a refusal, as far as the run can know all of
 * it: from the last answer that showed an untouched limit, or after two windows
 * of rest, or all of the run once it is two windows old. Undefined where the
 * time before the run may count, too.
 */
function knownSince(
  exchanges: readonly Exchange[],
  limited: Exchange,
  limits: Limits,
): readonly Exchange[] | undefined {
  const memoryMs = 2 * limits.minuteSeconds * 1000;
  let start: number | undefined;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [i, exchange] of exchanges.entries()) {
    if (exchange.sent.mono >= limited.sent.mono) break;
    const next = exchanges[i + 1];
    const alone =
      busyUntil <= exchange.sent.mono && (next === undefined || exchange.received.mono <= next.sent.mono);
    const rested = i > 0 && exchange.sent.mono - busyUntil >= memoryMs;
    if (rested || (alone && showsUntouched(readingOf(exchange), limits.perMinute))) start = i;
    busyUntil = Math.max(busyUntil, exchange.received.mono);
  }
  if (start !== undefined) return exchanges.slice(start);
  const [first] = exchanges;
  const isOld = first !== undefined && limited.sent.mono - first.sent.mono >= memoryMs;
  return isOld ? exchanges : undefined;
}
