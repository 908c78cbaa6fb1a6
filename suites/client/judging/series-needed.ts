import type { ClientJournalLine } from '../model/journal.ts';
import { ClientEvidence } from './evidence.ts';
import { decidedByAbsence } from './requirements/backs-off.ts';

/**
 * Whether the series of 429 responses without Retry-After has to be played: the series before it are complete, the one
 * with Retry-After shows no growth, and the one with Retry-After 0 does not show that the client could.
 */
export function needsSeriesWithoutHeader(lines: readonly ClientJournalLine[]): boolean {
  const [run] = lines;
  if (run?.kind !== 'client-run' || run.client.kind !== 'command') return false;
  return decidedByAbsence(new ClientEvidence(run, lines));
}
