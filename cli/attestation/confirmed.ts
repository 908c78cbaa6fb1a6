import type { Statement } from '../../attestation/statement.ts';
import { annotationOf } from '../../attestation/statement.ts';
import type { ListedAtTarget } from './at-target.ts';

/** What was checked besides the attestation itself. */
export interface Confirmations {
  readonly challenge: string | undefined;
  readonly listed: ListedAtTarget | undefined;
}

/** What a true attestation says, and what it does not prove, for a terminal. */
export function confirmed(statement: Statement, { challenge, listed }: Confirmations): readonly string[] {
  const { result, passedTests, warnedTests, failedTests } = statement.predicate;
  const day = (annotation: string) =>
    annotationOf(statement, 'validity', annotation)?.slice(0, 10) ?? 'an unknown day';
  const counts = `${passedTests.length} pass, ${warnedTests.length} warn, ${failedTests.length} fail`;
  return [
    `✓ The attestation is true: ${result} (${counts}), signed on ${day('signedAt')}, valid until ${day('expiresAt')}.`,
    '  The signatures, the digests and the date are valid, and the journal gives the verdicts of the report.',
    ...(challenge === undefined ? [] : ['  The names of what the run created follow from the challenge.']),
    listed === undefined
      ? '  It does not prove which server responded: check a --challenge at the --target for that.'
      : `  The target lists ${listed.listed} of the ${listed.created} categories that the run created.`,
  ];
}
