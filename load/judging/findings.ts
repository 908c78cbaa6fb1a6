import { findingOf } from '../../kernel/findings/finding.ts';
import type { Judgement } from '../../kernel/findings/judgement.ts';
import { inconclusive } from '../../kernel/findings/judgement.ts';
import type { Finding } from '../../kernel/findings/record.ts';
import { whyIncomplete, whyLate } from './completeness.ts';
import type { LoadEvidence } from './evidence.ts';
import type { Expectation } from './expectation.ts';

/** The finding of an expectation. A pass of a run that was incomplete or late, where that matters, proves nothing. */
export const loadFinding = (expectation: Expectation, found: Judgement, evidence: LoadEvidence): Finding =>
  findingOf(
    expectation.entry,
    byCompleteness(expectation, found, evidence),
    { whyItMatters: expectation.whyItMatters },
    undefined,
  );

function byCompleteness(
  { entry: { id }, passRequires }: Expectation,
  found: Judgement,
  evidence: LoadEvidence,
): Judgement {
  if (found.verdict !== 'pass') return found;
  const timed = passRequires === 'every request on schedule';
  const trouble = whyIncomplete(evidence) ?? (timed ? whyLate(evidence) : undefined);
  if (trouble === undefined) return found;
  return inconclusive(
    id === 'SENT' ? trouble : `${trouble} The requests that were sent agree: ${found.checked}`,
  );
}
