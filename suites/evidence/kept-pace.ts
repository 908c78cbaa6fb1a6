import { countOf, secondsText } from '../../words/text.ts';
import { keptPace, smallBurst } from '../probes/paced-window.ts';
import type { Evidence } from './evidence.ts';

/**
 * Why a 429 whose wait is longer than the window is not about a limit below the
 * plan's: a sentence about the requests at the pace of the plan that were all
 * accepted. Undefined where none shows it.
 */
export function pacedText(evidence: Evidence): string | undefined {
  const kept = keptPace(evidence.exchanges, evidence.run.limits);
  if (kept === undefined) return undefined;
  return `At the pace of the plan ${countOf(kept.exchanges.length, 'request')} in ${secondsText(kept.milliseconds)} were accepted, without a 429.`;
}

/**
 * Why an early 429 about a window is not about a limit below the plan's: it came after far fewer requests than the
 * limit, and at the pace of the plan more than the limit were accepted, with more creations among them. A window of
 * a lower limit, or a limit of creations, would have answered 429 to one of those.
 */
export function smallBurstText(evidence: Evidence): string | undefined {
  const burst = smallBurst(evidence.exchanges, evidence.run.limits);
  const kept = keptPace(evidence.exchanges, evidence.run.limits);
  if (burst === undefined || kept === undefined) return undefined;
  const created = kept.exchanges.filter(({ request }) => request.method === 'POST').length;
  return created > burst.creations ? pacedText(evidence) : undefined;
}
