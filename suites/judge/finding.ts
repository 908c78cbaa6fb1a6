import type { Exchange } from '../../exchanges/exchange.ts';
import type { Entry } from '../../spec/register.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Judgement } from '../evidence/judgement.ts';
import { isAdverse } from '../evidence/judgement.ts';
import { becauseOf } from '../model/finding-text.ts';
import type { RunLine } from '../model/journal.ts';
import type { Finding, Observation } from '../model/record.ts';
import { observables } from '../requirements/index.ts';
import { repeatCommand } from './repeat.ts';

/** The one place where level and strictness turn into a verdict: a violated SHOULD warns, and with `strict` every warning fails. */
export function weighed(found: Judgement, level: Finding['level'], strict: boolean): Judgement {
  if (!isAdverse(found)) return found;
  const fails = strict || (found.verdict === 'fail' && level === 'MUST');
  return { ...found, verdict: fails ? 'fail' : 'warn' };
}

/** A judgement as it stands in a record. */
export function findingOf(
  entry: Entry & { readonly level: Finding['level'] },
  found: Judgement,
  { whyItMatters, fix }: FindingWords,
  run: RunLine,
): Finding {
  const { exchanges, shows = exchanges.at(-1), ...reasoned } = found;
  const head = {
    id: entry.id,
    level: entry.level,
    chapter: entry.chapter,
    sentence: entry.sentence,
    from: pointer(entry),
  };
  const numbers = exchanges.map(({ n }) => n);
  const repeat = shows === undefined ? {} : { repeat: repeatCommand(run, shows) };
  switch (reasoned.verdict) {
    case 'fail':
    case 'warn': {
      const parts = { ...reasoned, whyItMatters };
      const remedy = fix === undefined ? {} : { fix };
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
export interface FindingWords {
  readonly whyItMatters: string;
  readonly fix: string | undefined;
}

/** What a partial run did not observe. */
export const notObserved = ({ id, chapter, sentence }: Entry): Observation => ({
  id,
  chapter,
  sentence,
  value: 'Not part of this run.',
  exchanges: [],
});

/** What a target does where the specification leaves it open, as it stands in a record; the exchanges that show it are added to `cited`. */
export function observationOf(entry: Entry, evidence: Evidence, cited: Set<Exchange>): Observation {
  const observable = observables.find(({ id }) => id === entry.id);
  const { value, exchanges = [], warning } = observable?.observe(evidence) ?? { value: 'Not observed.' };
  for (const exchange of exchanges) cited.add(exchange);
  return {
    id: entry.id,
    chapter: entry.chapter,
    sentence: entry.sentence,
    value,
    exchanges: exchanges.map(({ n }) => n),
    ...(warning === undefined ? {} : { warning }),
  };
}

const pointer = ({ from }: Entry): string => `interface-specification.md#${from.section}`;
