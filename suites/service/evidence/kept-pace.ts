import { countOf, secondsText } from '../../../kernel/basics/text.ts';
import type { KeptPace } from '../probes/paced-window.ts';
import { keptPace } from '../probes/paced-window.ts';
import type { Evidence } from './evidence.ts';

/**
 * Why a 429 whose wait is longer than the window is not about a limit below the
 * plan's: a sentence about the requests at the pace of the plan that were all
 * accepted. Undefined where none shows it.
 */
export function pacedText(evidence: Evidence): string | undefined {
  const kept = keptPace(evidence.exchanges, evidence.run.limits);
  return kept === undefined ? undefined : keptText(kept);
}

/** The same as a sentence about these requests. */
export const keptText = (kept: KeptPace): string =>
  `At the pace of the plan ${countOf(kept.exchanges.length, 'request')} in ${secondsText(kept.milliseconds)} were accepted, without a 429.`;
