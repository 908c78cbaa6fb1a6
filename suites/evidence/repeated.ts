import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName } from '../../exchanges/exchange-text.ts';
import { accepted } from '../../exchanges/outcome-kinds.ts';
import { sameWithinOne } from '../../rate-limits/attribution/early-429.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { exchangesOf } from '../../rate-limits/series/series.ts';
import { factText } from '../model/finding-text.ts';
import { isBaseline } from '../probes/preflight.ts';
import { ROUNDS_ALIKE, repetition } from '../probes/repetition.ts';
import type { Use } from '../probes/uses.ts';
import { perhapsAnotherClient } from './another-client.ts';
import type { Evidence } from './evidence.ts';
import type { AdverseJudgement, Judgement, Shown } from './judgement.ts';
import { furtherReasoned } from './judgement.ts';
import { miscounted, uses } from './uses.ts';

/**
 * A judgement against the target that another client of the key could have caused stands where
 * the user stated that there is none. Otherwise it stands only if every
 * repetition shows the same, and three in a row to the same extent. A client that
 * exhausts the quota at its own times causes it again and again, too, but each
 * time to another extent: of 93,000 simulated runs of conforming services, one
 * met the same extent twice in a row.
 * @param measure how much of it a stretch of use shows; undefined where it shows none of it.
 */
export function ifRepeated(
  evidence: Evidence,
  adverse: AdverseJudgement & Shown,
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

/** Why the repetitions do not show that the target itself causes it. */
function whyNotAlike(evidence: Evidence, rounds: readonly Use[], each: boolean): string {
  if (!each) return 'A repetition did not show the same, so another client may have used the key.';
  if (rounds.length < ROUNDS_ALIKE || !evidence.finished)
    return evidence.lacking('It could not be repeated.', repetition);
  return 'The repetitions showed the same, each after another number of requests, so another client may have used the key each time.';
}

/** The judgement, and what repeats it; a person repeats it as it was seen first. */
function repeatedIn(adverse: AdverseJudgement & Shown, rounds: readonly Use[]): Judgement {
  const { exchanges, shows = exchanges.slice(-1) } = adverse;
  const ends = rounds.flatMap(({ series }) => endOf(series) ?? []);
  const again = `The same happened in each repetition, after a pause without requests: ${ends.map(exchangeName).join(' and ')}.`;
  return { ...furtherReasoned(adverse, again), exchanges: [...exchanges, ...ends], shows };
}

/** The stretches of use that repeat what was doubtful, each after a pause; not those that only checked the quota. */
const repetitions = (evidence: Evidence): readonly Use[] =>
  evidence
    .fact(uses)
    .filter(({ first, series }) => first.probe === repetition.id && isBaseline(first) && series.length > 1);

/** What a stretch of use ended with: the last request that was not accepted. */
const endOf = (series: Series): Exchange | undefined =>
  exchangesOf(series).findLast((exchange) => !accepted(exchange));

/** Whether Remaining itself shows, request by request, what makes the limit end early: then no other client does. */
export function explainedByCost(evidence: Evidence): boolean {
  const kind = evidence.fact(miscounted)?.explanation.kind;
  return kind === 'each request costs several' || kind === 'counted together';
}
