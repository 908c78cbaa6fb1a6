import type { Evidence } from '../evidence/evidence.ts';
import type { Judgement } from '../evidence/judgement.ts';
import { inconclusive } from '../evidence/judgement.ts';
import { wrongTarget } from '../model/headline.ts';
import { readTarget } from '../model/target-reading.ts';

/**
 * Takes the verdict out of what says nothing about the service: of another
 * server everything, and of a run that ended before it knew what the target is
 * whatever counts against it. More of the same journal never takes back a `fail`.
 */
export function aboutTheService(evidence: Evidence): (found: Judgement) => Judgement {
  const { exchanges, run } = evidence;
  const headline = wrongTarget(run.target.baseUrl, exchanges);
  const reading = readTarget(exchanges);
  if (headline !== undefined && reading.kind === 'not-the-service') {
    const shown = [reading.list, reading.creation];
    return (found) => (found.verdict === 'not-tested' ? found : inconclusive(headline.text, shown));
  }
  if (evidence.finished || reading.kind === 'service') return (found) => found;
  return (found) =>
    found.verdict === 'fail' || found.verdict === 'warn'
      ? inconclusive(
          `The run ended before it showed that the target is the service. ${found.because}`,
          found.exchanges,
        )
      : found;
}
