import type { Step } from '../model/profile.ts';
import type { ScenarioEvidence } from './evidence.ts';

/** The steps with which a key exceeds its limit. */
export const EXCEEDING_STEPS: ReadonlySet<Step['kind']> = new Set(['burst', 'persist', 'polite']);

/** Whether a key sends so many requests, and not evenly. */
export const sendsInOnePiece = ({ steps, planned }: ScenarioEvidence, requests: number): boolean =>
  planned >= requests && steps.some(({ kind }) => EXCEEDING_STEPS.has(kind));
