import { becauseOf } from '../../../kernel/findings/finding-text.ts';
import type { Finding, Remedy } from '../../../kernel/findings/record.ts';
import type { Entry } from '../../../spec/register.ts';
import type { Judgement } from './judgement.ts';
import { isAdverse } from './judgement.ts';

/** The one place where level and strictness turn into a verdict: a violated SHOULD warns, and with `strict` every warning fails. */
export function weighed(found: Judgement, level: Finding['level'], strict: boolean): Judgement {
  if (!isAdverse(found)) return found;
  const fails = strict || (found.verdict === 'fail' && level === 'MUST');
  return { ...found, verdict: fails ? 'fail' : 'warn' };
}

/**
 * A judgement as it stands in a record.
 * @param repeatable the shell command that shows it again; undefined where there is nothing to repeat.
 */
export function findingOf(
  entry: Entry & { readonly level: Finding['level'] },
  found: Judgement,
  { whyItMatters, ...remedy }: FindingWords,
  repeatable: string | undefined,
): Finding {
  const { exchanges, shows: _, ...reasoned } = found;
  const head = {
    id: entry.id,
    level: entry.level,
    chapter: entry.chapter,
    sentence: entry.sentence,
    from: pointer(entry),
  };
  const numbers = exchanges.map(({ n }) => n);
  const repeat = repeatable === undefined ? {} : { repeat: repeatable };
  switch (reasoned.verdict) {
    case 'fail':
    case 'warn': {
      const parts = { ...reasoned, whyItMatters };
      return { ...head, ...parts, because: becauseOf(parts), exchanges: numbers, ...remedy, ...repeat };
    }
    case 'inconclusive':
      return { ...head, ...reasoned, because: becauseOf(reasoned), exchanges: numbers, ...repeat };
    case 'pass':
    case 'not-tested':
      return { ...head, ...reasoned, because: becauseOf(reasoned), exchanges: numbers };
  }
}

/** What a finding says besides its judgement. */
export interface FindingWords extends Remedy {
  readonly whyItMatters: string;
}

const pointer = ({ from }: Entry): string => `interface-specification.md#${from.section}`;
