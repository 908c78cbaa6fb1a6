import { CORE, furtherLevels } from '../../spec/levels.ts';
import { register } from '../../spec/register.ts';
import type { Finding, RunRecord } from './record.ts';

/** A pass in full, or a warning: the MUST holds under one reading of the specification at least. */
const isShown = (finding: Finding): boolean =>
  finding.verdict === 'warn' || (finding.verdict === 'pass' && finding.untested === undefined);

/**
 * That a subject conforms, in the words of every report: `conforms: core + isolation`. A level has every MUST that it
 * consists of, tested in full. What the core lacks, as for an operation that a service does not have, is named:
 * `conforms: core without AUTH-5`. Clients have no levels: one conforms, or does so in what was tested.
 */
export function conformsText({ subject, requirements }: Pick<RunRecord, 'subject' | 'requirements'>): string {
  if (subject === 'load') return 'conforms';
  const isOpen = (id: string): boolean => !requirements.some((one) => one.id === id && isShown(one));
  const judged = subject === 'service' ? 'by certify' : 'by certify-client';
  const further = new Set<string>(furtherLevels.flatMap((level) => level.requirements));
  const missing = register.filter(
    (one) => one.level === 'MUST' && one.judged === judged && !further.has(one.id) && isOpen(one.id),
  );
  if (subject === 'client') return missing.length === 0 ? 'conforms' : 'conforms in what was tested';
  const without = missing.length === 0 ? '' : ` without ${missing.map(({ id }) => id).join(', ')}`;
  const reached = furtherLevels.filter((level) => !level.requirements.some(isOpen));
  return `conforms: ${[`${CORE}${without}`, ...reached.map(({ name }) => name)].join(' + ')}`;
}
