import { register } from '../../spec/register.ts';
import type { ScoredSet } from '../../spec/sets.ts';
import { CORE, furtherLevels } from '../../spec/sets.ts';
import { outcomeOf } from './finding.ts';
import type { Finding, RunRecord } from './record.ts';

/** A pass in full, or a warning: the MUST holds under one reading of the specification at least. */
const isShown = (finding: Finding): boolean =>
  finding.verdict === 'warn' || (finding.verdict === 'pass' && finding.untested === undefined);

/** What a record says under an earlier set of requirements: its findings of that set, and the outcome that they give. */
export function underSet<Judged extends RunRecord>(
  record: Judged,
  { requirements: scored }: ScoredSet,
): Judged {
  const requirements = record.requirements.filter(({ id }) => scored.has(id));
  const lacking = record.lacking === true ? ['The record lacks something.'] : [];
  return { ...record, requirements, outcome: outcomeOf(requirements, lacking, record.selection) };
}

/**
 * That a subject conforms, in the words of every report: `conforms: core + isolation`. A level has every MUST that it
 * consists of, tested in full; what the core lacks is named: `conforms: core without AUTH-5`. Clients have no levels.
 * A requirement that the record does not know is younger than the record, and is not missing.
 */
export function conformsText({ subject, requirements }: Pick<RunRecord, 'subject' | 'requirements'>): string {
  if (subject === 'load') return 'conforms';
  const found = new Map<string, Finding>(requirements.map((one) => [one.id, one]));
  const isOpen = (id: string): boolean => {
    const finding = found.get(id);
    return finding !== undefined && !isShown(finding);
  };
  const judged = subject === 'service' ? 'by certify' : 'by certify-client';
  const further = new Set<string>(furtherLevels.flatMap((level) => level.requirements));
  const missing = register.filter(
    (one) => one.level === 'MUST' && one.judged === judged && !further.has(one.id) && isOpen(one.id),
  );
  if (subject === 'client') return missing.length === 0 ? 'conforms' : 'conforms in what was tested';
  const without = missing.length === 0 ? '' : ` without ${missing.map(({ id }) => id).join(', ')}`;
  const reached = furtherLevels.filter(
    (level) => level.requirements.some((id) => found.has(id)) && !level.requirements.some(isOpen),
  );
  return `conforms: ${[`${CORE}${without}`, ...reached.map(({ name }) => name)].join(' + ')}`;
}
