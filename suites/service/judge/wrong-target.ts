import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { inconclusive, isAdverse } from '../../../kernel/findings/judgement.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { wrongTarget } from '../model/headline.ts';
import { readTarget } from '../model/target-reading.ts';

/**
 * Removes verdicts that say nothing about the service: all of them where the
 * target is another server, and those against the target where the run ended
 * before it showed what the target is. More of the same journal never takes back
 * a `fail`.
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
    isAdverse(found)
      ? inconclusive(
          `The run ended before it showed that the target is the service. ${factText(found)}`,
          found.exchanges,
        )
      : found;
}
