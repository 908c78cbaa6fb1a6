import type { KeyAlias } from '../model/profile.ts';
import type { Expectation, LoadJudgement } from './expectation.ts';
import { inconclusive } from './expectation.ts';

/** The judgement of one key. */
export interface KeyJudgement {
  readonly key: KeyAlias;
  readonly judgement: LoadJudgement;
}

/**
 * The judgement of a run from those of its keys, in the order of the scenarios: one failure decides, then one
 * inconclusive judgement. Keys that did not do what is judged are left out.
 */
export function foldKeys(judgements: readonly KeyJudgement[]): LoadJudgement {
  const judged = judgements.filter(({ judgement }) => judgement.nothingJudged !== true);
  for (const verdict of ['fail', 'inconclusive', 'pass'] as const) {
    const found = judged.filter(({ judgement }) => judgement.verdict === verdict);
    const [first] = found;
    if (first === undefined) continue;
    const { because } = first.judgement;
    const more =
      found.length > 1 ? ` The same holds for ${found.length - 1} more of ${judged.length} keys.` : '';
    return {
      verdict,
      because: judgements.length > 1 ? `Key ${first.key}: ${because}${more}` : because,
    };
  }
  return judgements[0]?.judgement ?? inconclusive('No request was sent.');
}

/** How many failures of an expectation are considered once more, with the requests of the other keys; they are kept in memory until then. */
export const MOST_RECONSIDERED = 20;

/** The judgements of one expectation, key by key. */
export interface KeyByKey {
  readonly expectation: Expectation;
  /** By the position of the scenario. */
  readonly judgements: Map<number, KeyJudgement>;
}
