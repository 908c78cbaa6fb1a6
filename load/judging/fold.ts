import type { KeyAlias } from '../model/profile.ts';
import type { LoadVerdict } from '../model/record.ts';
import type { LoadJudgement } from './expectation.ts';
import { inconclusive } from './expectation.ts';

/** The judgement of one key. */
export interface KeyJudgement extends LoadJudgement {
  readonly key: KeyAlias;
}

/** The judgements that decide together: the failures, else the inconclusive ones, else all. */
export const deciding = <Judged extends { readonly verdict: LoadVerdict }>(
  judged: readonly Judged[],
): readonly Judged[] =>
  (['fail', 'inconclusive', 'pass'] as const)
    .map((verdict) => judged.filter((one) => one.verdict === verdict))
    .find((found) => found.length > 0) ?? [];

/**
 * The judgement of a run from those of its keys, in the order of the scenarios.
 * @param keys how many keys there are, also without a judgement.
 * @param nothingJudged the reason where there is no judgement.
 */
export function foldKeys(
  judged: readonly KeyJudgement[],
  keys: number,
  nothingJudged: string,
): LoadJudgement {
  const [first, ...others] = deciding(judged);
  if (first === undefined) return inconclusive(nothingJudged);
  const { key, verdict, because } = first;
  const more = others.length > 0 ? ` The same holds for ${others.length} more of ${judged.length} keys.` : '';
  return { verdict, because: keys > 1 ? `Key ${key}: ${because}${more}` : because };
}
