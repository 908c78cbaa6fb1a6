import type { LoadFinding, LoadVerdict } from '../model/record.ts';
import { whyIncomplete, whyLate } from './completeness.ts';
import type { LoadEvidence } from './evidence.ts';
import type { Expectation, LoadJudgement } from './expectation.ts';
import { inconclusive } from './expectation.ts';
import { deciding } from './fold.ts';

/** The finding of an expectation. A pass of a run that was incomplete or late, where that matters, proves nothing. */
export function findingOf(
  expectation: Expectation,
  judgement: LoadJudgement,
  evidence: LoadEvidence,
): LoadFinding {
  const { id, expected } = expectation;
  const { verdict, because } = byCompleteness(expectation, judgement, evidence);
  return { id, expected, verdict, because };
}

function byCompleteness(
  { id, passRequires }: Expectation,
  judgement: LoadJudgement,
  evidence: LoadEvidence,
): LoadJudgement {
  if (judgement.verdict !== 'pass') return judgement;
  const timed = passRequires === 'every request on schedule';
  const trouble = whyIncomplete(evidence) ?? (timed ? whyLate(evidence) : undefined);
  if (trouble === undefined) return judgement;
  return inconclusive(
    id === 'SENT' ? trouble : `${trouble} The requests that were sent agree: ${judgement.because}`,
  );
}

/** The verdict of a run: one failure decides, then one inconclusive finding. */
export function verdictOf(findings: readonly LoadFinding[]): LoadVerdict {
  return deciding(findings)[0]?.verdict ?? 'inconclusive';
}
