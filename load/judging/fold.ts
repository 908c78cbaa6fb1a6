import { capitalized } from '../../kernel/basics/text.ts';
import { least } from '../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { furtherReasoned, inconclusive, isAdverse } from '../../kernel/findings/judgement.ts';
import { sameWithinOne } from '../../kernel/rate-limits/attribution.ts';
import { readingOf } from '../../kernel/rate-limits/series.ts';
import { endOfWait, waitScale, waitsBesideReset } from '../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../spec/plans.ts';
import { keyText } from '../model/key-list.ts';
import type { KeyAlias } from '../model/profile.ts';
import { EXCEEDING_STEPS } from '../model/profile.ts';
import type { ScenarioEvidence } from './evidence.ts';

/** The judgements that decide together: the failures, else the inconclusive ones, else all. */
const deciding = <One>(judged: readonly One[], foundOf: (one: One) => Judgement): readonly One[] =>
  ['fail', 'inconclusive', 'pass']
    .map((verdict) => judged.filter((one) => foundOf(one).verdict === verdict))
    .find((some) => some.length > 0) ?? [];

/**
 * The judgement of a run from those of its keys, in the order of the scenarios.
 * @param keys how many keys there are, also without a judgement; 1 where each judgement names its key.
 */
export function foldKeys(
  judged: readonly { readonly key: KeyAlias; readonly found: Judgement }[],
  keys: number,
): Judgement {
  const [first, ...others] = deciding(judged, ({ found: one }) => one);
  if (first === undefined) return inconclusive('No request of the run shows it.');
  const found = keys === 1 ? first.found : ofWhom(first.found, keyText(first.key));
  return others.length === 0
    ? found
    : withMore(found, `The same holds for ${others.length} more of ${judged.length} keys.`);
}

/** What several questions about a run give together: the failures, else what is inconclusive, else that all pass. */
export function foldAll(judged: readonly [Judgement, ...Judgement[]]): Judgement {
  const [first = judged[0], ...others] = deciding(judged, (found) => found);
  return others.reduce((all, one) => withMore(all, textOf(one)), first);
}

/** A judgement that says whose it is: `key other, below its limit`. */
export function ofWhom(found: Judgement, whose: string): Judgement {
  const beginning = `${capitalized(whose)}:`;
  if (found.verdict === 'pass') return { ...found, checked: `${beginning} ${found.checked}` };
  if (isAdverse(found)) return { ...found, received: `${found.received} (${whose})` };
  return { ...found, reason: `${beginning} ${found.reason}` };
}

export function withMore(found: Judgement, sentence: string): Judgement {
  if (found.verdict === 'pass') return { ...found, checked: `${found.checked} ${sentence}` };
  if (isAdverse(found)) return furtherReasoned(found, sentence);
  return { ...found, reason: `${found.reason} ${sentence}` };
}

export function textOf(found: Judgement): string {
  if (found.verdict === 'pass') return found.checked;
  return 'expected' in found ? factText(found) : found.reason;
}

/** Whether a key sends so many requests, and not evenly. */
export const sendsInOnePiece = ({ steps, planned }: ScenarioEvidence, requests: number): boolean =>
  planned >= requests && steps.some(({ kind }) => EXCEEDING_STEPS.has(kind));

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
