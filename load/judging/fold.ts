import { capitalized } from '../../kernel/basics/text.ts';
import { factText } from '../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { furtherReasoned, inconclusive } from '../../kernel/findings/judgement.ts';
import type { Verdict } from '../../kernel/findings/record.ts';
import type { KeyAlias } from '../model/profile.ts';

export interface KeyJudgement {
  readonly key: KeyAlias;
  readonly found: Judgement;
}

/** The judgements that decide together: the failures, else the inconclusive ones, else all. */
const deciding = (judged: readonly KeyJudgement[]): readonly KeyJudgement[] =>
  DECIDING.map((verdict) => judged.filter(({ found }) => found.verdict === verdict)).find(
    (found) => found.length > 0,
  ) ?? [];

const DECIDING: readonly Verdict[] = ['fail', 'inconclusive', 'pass'];

/**
 * The judgement of a run from those of its keys, in the order of the scenarios.
 * @param keys how many keys there are, also without a judgement; 1 where each judgement names its key.
 * @param nothingJudged the reason where there is no judgement.
 */
export function foldKeys(judged: readonly KeyJudgement[], keys: number, nothingJudged: string): Judgement {
  const [first, ...others] = deciding(judged);
  if (first === undefined) return inconclusive(nothingJudged);
  const found = keys === 1 ? first.found : ofWhom(first.found, `key ${first.key}`);
  return others.length === 0
    ? found
    : withMore(found, `The same holds for ${others.length} more of ${judged.length} keys.`);
}

/** What several questions about a run give together: the failures, else what is inconclusive, else that all pass. */
export function foldAll(judged: readonly [Judgement, ...Judgement[]]): Judgement {
  const [first = judged[0], ...others] =
    DECIDING.map((verdict) => judged.filter((one) => one.verdict === verdict)).find(
      ({ length }) => length > 0,
    ) ?? [];
  return others.reduce((all, one) => withMore(all, textOf(one)), first);
}

/** A judgement that says whose it is: `key other, below its limit`. */
export function ofWhom(found: Judgement, whose: string): Judgement {
  switch (found.verdict) {
    case 'pass':
      return { ...found, checked: `${capitalized(whose)}: ${found.checked}` };
    case 'fail':
    case 'warn':
      return { ...found, received: `${found.received} (${whose})` };
    case 'inconclusive':
    case 'not-tested':
      return { ...found, reason: `${capitalized(whose)}: ${found.reason}` };
  }
}

/** A judgement with one more sentence behind what it says. */
export function withMore(found: Judgement, sentence: string): Judgement {
  switch (found.verdict) {
    case 'pass':
      return { ...found, checked: `${found.checked} ${sentence}` };
    case 'fail':
    case 'warn':
      return furtherReasoned(found, sentence);
    case 'inconclusive':
    case 'not-tested':
      return { ...found, reason: `${found.reason} ${sentence}` };
  }
}

/** A judgement as running text. */
export function textOf(found: Judgement): string {
  if (found.verdict === 'pass') return found.checked;
  return 'expected' in found ? factText(found) : found.reason;
}
