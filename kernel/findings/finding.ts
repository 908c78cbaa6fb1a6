import type { Source } from '../../spec/register/statement.ts';
import { becauseOf } from './finding-text.ts';
import type { Judgement } from './judgement.ts';
import { isAdverse } from './judgement.ts';
import type { Finding, Outcome, Remedy } from './record.ts';
import type { Selection } from './tested.ts';

/** The one place where level and strictness turn into a verdict: a violated SHOULD warns, and with `strict` every warning fails. */
export function weighed(found: Judgement, level: Finding['level'], strict: boolean): Judgement {
  if (!isAdverse(found)) return found;
  const fails = strict || (found.verdict === 'fail' && level === 'MUST');
  return { ...found, verdict: fails ? 'fail' : 'warn' };
}

/** A judgement as it stands in a record. @param repeatable the shell command that shows it again, if any. */
export function findingOf(
  entry: Stated,
  found: Judgement,
  { whyItMatters, ...remedy }: Remedy & { readonly whyItMatters: string },
  repeatable: string | undefined,
): Finding {
  const { exchanges, shows: _, ...reasoned } = found;
  const head = {
    id: entry.id,
    level: entry.level,
    chapter: entry.chapter,
    sentence: entry.sentence,
    from: entry.from ? `interface-specification.md#${entry.from.section}` : 'load/PROFILES.md',
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

/** What a finding is about, as the register or a user states it. */
export interface Stated extends Pick<Finding, 'id' | 'level' | 'chapter' | 'sentence'> {
  /** Absent where it rests on no sentence of the specification, as some expectations of load do. */
  readonly from?: Source;
}

/** Whether a finding leaves the outcome open: a MUST that is inconclusive, so that the target is never called conforming. */
export const leavesOutcomeOpen = ({ level, verdict }: Pick<Finding, 'level' | 'verdict'>): boolean =>
  level === 'MUST' && verdict === 'inconclusive';

/** The verdict on the target as a whole. Neither a partial run nor one that lacks something shows that it conforms. */
export function outcomeOf(
  findings: readonly Finding[],
  lacking: readonly string[],
  selection?: Selection,
): Outcome {
  if (findings.some(({ verdict }) => verdict === 'fail')) return 'violates';
  if (selection !== undefined || lacking.length > 0) return 'incomplete';
  return findings.some(leavesOutcomeOpen) ? 'incomplete' : 'conforms';
}

export const ownFixOf = (finding: Finding): string | undefined =>
  'fix' in finding ? finding.fix : undefined;

export const repeatOf = (finding: Finding): string | undefined =>
  'repeat' in finding ? finding.repeat : undefined;

export const isKnown = (finding: Finding): boolean =>
  finding.verdict === 'fail' && finding.known !== undefined;
