import type { Step } from '../model/profile.ts';
import type { ScenarioEvidence } from './evidence.ts';

/** The steps with which a key exceeds its limit. */
export const EXCEEDING_STEPS: ReadonlySet<Step['kind']> = new Set(['burst', 'persist', 'polite']);

/** The scenarios that send so many requests, and not evenly. */
export const scenariosInOnePiece = (
  scenarios: readonly ScenarioEvidence[],
  requests: number,
): readonly ScenarioEvidence[] =>
  scenarios.filter(
    ({ steps, planned }) => planned >= requests && steps.some(({ kind }) => EXCEEDING_STEPS.has(kind)),
  );
