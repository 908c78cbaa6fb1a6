import { least } from '../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../kernel/exchanges/outcome-kinds.ts';
import { sameWithinOne } from '../../kernel/rate-limits/attribution/early-429.ts';
import { endOfWait } from '../../kernel/rate-limits/retries.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import { waitScale, waitsBesideReset } from '../../kernel/rate-limits/wait-scale.ts';
import type { Limits } from '../../spec/plans.ts';
import type { ScenarioEvidence } from './evidence.ts';

/**
 * Why a limit that no header shows may have caused a 429 of a scenario, in one sentence: a nearly exhausted day sends
 * one with the headers of the minute. Undefined where Remaining shows the minute exhausted, or where two rounds ended at
 * one Remaining.
 */
export function unshownLimitText(scenario: ScenarioEvidence, limited: Exchange): string | undefined {
  const { exchanges, limits } = scenario;
  // A bucket announces its next request, and in Reset when it is full.
  const beside = exchanges.find(
    (one) => isRateLimited(one) && waitScale(one, limits) === 'window' && waitsBesideReset(one),
  );
  if (beside !== undefined)
    return `Retry-After of request ${beside.n} does not end at the Reset of the same response, so another limit that no header shows, such as a nearly exhausted day, may be the cause.`;
  if (showsExhausted(limited, limits)) return undefined;
  const rounds = roundsOf(scenario);
  const own = rounds.findLast(({ first }) => first.sent.mono <= limited.sent.mono);
  if (own !== undefined && (own.lowest === 0 || rounds.some((one) => endAlike(one, own)))) return undefined;
  const other = limited.connection.fresh
    ? 'a limit of new connections that a firewall has'
    : 'a nearly exhausted day';
  return `It came while Remaining showed quota, and not again at the same Remaining after its wait, so another limit that no header shows, such as ${other}, may be the cause: run the profile backoff, which exhausts the limit several times.`;
}

/** The requests that were accepted up to a 429 that waited for no earlier one, and until its wait, of about a window, was over. */
interface Round {
  readonly first: Exchange;
  readonly accepted: number;
  /** The lowest Remaining of the minute that was shown. */
  readonly lowest: number;
}

/** The rounds of a scenario that ended with a 429. */
function roundsOf({ exchanges, limits }: ScenarioEvidence): readonly Round[] {
  const rounds: Round[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const first of exchanges.filter(isRateLimited)) {
    if (first.sent.mono < from || waitScale(first, limits) !== 'window') continue;
    const until = endOfWait(first) ?? Number.POSITIVE_INFINITY;
    const served = exchanges.filter((one) => accepted(one) && one.sent.mono >= from && one.sent.mono < until);
    const shown = served
      .flatMap((one) => readingOf(one) ?? [])
      .filter(({ limit }) => limit === limits.perMinute);
    rounds.push({ first, accepted: served.length, lowest: least(shown.map(({ remaining }) => remaining)) });
    from = until;
  }
  return rounds;
}

/** Whether two rounds ended at one point. A day that gives back one request after another does that with a request alone. */
const endAlike = (one: Round, another: Round): boolean =>
  one !== another &&
  Math.min(one.accepted, another.accepted) > 1 &&
  sameWithinOne([one.lowest, another.lowest]);

/** Whether a 429 shows the minute exhausted: then it is not about a limit that no header shows. */
function showsExhausted(limited: Exchange, { perMinute }: Limits): boolean {
  const reading = readingOf(limited);
  return reading?.limit === perMinute && reading.remaining === 0;
}
