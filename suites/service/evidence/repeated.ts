import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { cacheLine } from '../../../kernel/exchanges/headers.ts';
import { accepted, exchangeName, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Adverse, Judgement } from '../../../kernel/findings/judgement.ts';
import { furtherReasoned, unproven } from '../../../kernel/findings/judgement.ts';
import { sameWithinOne } from '../../../kernel/rate-limits/attribution.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import { exchangesOf, readingOf, surelyCounts } from '../../../kernel/rate-limits/series.ts';
import { endOfWait, waitsBesideReset } from '../../../kernel/rate-limits/waits.ts';
import { isBaseline } from '../probes/preflight.ts';
import type { Use } from '../probes/recount.ts';
import { ROUNDS_ALIKE } from '../probes/repetition.ts';
import type { Evidence } from './evidence.ts';
import { miscounted, perhapsAnotherClient, uses } from './uses.ts';

/**
 * A judgement that another client of the key could have caused stands where the user stated that there is none, else
 * only if every repetition shows the same, and three in a row to the same extent (`measure`; undefined where a
 * stretch shows none). Such a client repeats it, too, but to another extent: the same one twice in a row in one of
 * 93,000 simulated runs.
 */
export function ifRepeated(
  evidence: Evidence,
  adverse: Adverse,
  measure: (use: Use) => number | undefined,
): Judgement {
  if (evidence.exclusive) return adverse;
  const rounds = repetitions(evidence);
  const found = rounds.map(measure).filter((one) => one !== undefined);
  const steady = found.some(
    (_, i) => i + 1 >= ROUNDS_ALIKE && sameWithinOne(found.slice(i + 1 - ROUNDS_ALIKE, i + 1)),
  );
  const each = found.length === rounds.length;
  // Of a run that broke off, the rounds to come could have shown otherwise.
  if (evidence.finished && each && steady) return repeatedIn(adverse, rounds);
  const why = whyNotAlike(evidence, rounds, each);
  return perhapsAnotherClient(`${factText(adverse)} ${why}`, adverse.exchanges);
}

/** A day of which little was left sends it, too: the wait has to end at Reset each time, and one repetition is always needed. */
export function ifOfMinute(
  evidence: Evidence,
  adverse: Adverse,
  measure: (use: Use) => number | undefined,
): Judgement {
  if (evidence.exclusive && waitedInVain(evidence)) return adverse;
  const rounds = repetitions(evidence);
  const first = firstSeen(evidence, measure);
  if ([first, ...rounds].some((use) => use?.limited !== undefined && waitsBesideReset(use.limited.exchange)))
    return ofAnotherLimit(adverse, 'Retry-After does not end at the Reset of the same response');
  if (!evidence.exclusive) return ifRepeated(evidence, adverse, measure);
  if (rounds.length === 0)
    return unproven(adverse, evidence.lacking('It could not be repeated.', 'repetition'));
  return rounds.every((round) => measure(round) !== undefined && isLike(first, round))
    ? repeatedIn(adverse, rounds)
    : ofAnotherLimit(adverse, 'from a full quota of the minute a repetition ended otherwise');
}

/** A day accepts a request then, as it announces. A limit that no header shows does, too, and the minute may not. */
const waitedInVain = (evidence: Evidence): boolean =>
  evidence.by('key').some((one, i, all) => {
    const next = all[i + 1];
    const end = isRateLimited(one) ? endOfWait(one) : undefined;
    return (
      next !== undefined &&
      end !== undefined &&
      isRateLimited(next) &&
      next.sent.mono >= end &&
      !(waitsBesideReset(one) && showsEndOfMinute(next, evidence))
    );
  });

function showsEndOfMinute(limited: Exchange, { run: { limits } }: Evidence): boolean {
  const reading = readingOf(limited);
  return reading?.limit === limits.perMinute && reading.remaining === 0 && !waitsBesideReset(limited);
}

/** A limit of the minute ends every round alike, from a full quota, and announces its own end. */
const ofAnotherLimit = (adverse: Adverse, because: string): Judgement =>
  unproven(
    adverse,
    `But ${because}, so another limit that no header shows, such as a nearly exhausted day, may be the reason. Run again when the day is unused.`,
  );

const firstSeen = (evidence: Evidence, measure: (use: Use) => number | undefined): Use | undefined =>
  evidence
    .fact(uses)
    .find((one) => one.untouched && one.first.probe !== 'repetition' && measure(one) !== undefined);

/** Whether a repetition ended after as many requests; one that may not count, as an invalid creation, explains fewer. */
function isLike(first: Use | undefined, round: Use): boolean {
  const before = first?.limited?.before;
  if (before === undefined) return true;
  const answered = round.limited?.before.length ?? 0;
  return answered <= before.length + 1 && answered >= before.filter(surelyCounts).length - 1;
}

/** Why the repetitions do not show that the target itself causes it. */
function whyNotAlike(evidence: Evidence, rounds: readonly Use[], each: boolean): string {
  if (each && (rounds.length < ROUNDS_ALIKE || !evidence.finished))
    return evidence.lacking('It could not be repeated.', 'repetition');
  return 'The repetitions did not show the same, after the same number of requests, so another client may have used the key.';
}

/** The judgement, and what repeats it; a person repeats it as it was seen first. */
function repeatedIn(adverse: Adverse, rounds: readonly Use[]): Judgement {
  const { exchanges, shows = exchanges.slice(-1) } = adverse;
  const ends = rounds.flatMap(({ series }) => endOf(series) ?? []);
  const again = `The same happened in each repetition, after a pause without requests: ${ends.map(exchangeName).join(' and ')}.`;
  return { ...furtherReasoned(adverse, again), exchanges: [...exchanges, ...ends], shows };
}

/** The stretches of use that repeat what was doubtful, each after a pause; not those that only checked the quota. */
const repetitions = (evidence: Evidence): readonly Use[] =>
  evidence
    .fact(uses)
    .filter(({ first, series }) => first.probe === 'repetition' && isBaseline(first) && series.length > 1);

/** What a stretch of use ended with: the last request that was not accepted. */
const endOf = (series: Series): Exchange | undefined =>
  exchangesOf(series).findLast((exchange) => !accepted(exchange));

/** Whether Remaining itself shows, request by request, what makes the limit end early: then no other client does. */
export function explainedByCost(evidence: Evidence): boolean {
  const kind = evidence.fact(miscounted)?.explanation.kind;
  return kind === 'each request costs several' || kind === 'counted together';
}

/** Whether a cache answered with what it had stored, and no limiter saw the request. */
export const isStored = ({ shownAgain }: Exchange): boolean => shownAgain !== undefined;

/** The response of which exchange a cache showed again here, and by which header it names itself: a clause. */
export function storedText(exchange: Exchange): string {
  const line = cacheLine(exchange);
  const named = line === undefined ? '' : ` (${line})`;
  return `a cache showed the response of exchange ${exchange.shownAgain} again in exchange ${exchange.n}${named}`;
}

/** Why requests that a cache answered leave open how they are counted; undefined where none answered any. */
export function answeredByCache(evidence: Evidence): string | undefined {
  const stored = evidence.by('key').find(isStored);
  return stored === undefined
    ? undefined
    : `Some requests reached no limiter (RATE-7): ${storedText(stored)}.`;
}
